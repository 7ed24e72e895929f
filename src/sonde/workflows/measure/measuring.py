"""Measuring every point of a range, and showing what is known of it."""

from __future__ import annotations

import time
from collections.abc import Mapping

from sonde.campaign.budget import parse_budget
from sonde.campaign.everything import Everything
from sonde.campaign.loop import Campaign
from sonde.core.events import Event, Planned, ResultKnown
from sonde.core.findings.measurements import Survey, Surveyed
from sonde.core.points import Point
from sonde.core.protocols import Watcher
from sonde.core.records import ContextRecord, PointRecord
from sonde.core.results import Failed, Result
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.knowledge import PointGrid, forget_failures, known_by_content, known_results
from sonde.workflows.project_tools import ProjectTools, open_tools
from sonde.workflows.projects import OpenProject
from sonde.workflows.surroundings import warn_of_surroundings
from sonde.workflows.targets import MeasuringRequest, MeasuringTarget, target_of


def measure(
    project: OpenProject, request: MeasuringRequest, is_sandboxed: bool, watcher: Watcher
) -> Surveyed:
    """Measure what is not known yet, and return everything that is."""
    target, budget = target_of(project, request), parse_budget(request.budget or project.file.budget)
    with open_tools(project, target.history, target.benchmarks, is_sandboxed) as tools:
        scope, fleeting = scope_of(tools, target), Fleeting(watcher)
        with tools.executor(watcher) as executor:
            warn_of_surroundings(project, is_sandboxed, watcher)
            if request.retry:
                forget_failures(tools.store, scope)
            points, known = list(target.points()), list(known_results(tools.store, scope))
            watcher.notice(Planned(len(points), frozenset(result.point for result in known)))
            campaign = Campaign(executor, tools.store, budget, len(target.history), time.monotonic, fleeting)
            ending = campaign.run(Everything(points, target.runs), known)
        return Surveyed(survey(tools, target, fleeting.failures), ending.reason, ending.spent)


def show(project: OpenProject, request: MeasuringRequest, is_sandboxed: bool) -> Survey:
    """What is known of the points of a request, without measuring anything."""
    target = target_of(project, request)
    with open_tools(project, target.history, target.benchmarks, is_sandboxed) as tools:
        return survey(tools, target, {})


def survey(tools: ProjectTools, target: MeasuringTarget, fleeting: Mapping[Point, Result]) -> Survey:
    """Everything that the store knows of the points of a target, and failures that it does not keep."""
    scope = scope_of(tools, target)
    known = {**fleeting, **{result.point: result for result in known_results(tools.store, scope)}}
    results: dict[Point, Result] = {}
    unknown: list[Blueprint] = []
    for point in target.points():
        if point in known:
            results[point] = known[point]
        elif isinstance(draft := tools.drafter.draft(point), Failed):
            results[point] = Result(point, draft)
        else:
            unknown.append(draft)
    results |= {result.point: result for result in known_by_content(tools.store, unknown)}
    file = tools.project.file
    return Survey(
        target.history,
        target.configurations,
        file.space.default,
        {name: file.subject.benchmark[name].metric for name in target.benchmarks},
        target.runs,
        results,
        elsewhere=_count_elsewhere(tools, target, results),
        environment=tools.drafter.workplace.in_words,
        programs={name: each.programs_in_words for name, each in tools.drafter.equipment.items()},
    )


def scope_of(tools: ProjectTools, target: MeasuringTarget) -> PointGrid:
    """The points of a target, as the store is asked for them."""
    contexts = tuple(record.context for record in tools.drafter.contexts.values())
    return PointGrid(contexts, tuple(revision.id for revision in target.history), target.configurations)


def _count_elsewhere(tools: ProjectTools, target: MeasuringTarget, results: Mapping[Point, Result]) -> int:
    """How many points without a result have one in another context."""
    store, here = tools.store, scope_of(tools, target)
    records = store.query(ContextRecord, {"benchmark": list(target.benchmarks)})
    others = tuple(record.context for record in records if record.context not in here.contexts)
    scope = PointGrid(others, here.revisions, here.configurations)
    found = {record.point for record in store.query(PointRecord, scope.where)}
    return len(found - results.keys())


class Fleeting:
    """Hands on what it is told, and remembers failures that the store does not."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self.failures: dict[Point, Result] = {}

    def notice(self, event: Event) -> None:
        """Take note of an event."""
        if isinstance(event, ResultKnown):
            outcome = event.result.outcome
            if isinstance(outcome, Failed) and not outcome.is_lasting:
                self.failures[event.result.point] = event.result
        self._watcher.notice(event)
