"""Budgets: how much a campaign may cost, and what it has cost so far."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sonde.core.errors import UsageError
from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName, Point, Request
from sonde.core.results import FREE, Cost, Failed, Measurement, Result, Stage

LEAST_POINTS = 4  # a share of a short series still allows for this many


@dataclass(frozen=True)
class RunBudget:
    """So many runs, beside those that are known already."""

    runs: int


@dataclass(frozen=True)
class Share:
    """A share of the distinct points of each series, known ones included.

    Twins are free, failed builds count.
    """

    share: float

    def points(self, revisions: int) -> int:
        """How many points of a series with so many revisions may be measured."""
        return min(revisions, max(LEAST_POINTS, round(self.share * revisions)))


@dataclass(frozen=True)
class Points:
    """So many distinct points in all, whatever their series, known ones included; repeats are free."""

    points: int


@dataclass(frozen=True)
class Seconds:
    """So much time, by the clock that the campaign is given."""

    seconds: float


@dataclass(frozen=True)
class Unlimited:
    """Whatever it takes."""


Budget = RunBudget | Share | Points | Seconds | Unlimited

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def parse_budget(text: str) -> Budget:
    """The budget that a user wrote: `200` (runs), `3%` (a share), `2h` (time); empty is unlimited."""
    text = text.strip()
    if not text:
        return Unlimited()
    match = re.fullmatch(r"([0-9]{1,18}(?:\.[0-9]+)?)\s*(%|[smhd])?", text)
    if match:
        number, unit = float(match[1]), match[2]
        if unit == "%" and 0 < number <= 100:
            return Share(number / 100)
        if unit in _UNITS and number > 0:
            return Seconds(number * _UNITS[unit])
        if unit is None and number == int(number) and number > 0:
            return RunBudget(int(number))
    raise UsageError(
        f"budget '{text}' is invalid. Write a number of runs (200), a share of the "
        "revisions up to 100% (3%), or a time (90s, 45m, 2h, 1d)."
    )


Series = tuple[Configuration, BenchmarkName]


class Ledger:
    """Keeps the books of a campaign: what was paid, and what may still be asked for."""

    def __init__(self, budget: Budget, revisions: int, started: float, runs_per_sample: int = 1) -> None:
        self._budget = budget
        self._runs_per_sample = runs_per_sample
        self._revisions = revisions
        self._started = started
        self._samples: dict[Point, int] = {}
        self._failed: set[Point] = set()
        self._tried: dict[Series, set[Point]] = {}
        self._answered_by: dict[Point, Point] = {}  # asked for -> what a recording answered with
        self.spent = FREE

    def pay(self, cost: Cost) -> None:
        """Take note of what something cost."""
        self.spent += cost

    def note(self, result: Result) -> None:
        """Take note of what is known of a point, now or from an earlier campaign."""
        point, outcome = result.point, result.outcome
        if isinstance(outcome, Measurement):
            self._samples[point] = max(len(outcome.samples), self._samples.get(point, 0))
        else:
            self._failed.add(point)
        if _was_tried(outcome):
            self._tried.setdefault(_series(point), set()).add(point)
        if result.instead_of is not None:
            self._answered_by[result.instead_of] = point

    def allow(self, requests: Sequence[Request]) -> list[Request]:
        """Those requests, cut where needed, that the budget still allows for."""
        match self._budget:
            case RunBudget(runs):
                left = max(0, runs - self.spent.runs)  # a sample may take more runs than expected
                return self._within_runs(requests, left // self._runs_per_sample)
            case Share() as share:
                return self._within_share(requests, share.points(self._revisions))
            case Points(points):
                return self._within_points(requests, points)
            case _:
                return list(requests)

    def is_overdue(self, now: float) -> bool:
        """Whether the time is up."""
        return isinstance(self._budget, Seconds) and now - self._started >= self._budget.seconds

    def _missing(self, request: Request) -> int:
        point = self._answering(request)
        return 0 if point in self._failed else max(0, request.runs - self._samples.get(point, 0))

    def _answering(self, request: Request) -> Point:
        return self._answered_by.get(request.point, request.point)

    def _within_runs(self, requests: Sequence[Request], left: int) -> list[Request]:
        allowed = []
        for request in requests:
            missing = self._missing(request)
            granted = min(missing, left)
            if granted or not missing:
                allowed.append(replace(request, runs=request.runs - missing + granted))
                left -= granted
        return allowed

    def _within_points(self, requests: Sequence[Request], most: int) -> list[Request]:
        taken: set[Point] = set().union(*self._tried.values())
        allowed = []
        for request in requests:
            point = self._answering(request)
            if point in taken or len(taken) < most:
                taken.add(point)
                allowed.append(request)
        return allowed

    def _within_share(self, requests: Sequence[Request], most: int) -> list[Request]:
        taken = {series: set(points) for series, points in self._tried.items()}
        allowed = []
        for request in requests:
            points = taken.setdefault(_series(request.point), set())
            if request.point in points or len(points) < most:
                points.add(request.point)
                allowed.append(request)
        return allowed


def _was_tried(outcome: Measurement | Failed) -> bool:
    """Whether a point has taken work of its own; twins, and options that are not there, take none."""
    if isinstance(outcome, Measurement):
        return outcome.twin is None
    return outcome.stage is not Stage.SPACE


def _series(point: Point) -> Series:
    return point.configuration, point.benchmark


def in_words(budget: Budget) -> str:
    """The budget as a person would say it."""
    match budget:
        case RunBudget(runs):
            return f"{runs} runs"
        case Share(share):
            return f"{share:.4g} of the revisions" if share < 0.001 else f"{share:.1%} of the revisions"
        case Points(points):
            return f"{points} points"
        case Seconds(seconds):
            return f"{math.ceil(seconds)} s"
        case Unlimited():
            return "unlimited"
