"""A space as text and as JSON: its options, its constraints, what is valid, and a sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sonde.core.options import Configuration, Option, Phase, Value
from sonde.report.labels import difference
from sonde.report.leeway import CONSTRAINT_WIDTH, leeway_json, leeway_text
from sonde.report.quantities import counted
from sonde.report.tables import shortened, table, width
from sonde.space.counting import Count
from sonde.space.facts import allowed, text_of
from sonde.space.leeway import Leeway
from sonde.space.space import Space

VALUES_WIDTH = 40
WORDS_WIDTH = 40
_WRITABLE = 10**4000  # Python writes no larger numbers
SAMPLE_WIDTH = 110  # a wider table tells only where a configuration differs from the default


@dataclass(frozen=True)
class Sampled:
    """A sample and its kind."""

    kind: str
    configurations: tuple[Configuration, ...]
    caveat: str = ""  # what it is not, such as uniform


@dataclass(frozen=True)
class SpaceOverview:
    """The finding of `space`."""

    space: Space
    count: Count
    leeway: Leeway
    sample: Sampled | None = None


def space_text(overview: SpaceOverview) -> str:
    """A table of the options, the constraints, how many configurations are valid, and the sample."""
    space = overview.space
    blocks = [
        _options_table(space.options) if space.options else "There are no options.",
        _constraints_text(space),
        f"Valid configurations: {overview.count.in_words}.",
        leeway_text(overview.leeway),
        _sample_text(overview) if overview.sample else "",
    ]
    return "\n\n".join(block for block in blocks if block)


def kind_of(option: Option) -> str:
    """What one chooses: on or off, a number, or one of several."""
    return "on/off" if option.is_switch else "number" if option.is_numeric else "one of several"


def space_json(overview: SpaceOverview) -> dict[str, object]:
    """Everything that `space_text` tells, uncut."""
    sample = overview.sample
    return {
        "options": [_option_json(option) for option in overview.space.options],
        "constraints": [str(constraint) for constraint in overview.space.constraints],
        "valid": {
            "number": overview.count.number if overview.count.number < _WRITABLE else None,
            "is_exact": overview.count.is_exact,
            "in_words": overview.count.in_words,
        },
        **leeway_json(overview.leeway),
        "sample": None
        if sample is None
        else {
            "kind": sample.kind,
            "caveat": sample.caveat,
            "configurations": [dict(each.values) for each in sample.configurations],
        },
    }


def _option_json(option: Option) -> dict[str, object]:
    return {
        "name": option.name,
        "kind": kind_of(option),
        "values": list(option.values),
        "default": option.default,
        "words": option.words,
        "off_words": option.off_words,
        "environment": option.environment,
        "phase": option.phase.value,
        "since": option.span.since,
        "until": option.span.until,
    }


def _options_table(options: Sequence[Option]) -> str:
    head = ["option", "kind", "values", "default", "words", "takes effect", "since", "until"]
    rows = [
        [
            option.name,
            kind_of(option),
            shortened(allowed(option), VALUES_WIDTH),
            _shown(option.default),
            shortened(_words(option), WORDS_WIDTH),
            "in builds" if option.phase is Phase.BUILD else "in runs",
            option.span.since,
            option.span.until,
        ]
        for option in options
    ]
    used = [at for at in range(len(head)) if at < 4 or any(row[at] for row in rows)]
    return table([head[at] for at in used], [[row[at] for at in used] for row in rows])


def _words(option: Option) -> str:
    parts = [option.words]
    if option.off_words:
        parts.append(f"off: {option.off_words}")
    if option.environment:
        parts.append(f"${option.environment}")
    return "; ".join(part for part in parts if part)


def _constraints_text(space: Space) -> str:
    if not space.constraints:
        return "There are no constraints."
    lines = [f"  {shortened(str(constraint), CONSTRAINT_WIDTH)}" for constraint in space.constraints]
    return "\n".join([f"{counted(len(lines), 'constraint')}:", *lines])


def _sample_text(overview: SpaceOverview) -> str:
    sample = overview.sample
    if sample is None:
        return ""
    head = f"Sample, {sample.kind}: {counted(len(sample.configurations), 'configuration')}"
    if sample.caveat:
        head += f" ({sample.caveat})"
    if not sample.configurations:
        return f"{head}."
    full = _values_table(overview.space, sample.configurations)
    if max(map(width, full.splitlines())) <= SAMPLE_WIDTH:
        return f"{head}.\n{full}"
    default = overview.space.default
    rows = [
        [str(number), difference(configuration, default)]
        for number, configuration in enumerate(sample.configurations, 1)
    ]
    return f"{head}, each by what differs from the default.\n{table(['', ''], rows, 'rl')}"


def _values_table(space: Space, configurations: Sequence[Configuration]) -> str:
    names = [option.name for option in space.options]
    rows = [
        [str(number), *(_shown(configuration[name]) for name in names)]
        for number, configuration in enumerate(configurations, 1)
    ]
    return table(["", *names], rows, "r" + "l" * len(names))


def _shown(value: Value) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return shortened(text_of(value), VALUES_WIDTH)
