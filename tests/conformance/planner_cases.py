"""Every planner that the conformance suite holds to the protocol; a new one adds a case."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sonde.campaign.everything import Everything
from sonde.campaign.side_by_side import SideBySide
from sonde.core.options import Configuration, Option
from sonde.core.points import Point
from sonde.core.protocols import Planner
from sonde.core.results import Metric
from sonde.methods.history_sampling.bisecting import Bisecting
from sonde.methods.history_sampling.planner import HistoryPlanner
from sonde.methods.history_sampling.policies import POLICIES
from sonde.methods.history_sampling.policy import Policy
from sonde.methods.history_sampling.series import Series
from sonde.methods.history_sampling.shared_changes.policy import SharedChanges
from sonde.methods.history_sampling.together import MeetingPolicy
from sonde.methods.pinpointing.likelihoods.search import Likelihoods
from sonde.methods.pinpointing.line import BenchmarkSteps
from sonde.methods.pinpointing.planner import PinpointPlanner
from sonde.methods.pinpointing.search import Search, SearchProblem
from sonde.methods.pinpointing.shared_steps.search import SharedSteps
from sonde.space.space import Space
from tests.values import BENCHMARK, point, revision_id


@dataclass(frozen=True)
class PlannerCase:
    name: str
    make: Callable[[], Planner]
    points: tuple[Point, ...]  # the planner's whole world
    runs: int  # at most so many samples are asked for at a point


_POINTS = tuple(point(position, level=level) for position in range(6) for level in (1, 9))

_KINDS = (0, 1, 1, 2, 3, 4, 0, 5, 6, 7)  # the second pair of equals is not adjacent


def _series(level: int) -> Series:
    return Series(
        Configuration.of({"level": level}),
        BENCHMARK,
        Metric.CPU,
        tuple(revision_id(position) for position in range(len(_KINDS))),
        tuple(range(len(_KINDS))),
        _KINDS,
        runs=2,
        most_runs=4,
    )


_SERIES = (_series(1), _series(9))


def _history(name: str, policy: Callable[[], Policy]) -> PlannerCase:
    """A history of 10 revisions, with twins, in two configurations."""
    points = tuple(series.point(at) for series in _SERIES for at in range(len(_KINDS)))
    return PlannerCase(name, lambda: HistoryPlanner(_SERIES, len(_KINDS), policy()), points, 4)


_STEPS = 10
_LINE = BenchmarkSteps(BENCHMARK, Metric.CPU, tuple(map(revision_id, range(_STEPS))), tuple(range(_STEPS)))
_WORLD = SearchProblem(
    _STEPS, Space.of([Option("level", (1, 9), 1)]), lambda _: (0, _STEPS), runs=2, most_runs=4
)


def _pinpoint(name: str, search: Callable[[], Search]) -> PlannerCase:
    """A search in a world of 10 steps and two configurations."""
    points = tuple(point(position, level=level) for position in range(_STEPS) for level in (1, 9))
    return PlannerCase(name, lambda: PinpointPlanner(_LINE, _WORLD, search()), points, 4)


CASES = (
    PlannerCase("everything", lambda: Everything(_POINTS, {"pack": 3}), _POINTS, 3),
    *(_history(name, policy) for name, policy in POLICIES.items()),
    _history("together", lambda: MeetingPolicy(SharedChanges(), most_places=6)),
    _history("bisecting", lambda: Bisecting(SharedChanges())),
    _pinpoint("likelihoods", Likelihoods),
    _pinpoint("shared-steps", SharedSteps),
    PlannerCase(
        "side by side",
        lambda: SideBySide([Everything(_POINTS[half::2], {"pack": 3}) for half in range(2)]),
        _POINTS,
        3,
    ),
)
