"""Which revision changed which option: findings in words, how to check them, and what they rest on."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from sonde.core.findings.pinpoints import Pinpointed, Pinpoints, TermChange
from sonde.core.results import Failed, Result, Stage
from sonde.core.revisions import History, short
from sonde.report.cost import ending_text
from sonde.report.flow import paragraph
from sonde.report.glyphs import ASCII, UNICODE, Glyphs
from sonde.report.pinpoint.commands import measure_command, written_configuration
from sonde.report.pinpoint.influences import InfluenceScope, influences_text
from sonde.report.pinpoint.nothing_found import nothing_found_text
from sonde.report.quantities import counted, share_text, threshold_text
from sonde.report.tables import shortened
from sonde.report.terms import effect_text, probability_text, where

MUCH_LESS = 0.5  # of the effect where it shows best
TAIL_LINES, TAIL_WIDTH = 12, 160  # of what a failing build or run printed

_FAILURES = {
    Stage.SPACE: "because an option does not exist",
    Stage.BUILD: "in the build",
    Stage.RUN: "in the run",
}


def pinpoint_text(pinpoints: Pinpoints, width: int, unicode: bool = True, words: Sequence[str] = ()) -> str:
    """What `pinpoint` found, on lines of at most `width` columns, 40 or more; then what it cost.

    Commands that can be copied stay on one line, however long; `words` are further arguments of theirs.
    """
    glyphs = UNICODE if unicode else ASCII
    blocks = [_benchmark_text(one, pinpoints, width, words, glyphs) for one in pinpoints.benchmarks]
    reasons = dict.fromkeys(one.ending for one in pinpoints.benchmarks)
    ending = paragraph(ending_text("; ".join(reasons), pinpoints.spent), width)
    return glyphs.written("\n\n".join([*blocks, ending]))


def nothing_measured_text(pinpoints: Pinpoints) -> str:
    """Why there is no answer: everything failed, and this is what was said first."""
    if pinpoints.unusable:
        return _no_usable_value(pinpoints.unusable)
    first = pinpoints.failures[0]
    text = "no point has a value, because every build or run failed. "
    if isinstance(first.outcome, Failed):
        text += f"At {short(first.point.revision)}: {first.outcome.reason} "
        if first.outcome.output.strip():
            text += f"It printed:\n\n{_tail(first.outcome.output)}\n\n"
    return f"{text}`sonde show --log {short(first.point.revision)}` prints all stored output."


def _no_usable_value(unusable: Sequence[Result]) -> str:
    text = f"no point has a usable value, although {counted(len(unusable), 'point')} could be measured. "
    return text + _first_reason(unusable)


def _first_reason(unusable: Sequence[Result]) -> str:
    first = unusable[0]
    reason = first.outcome.reason if isinstance(first.outcome, Failed) else ""
    return f"At {short(first.point.revision)}: {reason}"


def _tail(output: str) -> str:
    lines = output.strip().splitlines()
    return "\n".join(f"    {shortened(line, TAIL_WIDTH)}" for line in lines[-TAIL_LINES:])


def _benchmark_text(
    found: Pinpointed, pinpoints: Pinpoints, width: int, words: Sequence[str], glyphs: Glyphs
) -> str:
    beside = f" beside {', '.join(map(short, found.references))}" if found.references else ""
    parts = [paragraph(f"{found.benchmark}: {found.metric.value}{beside}", width)]
    parts += [
        _finding_text(number, change, found, pinpoints, width, words)
        for number, change in enumerate(found.findings, 1)
    ]
    if not found.findings:
        parts.append(paragraph(_nothing(found, pinpoints), width))
    parts.append(paragraph(_basis(found, pinpoints), width))
    if found.influences is not None:
        history = pinpoints.history
        place = InfluenceScope(len(history) - 1, found.metric, lambda position: history[position].short)
        parts.append(influences_text(found.influences, place, width, glyphs))
    return "\n\n".join(parts)


def _finding_text(
    number: int,
    change: TermChange,
    found: Pinpointed,
    pinpoints: Pinpoints,
    width: int,
    words: Sequence[str],
) -> str:
    """A finding, who made the revision, and how to check it."""
    history, head = pinpoints.history, f"{number}. "
    told = (
        f"{_head(change, history)} {where(change.term, change.unless)}; "
        f"probability {probability_text(change.probability)}; "
        f"measured in {counted(change.configurations, 'configuration')}"
    )
    is_default = change.shown_in == pinpoints.default
    best = "the default configuration" if is_default else written_configuration(change, pinpoints)
    evidence = f"{_place(change)} It is clearest in {best}: {_interval(change, history)}.{_least(change)}"
    indent, room = " " * len(head), width - len(head)
    first, second = (paragraph(text, room).replace("\n", f"\n{indent}") for text in (told, evidence))
    command = measure_command(change, found, pinpoints, words)
    return "\n".join(
        [head + first, *_commit(change, history, indent, room), indent + second, f"{indent}$ {command}"]
    )


def _head(change: TermChange, history: History) -> str:
    """Its revision and its size; or the revisions between which it is, and what all of them changed."""
    effect = effect_text(change.effect)
    if change.is_exact:
        return f"revision {change.position} {history[change.position].short}: {effect}"
    return f"{_between(change, history)}: {effect} in all"


def _between(change: TermChange, history: History) -> str:
    apart = counted(change.revisions_apart, "revision")
    return f"between {history[change.before].short} and {history[change.after].short}, {apart} apart"


def _commit(change: TermChange, history: History, indent: str, room: int) -> list[str]:
    """Author and subject; a range is not one person's work."""
    if not change.is_exact:
        return []
    revision = history[change.position]
    return [indent + shortened(f"{revision.author}: {revision.subject}", room)]


