"""Measuring every point of a range, or telling what that would take."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

from sonde.campaign.budget import parse_budget
from sonde.campaign.everything import Everything
from sonde.campaign.loop import Campaign
from sonde.core.errors import UnknownBenchmark
from sonde.core.events import Planned, Warned
from sonde.core.findings import Plan, Survey, Surveyed
from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName, Point
from sonde.core.protocols import Watcher
from sonde.core.records import BuildRecord
from sonde.core.results import Failed, Result
from sonde.core.revisions import History
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.knowledge import Scope, forget_failures, known_results
from sonde.workflows.projects import OpenProject
from sonde.workflows.workshop import Workshop, open_workshop

ALL = "all"
NO_SANDBOX = (
    "without a sandbox, builds and runs can reach your files and the network, and each other's leftovers."
)


@dataclass(frozen=True)
class Wish:
    """What the user wants to be measured, in her words.

    Empty means the whole branch, the default configuration, all benchmarks.
    """

    range: str = ""
    configurations: tuple[str, ...] = ()
    benchmarks: tuple[BenchmarkName, ...] = ()
    runs: int | None = None  # None: as the project file says
    budget: str | None = None  # None: as the project file says
    retry: bool = False


@dataclass(frozen=True)
class Target:
    """The points that a wish means."""

    history: History
    configurations: tuple[Configuration, ...]
    benchmarks: tuple[BenchmarkName, ...]

    def points(self) -> Iterable[Point]:
        """Every point, revision by revision, so that one build serves all that need it."""
        for revision in self.history:
            for configuration in self.configurations:
                for benchmark in self.benchmarks:
                    yield Point(revision.id, configuration, benchmark)


def measure(project: OpenProject, wish: Wish, is_sandboxed: bool, watcher: Watcher) -> Surveyed:
    """Measure what is not known yet, and return everything that is."""
    target, budget = target_of(project, wish), parse_budget(wish.budget or project.file.budget)
    runs = _runs(project, target, wish)
    with open_workshop(project, target.history, target.benchmarks, is_sandboxed) as workshop:
        points = list(target.points())
        scope = scope_of(workshop, target)
        with workshop.executor(watcher) as executor:
            if wish.retry:
                forget_failures(workshop.store, scope)
            if not is_sandboxed:
                watcher.notice(Warned(NO_SANDBOX))
            watcher.notice(Planned(len(points)))
            campaign = Campaign(
                executor, workshop.store, budget, len(target.history), time.monotonic, watcher
            )
            ending = campaign.run(Everything(points, runs), known_results(workshop.store, scope))
        return Surveyed(survey(project, workshop, target), ending.reason, ending.spent)


def show(project: OpenProject, wish: Wish, is_sandboxed: bool) -> Survey:
    """What is known of the points of a wish, without measuring anything."""
    target = target_of(project, wish)
    with open_workshop(project, target.history, target.benchmarks, is_sandboxed) as workshop:
        return survey(project, workshop, target)


def plan(project: OpenProject, wish: Wish, is_sandboxed: bool) -> Plan:
    """What measuring would take at the most."""
    target = target_of(project, wish)
    runs = _runs(project, target, wish)
    with open_workshop(project, target.history, target.benchmarks, is_sandboxed) as workshop:
        scope = scope_of(workshop, target)
        planner = Everything(target.points(), runs)
        planner.tell(known_results(workshop.store, scope))
        points = list(target.points())
        requests = planner.ask(len(points))
        drafts = [workshop.drafter.draft(request.point) for request in requests]
        keys = {draft.build.key for draft in drafts if isinstance(draft, Blueprint)}
        built = {record.build for record in workshop.store.query(BuildRecord, {"build": list(keys)})}
        return Plan(
            points=len(points),
            known=len(points) - len(requests),
            impossible=sum(isinstance(draft, Failed) for draft in drafts),
            builds=len(keys - built),
            runs=sum(request.runs for request in requests),
        )


def survey(project: OpenProject, workshop: Workshop, target: Target) -> Survey:
    """Everything that the store knows of the points of a target."""
    scope = scope_of(workshop, target)
    known = {result.point: result for result in known_results(workshop.store, scope)}
    results: dict[Point, Result] = {}
    for point in target.points():
        if point in known:
            results[point] = known[point]
        elif isinstance(draft := workshop.drafter.draft(point), Failed):
            results[point] = Result(point, draft)
    subject = project.file.subject
    metrics = {name: subject.benchmark[name].metric for name in target.benchmarks}
    return Survey(target.history, target.configurations, project.file.space.default, metrics, results)


def scope_of(workshop: Workshop, target: Target) -> Scope:
    """The points of a target, as the store is asked for them."""
    contexts = tuple(record.context for record in workshop.drafter.contexts.values())
    return Scope(contexts, tuple(revision.id for revision in target.history), target.configurations)


def target_of(project: OpenProject, wish: Wish) -> Target:
    """The points that a wish means; errors name what the project does not have."""
    space, subject = project.file.space, project.file.subject
    known = tuple(benchmark.name for benchmark in subject.benchmarks)
    for name in wish.benchmarks:
        if name not in known:
            close = get_close_matches(name, known, n=1)
            hint = f" Did you mean '{close[0]}'?" if close else ""
            raise UnknownBenchmark(f"there is no benchmark '{name}'.{hint} Known ones: {', '.join(known)}.")
    if ALL in wish.configurations:
        configurations = tuple(space.configurations())
    else:
        configurations = tuple(dict.fromkeys(map(space.parse, wish.configurations))) or (space.default,)
    return Target(project.history(wish.range), configurations, wish.benchmarks or known)


def _runs(project: OpenProject, target: Target, wish: Wish) -> dict[BenchmarkName, int]:
    subject = project.file.subject
    return {name: wish.runs or subject.benchmark[name].runs for name in target.benchmarks}
