"""The words of a verdict: one sentence for the whole, one line for each case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import expm1, log1p

from sonde.core.findings.comparisons import (
    CasePattern,
    Check,
    Compared,
    Dropped,
    Modes,
    NarrowingStep,
    Ratio,
    Verdict,
)
from sonde.core.options import Configuration, Term
from sonde.core.project_rules import RuleChange
from sonde.report.labels import difference
from sonde.report.quantities import counted, duration, share_text, threshold_text
from sonde.report.revisions import revision_text
from sonde.report.terms import holding

ORDER = (
    Verdict.FAILS,
    Verdict.SLOWER,
    Verdict.NO_MORE_WORK,
    Verdict.DEPENDS,
    Verdict.FASTER,
    Verdict.MENDED,
    Verdict.NO_LESS_WORK,
    Verdict.INCONCLUSIVE,
    Verdict.BROKEN,
    Verdict.EQUAL,
)
_BY = {
    NarrowingStep.ABSENT: "by the project file",
    NarrowingStep.BUILDS: "by comparing builds",
    NarrowingStep.SELECT: "by sonde select",
    NarrowingStep.IMPACT: "by sonde impact",
    NarrowingStep.SAMPLE: "by sampling",
}
_PARENTS = ("first", "second", "third")

LEAST_LOST_SECONDS = 1.0  # that anyone wants to know of
MOST_NAMED = 8  # pieces of code that no benchmark executes
LEAST_TOLD = 0.0005  # of a change that does not count


def headline(check: Check) -> str:
    """What came of it, in the first word, and where; and which benchmarks the head would take away."""
    return " ".join([_headline(check), *_removed(check)])


def _removed(check: Check) -> Iterator[str]:
    names = check.rules.removed_benchmarks if check.rules else ()
    if names:
        yield f"The head removes {', '.join(names)} from the project file."


def _headline(check: Check) -> str:
    if check.patterns:
        worse = [each for each in check.patterns if each.verdict in (Verdict.FAILS, Verdict.SLOWER)]
        others = [each for each in check.patterns if each not in worse]
        return " ".join([*_told([*worse, *others], check.default), *_only_audited(check)])
    if not check.compared:
        return _nothing_measured(check)
    undecided = [each for each in check.compared if each.verdict in (Verdict.INCONCLUSIVE, Verdict.BROKEN)]
    if undecided:
        first = undecided[0].reason.rstrip(".")
        if all(each.verdict is Verdict.BROKEN for each in check.compared):
            return f"BROKEN: no case can be compared, because {first}."
        are = "is" if len(undecided) == 1 else "are"
        return f"INCONCLUSIVE: {len(undecided)} of {_measured(check)} {are} undecided: {first}."
    thresholds = sorted({each.threshold for each in check.compared})
    within = " and ".join(map(threshold_text, thresholds))
    all_are = "it is" if len(check.compared) == 1 else "all are"
    return f"NOT SLOWER: {_measured(check)}, {all_are} within {within}{_largest(check)}.{_beside(check)}"


def _beside(check: Check) -> str:
    """What the verdict is not about, so that nobody takes it for more than it is."""
    if not check.not_executed:
        return ""
    return " Some of the changed code is not executed by any benchmark."


def not_executed_text(check: Check) -> str:
    """The changed code that no benchmark executes, by name; empty if there is none."""
    places: list[str] = []
    routines: set[str] = set()
    for each in sorted(check.not_executed, key=lambda each: each.is_old):
        if each.routine in routines:
            continue
        lines = f"{each.first}" if each.first == each.last else f"{each.first}-{each.last}"
        place = f"{each.file}:{lines}"
        if each.routine:
            routines.add(each.routine)
            place = f"{'parts of ' * each.is_part}{each.routine} ({place})"
        places.append(place)
    if not places:
        return ""
    named = places[:MOST_NAMED]
    more = f", and {len(places) - len(named)} more" if len(places) > len(named) else ""
    return (
        f"Changed, but not executed by any profiled benchmark: {', '.join(named)}{more}. The "
        "verdict does not cover this code."
    )


def _only_audited(check: Check) -> Iterator[str]:
    """A sentence if an audit found what nothing else shows."""
    if check.audits and check.audits.missed:
        audits = counted(len(check.audits.cases), "audit")
        yield f"{len(check.audits.missed)} of {audits} found a change that would have been missed."


def base_text(check: Check) -> str:
    """What the head is compared with; a merge has several parents, so it is said which of them."""
    parents = check.head.parents
    if len(parents) == 1 or check.base.id not in parents:
        return revision_text(check.base)
    number = parents.index(check.base.id)
    which = _PARENTS[number] if number < len(_PARENTS) else f"{number + 1}th"
    return f"the {which} parent of this merge, {revision_text(check.base)}"


def _largest(check: Check) -> str:
    """The largest change, so that one can see what adds up over time; empty if there is none."""
    largest = max((each for each in check.compared if each.ratio), key=_size, default=None)
    if largest is None or largest.ratio is None or _size(largest) < LEAST_TOLD:
        return ""
    return f" (largest change: {largest.case.benchmark} {signed(largest.ratio.log)})"


def _size(compared: Compared) -> float:
    return abs(compared.ratio.log) if compared.ratio else 0.0


def _nothing_measured(check: Check) -> str:
    reasons = [each.reason for each in check.dropped if not each.is_proven]
    if check.audits and check.audits.reason not in reasons:  # every case that was left out is audited
        reasons.append(check.audits.reason)
    if check.dropped and not reasons:
        return f"UNCHANGED, proven: {check.dropped[0].reason}. Nothing was measured."
    return f"NOTHING TO MEASURE: {'; '.join(reasons)}."


def _told(patterns: Sequence[CasePattern], default: Configuration) -> Iterator[str]:
    """One sentence for all patterns with the same verdict and the same term."""
    together: dict[tuple[Verdict, Term | None], list[CasePattern]] = {}
    for each in patterns:
        together.setdefault((each.verdict, each.term), []).append(each)
    for (verdict, term), several in together.items():
        names = ", ".join(f"{each.benchmark}{_by(each)}" for each in several)
        yield f"{verdict.value.upper()}{_where(term, several, default)}: {names}."


def _by(pattern: CasePattern) -> str:
    if pattern.modes is not None:
        return f" ({modes_text(pattern.modes)})"
    if pattern.least is None or pattern.most is None:
        return ""
    least, most = how_much(pattern.least), how_much(pattern.most)
    return f" by {most}" if least == most else f" by {least} to {most}"


def _where(term: Term | None, patterns: Sequence[CasePattern], default: Configuration) -> str:
    if term:
        return f" where {holding(term)}"
    worst = {each.worst.configuration for each in patterns if each.worst is not None}
    if len(worst) == 1 and all(each.cases == each.of_cases == 1 for each in patterns):
        name = difference(worst.pop(), default)
        return "" if name == "default" else f" with {name}"
    cases, of_cases = (sum(getattr(each, name) for each in patterns) for name in ("cases", "of_cases"))
    if cases == of_cases:
        return f" in all {cases} measured cases"
    return f" in {cases} of {of_cases} measured cases"


def modes_text(modes: Modes) -> str:
    """In which set-ups a change shows: `+17.0 % in 4 of 10, +0.1 % in 6`."""
    pairs = modes.changed_pairs + modes.other_pairs
    change, rest = signed(modes.change), signed(modes.rest)
    return f"{change} in {modes.changed_pairs} of {pairs}, {rest} in {modes.other_pairs}"


def how_much(ratio: Ratio | None) -> str:
    """The size of a change without its sign: `12 %`."""
    if ratio is None:
        return "an unknown amount"
    share = abs(expm1(ratio.log))
    return f"{100 * share:.1f} %" if share < 1 else f"a factor of {1 + share:.2g}"


def signed(log: float) -> str:
    """A log ratio as a change: `+12.3 %`."""
    return f"{100 * expm1(log):+.1f} %"


def reasons(told: Sequence[Compared]) -> list[str]:
    """Why something fails or is not decided, each reason once, with the benchmarks that it is about."""
    about: dict[str, dict[str, None]] = {}
    for each in told:
        if each.verdict not in (Verdict.SLOWER, Verdict.FASTER, Verdict.EQUAL):
            about.setdefault(each.reason.rstrip("."), {})[each.case.benchmark] = None
    return [f"{', '.join(benchmarks)}: {reason}." for reason, benchmarks in about.items()]


def near_thresholds(told: Sequence[Compared]) -> list[str]:
    """Why what seems to be smaller than the threshold counts all the same."""
    near = dict.fromkeys(
        (each.case.benchmark, threshold_text(each.threshold))
        for each in told
        if each.verdict in (Verdict.SLOWER, Verdict.FASTER)
        and each.ratio is not None
        and abs(each.ratio.log) < log1p(each.threshold)
    )
    return [
        f"{benchmark}: the change may be as large as {threshold}, so it is reported."
        for benchmark, threshold in near
    ]


def outputs(check: Check) -> list[str]:
    """Where the head prints something else than the base, a sentence for each benchmark."""
    told = []
    for benchmark in dict.fromkeys(each.case.benchmark for each in check.compared):
        own = [each for each in check.compared if each.case.benchmark == benchmark]
        known = [each for each in own if each.is_output_same is not None]
        others = [each for each in known if not each.is_output_same]
        if others:
            where = f" in {len(others)} of {counted(len(known), 'case')}" if len(known) > 1 else ""
            told.append(
                f"{benchmark} prints different output than at the base{where}. Check that it still "
                "does the same work."
            )
    return told


def interval(ratio: Ratio) -> str:
    """Where the ratio lies: `+11.0 to +13.5 %`."""
    if ratio.high - ratio.low < 5e-5:
        return "exact"
    return f"{100 * expm1(ratio.low):+.1f} to {signed(ratio.high)}"


def in_order(check: Check) -> list[Compared]:
    """What the verdict rests on, the weightiest first: by verdict, then by size."""
    return sorted(
        check.answers,
        key=lambda each: (ORDER.index(each.verdict), -abs(each.ratio.log) if each.ratio else 0.0),
    )


def dropped_text(dropped: Dropped) -> str:
    """How many cases were left out, whether that is a proof, and why."""
    what = "Proven unchanged" if dropped.is_proven else "Not measured"
    return (
        f"{what}: {counted(dropped.cases, 'case')}, because {lowered(dropped.reason)} ({_BY[dropped.step]})."
    )


def left_out_by(step: NarrowingStep) -> str:
    """Which step left cases out: `by sonde impact`."""
    return _BY[step]


def lowered(text: str) -> str:
    """A sentence as a clause: its first letter is a small one."""
    return text[:1].lower() + text[1:]


def saving_text(check: Check) -> str:
    """What was measured of everything, what it cost, and what that saved."""
    measured = check.measured
    share = share_text(measured / check.cases) if check.cases else "0 %"
    audits = len(check.audits.cases) if check.audits else 0
    as_audits = f", {audits:,} of them as audits" if audits else ""
    text = f"Measured {measured:,} of {counted(check.cases, 'case')} ({share}){as_audits}."
    cost = check.cost
    if cost.builds or cost.runs:
        work = f"{counted(cost.builds, 'build')} and {counted(cost.runs, 'run')}"
        text += f" It took {work}, {duration(cost.seconds)}"
    else:
        text += " No build or run was needed" + (": all results were already stored" if measured else "")
    if check.compared and check.seconds_lost >= LEAST_LOST_SECONDS:
        took, left_out = duration(check.seconds_narrowing), counted(check.cases - measured, "case")
        would = duration(check.seconds_narrowing - check.seconds_lost)
        text += f". Selecting the {left_out} to skip took {took}"
        return f"{text}, but measuring them would have taken about {would}: --all is faster here."
    if check.seconds_all is not None and check.seconds_all > cost.seconds and measured < check.cases:
        saved = share_text(1 - cost.seconds / check.seconds_all)
        text += f"; measuring all would take about {duration(check.seconds_all)} ({saved} saved)"
    return f"{text}."


def _measured(check: Check) -> str:
    return f"{counted(len(check.compared), 'case')} measured"


def rules_text(check: Check) -> str:
    """By whose project file the check went, and what that of the head would change; empty: there was one."""
    if check.rules is None:
        return ""
    takes_inputs = any(each.change is RuleChange.INPUT_CHANGED for each in check.rules.head_would)
    whose = "project file and the inputs come from" if takes_inputs else "project file comes from"
    lead = f"The {whose} {check.rules.source}."
    would = [f"{each.change.value}{f': {each.name}' if each.name else ''}" for each in check.rules.head_would]
    return (
        f"{lead} {'Those' if takes_inputs else 'The one'} in the work tree would change: {', '.join(would)}."
        if would
        else lead
    )
