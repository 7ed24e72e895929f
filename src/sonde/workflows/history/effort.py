"""What sampling a history takes at the most, and whether its budget is enough."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import ceil, log2

from sonde.campaign.budget import LEAST_POINTS, Budget, Share, in_words
from sonde.campaign.estimates import enough_for, points_allowed
from sonde.core.findings.plans import Effort, HistoryPlan, Sufficiency
from sonde.core.records import BuildKey
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.knowledge import known_by_content
from sonde.methods.history_sampling.series import Series
from sonde.workflows.blueprints import known_builds
from sonde.workflows.pace import pace_so_far
from sonde.workflows.project_tools import ProjectTools

Drawn = Sequence[tuple[Series, Collection[Blueprint]]]


@dataclass(frozen=True)
class _Left:
    """What is left of a series: a blueprint of each kind of revision of which nothing is known."""

    series: Series
    known: int  # kinds of which something is known
    blueprints: tuple[Blueprint, ...]

    def within(self, budget: Budget) -> int:
        """Points that may be measured; a budget of runs or time is one of all series."""
        if not isinstance(budget, Share):
            return len(self.blueprints)
        most = budget.points(len(self.series.revisions)) - self.known
        return min(len(self.blueprints), max(0, most))

    @property
    def least(self) -> int:
        """Points without which its course cannot be told."""
        return min(len(self.blueprints), max(0, LEAST_POINTS - self.known))


def plan_sampling(tools: ProjectTools, drawn: Drawn, budget: Budget, is_exact: bool) -> HistoryPlan:
    """What measuring within a budget takes; with `is_exact`, also what each change takes at the most."""
    blueprints = [each for _, some in drawn for each in some]
    known = {result.point for result in known_by_content(tools.store, blueprints)}
    left = [_left(series, some, {each.point for each in some} & known) for series, some in drawn]
    pace = pace_so_far(tools, list(dict.fromkeys(series.benchmark for series, _ in drawn)))
    builds = {each.build.key for one in left for each in one.blueprints}
    missing = len(builds - known_builds(tools, [each for one in left for each in one.blueprints]).keys())
    runs = max((series.runs for series, _ in drawn), default=1)

    sharing = _series_a_build(drawn)

    def effort(points: int) -> Effort:
        return Effort(min(missing, ceil(points / sharing)), points * runs, pace)

    most, least = sum(one.within(budget) for one in left), sum(one.least for one in left)
    allowed = points_allowed(budget, most, effort(most))
    asked = most if allowed is None else min(most, allowed)
    return HistoryPlan(
        len(drawn),
        len(tools.history),
        len(blueprints),
        len(known),
        asked,
        effort(asked),
        in_words(budget),
        _narrowing(left, asked) if is_exact else None,
        None if allowed is None else Sufficiency(least, allowed, enough_for(budget, least, effort(least))),
    )


def _series_a_build(drawn: Drawn) -> float:
    """How many series a build serves: they are measured at the same revisions, as far as that goes."""
    keys = [{each.build.key for each in some} for _, some in drawn]
    return sum(map(len, keys)) / max(1, len(set[BuildKey]().union(*keys)))


def _left(series: Series, blueprints: Collection[Blueprint], known: Collection[object]) -> _Left:
    by_kind: dict[object, list[Blueprint]] = {}
    for kind, each in zip(series.kinds, blueprints, strict=True):
        by_kind.setdefault(kind, []).append(each)
    unknown = [some for some in by_kind.values() if not any(each.point in known for each in some)]
    return _Left(series, len(by_kind) - len(unknown), tuple(some[0] for some in unknown))


def _narrowing(left: Sequence[_Left], asked: int) -> int:
    """Halvings from the distance of two measured revisions to neighbours, in the longest series."""
    kinds = max((one.known + len(one.blueprints) for one in left), default=1)
    measured = max(1, (asked + sum(one.known for one in left)) // max(1, len(left)))
    return ceil(log2(max(1.0, kinds / measured))) + 1
