"""Which further cases must be measured so that no changed code that a benchmark executes is left out."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass

from sonde.core.findings.comparisons import Case
from sonde.core.options import Literal
from sonde.core.points import BenchmarkName


@dataclass(frozen=True)
class ExecutedChange:
    """The changed code that a case executes."""

    surely: frozenset[Hashable] = frozenset()
    possibly: frozenset[Hashable] = frozenset()  # where optimised code does not show it
    around: frozenset[Hashable] = (
        frozenset()
    )  # changed functions, of which it may execute unchanged code only


def cover(executed: Mapping[Case, ExecutedChange], left: Collection[Case]) -> list[Case]:
    """Cases to measure beside those that are `left`.

    With them, each piece of changed code that some case of a benchmark executes is executed in one that is
    measured, and each value of an option under which changed code is executed is measured with some of it.
    Greedy: the case that adds most comes first, of equal ones the earliest.
    """
    found: list[Case] = []
    for benchmark in dict.fromkeys(case.benchmark for case in executed):
        meets = _requirements(executed, benchmark)
        wanted = frozenset[Hashable]().union(*meets.values())
        met = frozenset[Hashable]().union(*(meets[case] for case in left if case in meets))
        while missing := wanted - met:
            best = max(meets, key=lambda case: len(meets[case] & missing))
            found.append(best)
            met |= meets[best]
    return found


def _requirements(
    executed: Mapping[Case, ExecutedChange], benchmark: BenchmarkName
) -> Mapping[Case, frozenset[Hashable]]:
    """What measuring each case of a benchmark would meet: its changed code, and its values of options.

    Code that no case surely executes is met by any that possibly does.
    """
    own = {case: each for case, each in executed.items() if case.benchmark == benchmark}
    sure = frozenset[Hashable]().union(*(each.surely for each in own.values()))
    return {
        case: each.surely | (each.possibly - sure) | each.around | frozenset(_values(case, each))
        for case, each in own.items()
    }


def _values(case: Case, executed: ExecutedChange) -> Iterator[Literal]:
    """The values of options with which it executes changed code."""
    if executed.surely or executed.possibly:
        yield from case.configuration
