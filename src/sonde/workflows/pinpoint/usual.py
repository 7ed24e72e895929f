"""What a search for change points usually takes, by a rehearsal on a made-up subject."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sonde.campaign.budget import Budget, in_words
from sonde.campaign.estimates import enough_for, points_allowed
from sonde.core.findings.plans import Effort, Pace, PinpointPlan, Sufficiency
from sonde.core.results import Failed
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.knowledge import known_by_content
from sonde.methods.pinpointing.rehearsal import rehearse
from sonde.methods.pinpointing.search import Search
from sonde.workflows.blueprints import known_builds
from sonde.workflows.pace import pace_so_far
from sonde.workflows.pinpoint.worlds import BenchmarkSearch, within
from sonde.workflows.project_tools import ProjectTools


@dataclass(frozen=True)
class _Usual:
    """What the searches of all places usually ask for."""

    points: int
    runs: int
    is_whole: bool
    drafts: tuple[Blueprint, ...]


def plan_search(
    tools: ProjectTools, searches: Sequence[tuple[BenchmarkSearch, Search]], budget: Budget, seed: int
) -> PinpointPlan:
    """What searching these places usually takes; the searches are used up."""
    usual = _rehearsed(tools, searches, budget, seed)
    places = [place for place, _ in searches]
    effort = _missing(tools, usual, pace_so_far(tools, [each.line.benchmark for each in places]))
    allowed = points_allowed(budget, usual.points, effort)
    enough = enough_for(budget, usual.points, effort)
    return PinpointPlan(
        {place.line.benchmark: place.ground for place in places},
        usual.points,
        usual.is_whole,
        effort,
        in_words(budget),
        None if allowed is None else Sufficiency(usual.points, allowed, enough),
    )


def _rehearsed(
    tools: ProjectTools, searches: Sequence[tuple[BenchmarkSearch, Search]], budget: Budget, seed: int
) -> _Usual:
    points, runs, is_whole, drafts = 0, 0, True, list[Blueprint]()
    for place, search in searches:
        if len(place.line.revisions) > 1:
            rehearsed = rehearse(search, within(place.world, budget, len(searches)), seed)
            asked = [place.line.point(step, configuration) for step, configuration in rehearsed.points]
            drafted = [tools.drafter.draft(point) for point in asked]
            drafts += [each for each in drafted if not isinstance(each, Failed)]
            points, runs = points + len(asked), runs + rehearsed.runs
            is_whole = is_whole and rehearsed.is_whole
    return _Usual(points, runs, is_whole, tuple(drafts))


def _missing(tools: ProjectTools, usual: _Usual, pace: Pace) -> Effort:
    """The builds and runs of these points that the store does not have."""
    known = {result.point for result in known_by_content(tools.store, usual.drafts)}
    unknown = [each for each in usual.drafts if each.point not in known]
    builds = {each.build.key for each in unknown} - known_builds(tools, unknown).keys()
    runs = round(usual.runs * len(unknown) / max(1, len(usual.drafts)))
    return Effort(len(builds), runs, pace)
