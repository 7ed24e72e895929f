"""Which changed code the profiles of a check show to be executed, and what nobody has executed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from typing import Protocol

from sonde.core.code import SourceLine
from sonde.core.findings.comparisons import Case, UnexecutedCode
from sonde.core.findings.impacts import ChangedRegion, Witnesses
from sonde.core.findings.selections import Selected
from sonde.core.revisions import Revision
from sonde.methods.comparison.covering import ExecutedChange
from sonde.methods.impact.coverage import Execution, Seen, executed
from sonde.methods.impact.differences.lines import ChangedFileLines
from sonde.workflows.check.dropping import functions_of, is_proven

YES, POSSIBLE, NO = Execution.YES, Execution.POSSIBLE, Execution.NO


class Profiles(Protocol):
    """Where profiles come from."""

    def seen(self, revision: Revision, cases: Sequence[Case]) -> Mapping[Case, Seen]:
        """What profiles of a revision show; a case that cannot be profiled is missing."""


@dataclass(frozen=True)
class RegionCoverage:
    """Regions of changed code, and in which cases they are executed."""

    regions: tuple[ChangedRegion, ...]
    at_base: Mapping[Case, tuple[Execution, ...]]  # of each region; only cases that could be profiled
    suffixes: frozenset[str] = frozenset()  # of source files that the base has code of

    def executed(self, known: Mapping[Case, Selected]) -> dict[Case, ExecutedChange]:
        """The changed code of each case that is not proven unchanged; without a profile all is possible."""
        found: dict[Case, ExecutedChange] = {}
        for case, selected in known.items():
            if is_proven(selected):
                continue
            functions = frozenset(functions_of(selected))
            if not self.regions:
                found[case] = ExecutedChange(surely=functions)
                continue
            states = self.at_base.get(case, (POSSIBLE,) * len(self.regions))
            surely, possibly = (
                frozenset(number for number, each in enumerate(states) if each is wanted)
                for wanted in (YES, POSSIBLE)
            )
            found[case] = ExecutedChange(surely, possibly, functions)
        return found

    @property
    def is_settled(self) -> bool:
        """Whether profiles of the base say everything that profiles of the head could."""
        return not self._doubtful

    def not_executed(self, at_head: Sequence[Seen] = ()) -> tuple[UnexecutedCode, ...]:
        """The changed code that no profile executes.

        Where the base does not show for sure that code of the head is executed, profiles of the head decide,
        if there are any.
        """
        cold = [number for number, state in enumerate(self._best) if state is NO]
        if at_head:
            cold = [number for number in cold if number not in self._doubtful]
            cold += [number for number in self._doubtful if self._is_cold(number, at_head)]
        return tuple(_merged(self.regions, sorted(cold)))

    @cached_property
    def _best(self) -> list[Execution]:
        """For each region the most that any profile of the base says."""
        states = list(self.at_base.values())
        return [
            min((each[number] for each in states), key=_ORDER.index, default=POSSIBLE)
            for number in range(len(self.regions))
        ]

    @cached_property
    def _doubtful(self) -> list[int]:
        """Code of the head that no profile of the base surely executes, in files that may have code."""
        return [
            number
            for number, each in enumerate(self.regions)
            if each.at_head is not None
            and self._best[number] is not YES
            and (each.routine or PurePosixPath(each.place.file).suffix in self.suffixes)
        ]

    def _is_cold(self, number: int, seen: Iterable[Seen]) -> bool:
        region = self.regions[number]
        assert region.at_head is not None  # these are asked about only
        return all(executed(region, region.at_head, each) is NO for each in seen)


_Together = tuple[str, str, bool, int]  # what has the same one is named together
NO_COVERAGE = RegionCoverage((), {})
_ORDER = (YES, POSSIBLE, NO)


def look(
    regions: tuple[ChangedRegion, ...], base: Revision, cases: Sequence[Case], profiles: Profiles
) -> RegionCoverage:
    """Which regions each case executes, as profiles of the base show."""
    if not regions:
        return NO_COVERAGE
    seen = profiles.seen(base, cases)
    files = {place.file for each in seen.values() for place in each.compiled}
    return RegionCoverage(
        regions,
        {case: tuple(executed(each, each.at_base, of) for each in regions) for case, of in seen.items()},
        frozenset(PurePosixPath(file).suffix for file in files),
    )


def regions_of_text(lines: Iterable[ChangedFileLines]) -> Iterator[ChangedRegion]:
    """Changed lines as regions, where nothing tells which code they are."""
    for each in lines:
        for first, last in each.old:
            file = each.old_file or each.file
            yield ChangedRegion("", SourceLine(file, first), True, _on(file, first, last))
        for first, last in each.new:
            unknown = Witnesses(is_known=False)
            yield ChangedRegion("", SourceLine(each.file, first), False, unknown, _on(each.file, first, last))


def _on(file: str, first: int, last: int) -> Witnesses:
    lines = frozenset(SourceLine(file, line) for line in range(first, last + 1))
    return Witnesses(lines, (lines,), is_known=False)


def _merged(regions: Sequence[ChangedRegion], cold: Sequence[int]) -> Iterator[UnexecutedCode]:
    """One for all `cold` regions of a routine, and for each range of lines of no routine."""
    together: dict[_Together, list[int]] = {}
    for each in map(regions.__getitem__, cold):
        lines = {place.line for place in (each.at_head or each.at_base).shows if not each.routine}
        together.setdefault(_together(each), []).extend([each.place.line, *lines])
    warm = {_together(regions[number]) for number in set(range(len(regions))).difference(cold)}
    for key, lines_of in together.items():
        routine, file, is_old, _ = key
        yield UnexecutedCode(routine, file, min(lines_of), max(lines_of), is_old, key in warm)


def _together(region: ChangedRegion) -> _Together:
    return region.routine, region.place.file, region.is_old, 0 if region.routine else region.place.line
