"""What there is to search in a benchmark of a project: steps, valid configurations, and when they exist."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice

from sonde.campaign.budget import Budget, Points
from sonde.core.errors import UsageError
from sonde.core.findings.pinpoints import Ground
from sonde.core.options import Configuration, Option, OptionName
from sonde.core.results import Metric
from sonde.core.revisions import ALWAYS, RevisionId, Timeline
from sonde.core.subject import BenchmarkRecipe, Subject, command_at
from sonde.effects.executors.blueprints import Blueprint
from sonde.methods.pinpointing.line import BenchmarkSteps
from sonde.methods.pinpointing.search import Life, SearchProblem
from sonde.space.absent import at_default
from sonde.space.counting import count
from sonde.space.space import Space
from sonde.workflows.blueprints import blueprints_of
from sonde.workflows.project_tools import ProjectTools
from sonde.workflows.resolutions import RESOLUTIONS
from sonde.workflows.targets import MeasuringTarget

MOST_RUNS = 64  # of a point, where a decision hangs on them
MOST_COUNTS = 4  # instructions hardly differ from run to run


@dataclass(frozen=True)
class BenchmarkSearch:
    """Where one benchmark is searched: the line of its steps, the world, and how much there is of it."""

    line: BenchmarkSteps
    world: SearchProblem
    ground: Ground


def places_of(
    tools: ProjectTools, target: MeasuringTarget, runs: int | None, threshold: float, seed: int
) -> tuple[BenchmarkSearch, ...]:
    """A place for each benchmark that the range has; an error if there is none, or nothing to choose from."""
    subject, space = tools.project.file.subject, tools.project.file.space
    timeline = tools.project.repository.timeline(subject.spans, target.history)
    places = []
    for name in target.benchmarks:
        # This one exists at every revision, be it valid or not, for it chooses no option that may be absent.
        blueprints = blueprints_of(tools, target.history, space.every_default, name)
        if blueprints:
            recipe = subject.benchmark[name]
            steps = _steps(blueprints, subject, recipe, timeline)
            line = BenchmarkSteps(name, recipe.metric, tuple(steps.values()), tuple(steps))
            existing = _existing(space, line.revisions, timeline)
            first_runs = runs or (1 if recipe.metric is Metric.INSTRUCTIONS else target.runs[name])
            most = MOST_COUNTS if recipe.metric is Metric.INSTRUCTIONS else MOST_RUNS
            world = SearchProblem(
                len(steps),
                existing,
                life_over(line.revisions, space.options, timeline),
                threshold,
                first_runs,
                max(first_runs, most),
                RESOLUTIONS[recipe.metric].noise_floor,
                seed,
                is_counted=RESOLUTIONS[recipe.metric].is_counted,
            )
            revisions = [each.point.revision for each in blueprints.values()]
            places.append(BenchmarkSearch(line, world, _ground(existing, revisions, len(steps), timeline)))
    if not places:
        raise UsageError(
            "no revision of the range has these benchmarks. Choose another range, or another "
            "benchmark; the project file states at which revisions each benchmark has a command."
        )
    return tuple(places)


def within(world: SearchProblem, budget: Budget, benchmarks: int) -> SearchProblem:
    """A world in which a search knows how much it may look at."""
    if isinstance(budget, Points):
        return replace(world, most_points=budget.points // benchmarks)
    return world


def life_over(revisions: Sequence[RevisionId], options: Sequence[Option], timeline: Timeline) -> Life:
    """Tells the steps at which a configuration can be measured: (first, one after the last).

    That is where every option exists that does not have its default; options that do not exist are as good
    as at their default. Where an option comes and goes more than once, the longest time counts.
    """
    bound = {
        option: tuple(timeline.covers(option.span, revision) for revision in revisions)
        for option in _bound(options)
    }

    @cache
    def life_of(chosen: frozenset[OptionName]) -> tuple[int, int]:
        needed = [exists for option, exists in bound.items() if option.name in chosen]
        return _longest([all(at) for at in zip(*needed, strict=True)])

    def life(configuration: Configuration) -> tuple[int, int]:
        chosen = frozenset(option.name for option in bound if configuration[option.name] != option.default)
        return life_of(chosen) if chosen else (0, len(revisions))

    return life


def _longest(is_alive: Sequence[bool]) -> tuple[int, int]:
    """The longest stretch of True; (0, 0) if there is none, the first of several."""
    best, start = (0, 0), 0
    for at, alive in enumerate([*is_alive, False]):
        if not alive:
            best = max(best, (start, at), key=lambda stretch: stretch[1] - stretch[0])
            start = at + 1
    return best


def _steps(
    blueprints: Mapping[int, Blueprint], subject: Subject, recipe: BenchmarkRecipe, timeline: Timeline
) -> dict[int, RevisionId]:
    """The positions whose revision can differ from the one before, in whatever configuration.

    Only what is known without building counts, for a campaign that is resumed must find the same steps.
    """
    steps: dict[int, RevisionId] = {}
    bound, before = _bound(subject.options), None
    for position, blueprint in blueprints.items():
        revision = blueprint.point.revision
        kind = (
            blueprint.build.key,
            blueprint.run,
            command_at(subject.build.commands, revision, timeline),
            command_at(recipe.commands, revision, timeline),
            _absent(bound, revision, timeline),
        )
        if kind != before:
            steps[position] = revision
        before = kind
    return steps


def _bound(options: Iterable[Option]) -> tuple[Option, ...]:
    """Those that do not exist throughout the history."""
    return tuple(option for option in options if option.span != ALWAYS)


def _absent(bound: Sequence[Option], revision: RevisionId, timeline: Timeline) -> tuple[Option, ...]:
    return tuple(option for option in bound if not timeline.covers(option.span, revision))


def _existing(space: Space, revisions: Sequence[RevisionId], timeline: Timeline) -> Space:
    """The space without the values of options that none of these revisions has.

    The default stays, for a project file has a valid one; an error if nothing else does.
    """
    never = [
        option
        for option in _bound(space.options)
        if not any(timeline.covers(option.span, revision) for revision in revisions)
    ]
    existing = at_default(space, never)
    if len(list(islice(existing.configurations(), 2))) < 2:
        raise UsageError(
            "there is only one valid configuration, so no change can depend on options. Describe "
            "options in the project file, choose another range, or use `sonde history`, which "
            "needs no options."
        )
    return existing


def _ground(space: Space, revisions: Sequence[RevisionId], steps: int, timeline: Timeline) -> Ground:
    whole, bound = count(space), _bound(space.options)
    points, is_counted = 0, whole.is_exact
    for absent, number in Counter(_absent(bound, one, timeline) for one in revisions).items():
        here = count(at_default(space, absent)) if absent else whole
        points += number * here.number
        is_counted = is_counted and here.is_exact
    return Ground(len(revisions), steps, whole.number, points, is_counted)