def _least(change: TermChange) -> str:
    """What is left of it where it shows least, if that is much less."""
    if change.least_effect is None or abs(change.least_effect) > MUCH_LESS * abs(change.effect):
        return ""
    return f" The smallest effect measured is {effect_text(change.least_effect)}."


def _place(change: TermChange) -> str:
    """How well its revision is known."""
    if change.is_exact:
        return "The change is at exactly this revision."
    revisions = counted(change.latest - change.earliest + 1, "revision")
    return f"The change is at one of {revisions}, or divided among them."


def _interval(change: TermChange, history: History) -> str:
    """Where its size lies; of what, if that is not the revision alone."""
    low, high = change.effect_low, change.effect_high
    if not (math.isfinite(low) and math.isfinite(high)):
        return "its 90 % interval is open"
    text = f"{effect_text(low)} to {effect_text(high)} with a probability of 90 %"
    if change.is_exact and change.revisions_apart > 1:
        return f"{_between(change, history)}, {text} in all"
    return text


def _nothing(found: Pinpointed, pinpoints: Pinpoints) -> str:
    if pinpoints.grounds[found.benchmark].steps < 2:
        return "No revision can have changed it."
    return nothing_found_text(found, pinpoints.threshold)


def _basis(found: Pinpointed, pinpoints: Pinpoints) -> str:
    """What the findings rest on, and what was not looked at."""
    ground = pinpoints.grounds[found.benchmark]
    most = "" if ground.is_counted else "at most "
    share = f" ({share_text(found.points / ground.points)})" if ground.points else ""
    looked_at = (
        f"Measured {found.points:,} of {most}{_large(ground.points)} points{share}, in "
        f"{found.configurations:,} of {most}{_large(ground.configurations)} valid "
        f"configurations; {ground.steps:,} of {counted(ground.revisions, 'revision')} can "
        "differ from the revision before."
    )
    sentences = [looked_at]
    if found.findings:
        sentences.append(f"Changes below {threshold_text(pinpoints.threshold)} are not reported.")
    if found.noise is not None:
        sentences.append(f"The noise of a run is {share_text(found.noise)}.")
    failures = [result for result in pinpoints.failures if result.point.benchmark == found.benchmark]
    if failures:
        sentences.append(_failures(failures))
    unusable = [result for result in pinpoints.unusable if result.point.benchmark == found.benchmark]
    if unusable:
        has, count = ("has", "counts") if len(unusable) == 1 else ("have", "count")
        told = f"{counted(len(unusable), 'point')} {has} no usable value and {count} as failed."
        sentences.append(f"{told} {_first_reason(unusable)}")
    return " ".join(sentences)


def _failures(failures: Sequence[Result]) -> str:
    """How many points failed at which stage, and where the first of each is."""
    stages = Counter(result.outcome.stage for result in failures if isinstance(result.outcome, Failed))
    told = []
    for stage, number in stages.items():
        first = next(
            one for one in failures if isinstance(one.outcome, Failed) and one.outcome.stage is stage
        )
        told.append(f"{number:,} {_FAILURES[stage]} (such as {short(first.point.revision)})")
    return f"{counted(len(failures), 'point')} failed: {', '.join(told)}."


def _large(number: int) -> str:
    return f"{number:,}" if number < 10**9 else f"10^{len(str(number)) - 1}"
