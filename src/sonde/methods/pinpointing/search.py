"""What a search is: a program over a world of points, which wishes for some of them and is answered."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Protocol

from sonde.core.findings.pinpoints import TermChange
from sonde.core.options import Configuration
from sonde.space.space import Space

Life = Callable[
    [Configuration], tuple[int, int]
]  # the first step that has its options, and one after the last


@dataclass(frozen=True)
class SearchProblem:
    """What can be measured, and what a change has to be like to matter.

    Revisions that are proven equal to the one before are no steps: nothing can change there. Steps count
    from 0; the planner alone knows which revisions they are.
    """

    steps: int
    space: Space
    life: Life
    threshold: float = 0.05  # relative size from which on a change matters
    runs: int = 1  # samples that a point gets at first
    most_runs: int = 64  # and at the most, where a decision hangs on them
    noise_floor: float = 0.0  # relative deviation that is always reckoned with
    seed: int = 0
    most_points: int | None = None  # that the budget allows for, if it says so
    is_counted: bool = False  # a build's value varies as its runs do: nothing else moves it


@dataclass(frozen=True)
class SampleDemand:
    """That a point has at least so many samples in all."""

    step: int
    configuration: Configuration
    runs: int = 1


@dataclass(frozen=True)
class DemandResult:
    """What came of a demand: the first samples of a point, as many as wished for where there are.

    Where a recording lacks a configuration it is answered by another one, which then stands here.
    """

    step: int
    configuration: Configuration
    values: tuple[float, ...]  # positive and finite; empty: it failed
    is_repeatable: bool = True  # False: further runs would only give the same value again
    is_whole_revision: bool = (
        False  # it failed because the revision does not build, whatever the configuration
    )


Program = Generator[Sequence[SampleDemand], Sequence[DemandResult], str]


class Search(Protocol):
    """A way to find changes.

    It is one pass of a program: it yields demands and is sent what came of them, in the same order, and it
    returns why it ended, in words. It must depend on the world and on what it heard alone, so that a campaign
    that is resumed takes the same course.
    """

    def run(self, world: SearchProblem) -> Program:
        """Search until nothing more is worth measuring."""

    def findings(self) -> tuple[TermChange, ...]:
        """What it makes of all that it heard so far; positions are steps."""

    def noise(self) -> float | None:
        """Relative deviation of a single run, as far as it knows."""
