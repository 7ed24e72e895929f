"""How many configurations are valid."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log10, prod

from sonde.core.options import Option, OptionName
from sonde.space.diagrams.building import build_diagram
from sonde.space.diagrams.diagram import Diagram
from sonde.space.expressions import Expression, options_of
from sonde.space.space import Space

LIMIT_SECONDS = 5.0
_NODES_A_SECOND = 20_000  # of a diagram, at the least; most grow ten times as fast
_READABLE = 10**15  # larger numbers are rounded where people read them


@dataclass(frozen=True)
class Count:
    """The number of valid configurations, or at least a number that it does not exceed."""

    number: int
    is_exact: bool

    @property
    def in_words(self) -> str:
        """Such as `1,920`, `1.23e+45 (counted exactly)` or `at most 1.05e+30 (too intricate to count)`."""
        written = f"{self.number:,}" if self.number < _READABLE else _rounded(self.number)
        if not self.is_exact:
            return f"at most {written} (too complex to count)"
        return written if self.number < _READABLE else f"{written} (counted exactly)"


def count(space: Space, limit_seconds: float = LIMIT_SECONDS) -> Count:
    """The number of valid configurations; exact if a diagram of them stays small, else an upper bound.

    Roughly `limit_seconds` are spent for each part of the space. They are counted in nodes of the diagram,
    not on a clock, so that every machine gives the same answer. Parts that no constraint joins are counted
    apart: the bound is exact for those that can be counted, and takes every possible value of the others to
    be free.
    """
    whole = diagram_of(space, limit_seconds)
    if whole is not None:
        return Count(whole.count, is_exact=True)
    if not space.solver.is_possible():
        return Count(0, is_exact=True)
    numbers = [_count_part(part, limit_seconds) for part in parts_of(space)]
    return Count(prod(part.number for part in numbers), all(part.is_exact for part in numbers))


def diagram_of(space: Space, limit_seconds: float = LIMIT_SECONDS) -> Diagram | None:
    """The diagram of the valid configurations, or None if it does not stay small; limit as in `count`."""
    return build_diagram(space.options, space.constraints, int(limit_seconds * _NODES_A_SECOND))


def parts_of(space: Space) -> Iterator[Space]:
    """The space in parts that no constraint joins; its configurations are all combinations of theirs."""
    leader: dict[OptionName, OptionName] = {option.name: option.name for option in space.options}

    def leader_of(name: OptionName) -> OptionName:
        while leader[name] != name:
            leader[name] = name = leader[leader[name]]
        return name

    names_of = [list(options_of(constraint)) for constraint in space.constraints]
    for names in names_of:
        for other in names[1:]:
            leader[leader_of(other)] = leader_of(names[0])
    options: dict[OptionName, list[Option]] = {}
    constraints: dict[OptionName, list[Expression]] = {}
    for option in space.options:
        options.setdefault(leader_of(option.name), []).append(option)
    for names, constraint in zip(names_of, space.constraints, strict=True):
        constraints.setdefault(leader_of(names[0]), []).append(constraint)
    for first, together in options.items():
        yield Space(tuple(together), tuple(constraints.get(first, ())))


def _count_part(part: Space, limit_seconds: float) -> Count:
    diagram = diagram_of(part, limit_seconds)
    if diagram is not None:
        return Count(diagram.count, is_exact=True)
    live = {option.name: len(option.values) for option in part.options}
    for literal in part.solver.dead_values():
        live[literal.option] -= 1
    return Count(prod(live.values()), is_exact=False)


def _rounded(number: int) -> str:
    """Like 1.23e+45, also for numbers that no float can hold."""
    exponent = int((number.bit_length() - 1) * log10(2))  # at most one too small
    if 10 ** (exponent + 1) <= number:
        exponent += 1
    tail = round(number // 10 ** (exponent - 3) / 10)  # never the whole number as text: Python limits that
    if tail == 1000:
        tail, exponent = 100, exponent + 1
    return f"{tail // 100}.{tail % 100:02}e+{exponent}"
