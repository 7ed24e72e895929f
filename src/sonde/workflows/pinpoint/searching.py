"""Which revision changed which option: from a project to findings, by measuring a few points."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sonde.campaign.budget import LEAST_POINTS, Budget, Points, Share, parse_budget
from sonde.campaign.loop import Campaign, CampaignEnding
from sonde.campaign.side_by_side import SideBySide
from sonde.core.events import Event, Planned, ResultKnown
from sonde.core.findings.pinpoints import NO_INFLUENCES, Pinpointed, Pinpoints, PredictionRequest
from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName, Point
from sonde.core.protocols import Watcher
from sonde.core.results import FREE, Failed, Result
from sonde.effects.executors.knowledge import PointGrid, forget_failures
from sonde.methods.pinpointing.planner import PinpointPlanner
from sonde.methods.pinpointing.search import Search
from sonde.workflows.budget_warnings import BudgetWatch, warn_of_budget
from sonde.workflows.pinpoint.endings import with_ending
from sonde.workflows.pinpoint.predictions import check_existence, wishes_of
from sonde.workflows.pinpoint.searches import DEFAULT, SEARCHES, Searches, search_named
from sonde.workflows.pinpoint.usual import plan_search
from sonde.workflows.pinpoint.worlds import BenchmarkSearch, places_of, within
from sonde.workflows.project_tools import ProjectTools, open_tools
from sonde.workflows.projects import OpenProject
from sonde.workflows.reference_runs.executor import BesideReference
from sonde.workflows.reference_runs.references import TIMES, SeriesReferences
from sonde.workflows.surroundings import warn_of_surroundings
from sonde.workflows.targets import MeasuringRequest, MeasuringTarget, target_of
from sonde.workflows.thresholds import parse_threshold

USUAL_SHARE = 0.05
USUAL_LEAST = 150  # points of a benchmark; of a small project, a small share would tell nothing
MOST_SHOWN = 100_000  # points; a larger limit tells nobody anything
USUAL_THRESHOLD = "5%"

NO_STEPS = (
    "no revision of the range can differ from the revision before: the inputs of their builds are equal"
)


@dataclass(frozen=True)
class PinpointRequest:
    """What `sonde pinpoint` is asked for, beside the points."""

    planner: str = DEFAULT
    threshold: str = USUAL_THRESHOLD
    seed: int = 0
    influences: bool = False  # whether to fit a performance-influence model, too
    predict: tuple[str, ...] = ()  # configurations whose value it tells
    at: str = ""  # and at which revision; empty: the last one
    has_reference: bool = True  # whether times are measured beside a reference


def pinpoint(
    project: OpenProject,
    request: MeasuringRequest,
    how: PinpointRequest,
    is_sandboxed: bool,
    watcher: Watcher,
    searches: Searches = SEARCHES,
) -> Pinpoints:
    """Measure a few points, and tell which revisions changed the performance of which options."""
    search_named(how.planner, searches)  # a mistake is told before anything is read
    threshold, target = parse_threshold(how.threshold), target_of(project, request)
    predicted = wishes_of(project, target, how.predict, how.at)
    written = request.budget or project.file.budget
    asked_budget = parse_budget(written) if written else None
    with open_tools(project, target.history, target.benchmarks, is_sandboxed) as tools:
        places = places_of(tools, target, request.runs, threshold, how.seed)
        check_existence(places, predicted)
        warn_of_surroundings(project, is_sandboxed, watcher)
        if request.retry:
            forget_failures(tools.store, _scope_of(tools, target))
        budget = limit_of(asked_budget, places)
        rehearsed = [(place, search_named(how.planner, searches)) for place in places]
        plan = plan_search(tools, rehearsed, budget, how.seed)
        warn_of_budget(plan, watcher)
        notes = Notes(BudgetWatch(watcher, budget, plan))
        begun = [(place, search_named(how.planner, searches)) for place in places]
        asked = predicted if how.influences or predicted else None
        way = _Way(budget, how.has_reference, request.retry)
        found, unusable, ending = _search(tools, begun, way, notes, asked)
        return Pinpoints(
            target.history,
            project.file.space.default,
            found,
            {place.line.benchmark: place.ground for place in places},
            how.planner,
            threshold,
            tuple(notes.failures.values()),
            notes.most_samples,
            ending.spent,
            unusable,
        )


@dataclass(frozen=True)
class _Way:
    """How much a search may measure, and how."""

    budget: Budget
    has_reference: bool
    retries: bool


def _search(
    tools: ProjectTools,
    searches: Sequence[tuple[BenchmarkSearch, Search]],
    way: _Way,
    watcher: Watcher,
    predicted: Sequence[PredictionRequest] | None,
) -> tuple[tuple[Pinpointed, ...], tuple[Result, ...], CampaignEnding]:
    """Search all places at the same time; then fit influences, unless `predicted` is None.

    Findings, results that do not count, and the ending.

    What is known already is not told beforehand. The executor answers from the store, without cost, whatever
    the searches request for: so the budget counts what they rest on, and not all that was ever measured.
    """
    budget = way.budget
    planners = {
        place.line.benchmark: PinpointPlanner(place.line, within(place.world, budget, len(searches)), search)
        for place, search in searches
        if len(place.line.revisions) > 1
    }
    ending, references = CampaignEnding(NO_STEPS, FREE), SeriesReferences(tools, watcher)
    if planners:
        if isinstance(budget, Points) and budget.points <= MOST_SHOWN:
            watcher.notice(Planned(budget.points, is_limit=True))
        with tools.executor(watcher) as local:
            campaign = Campaign(
                BesideReference(tools, local, references, retries=way.retries)
                if way.has_reference
                else local,
                tools.store,
                budget,
                len(tools.history),
                time.monotonic,
                watcher,
                runs_per_sample=2 if way.has_reference and _is_timed(searches) else 1,
            )
            ending = campaign.run(SideBySide(list(planners.values())))
    found, unusable = [], list[Result]()
    for place, _ in searches:
        name, metric = place.line.benchmark, place.line.metric
        one, influences = Pinpointed(name, metric, (), None, 0, 0, 0, NO_STEPS), NO_INFLUENCES
        if name in planners:
            one = with_ending(planners[name].pinpointed(), ending)
            one = replace(one, references=references.revisions(name))
            unusable += planners[name].unusable()
            influences = planners[name].influences(predicted) if predicted is not None else influences
        found.append(one if predicted is None else replace(one, influences=influences))
    return tuple(found), tuple(unusable), ending


def _is_timed(searches: Sequence[tuple[BenchmarkSearch, Search]]) -> bool:
    return any(place.line.metric in TIMES for place, _ in searches)


def limit_of(budget: Budget | None, places: Sequence[BenchmarkSearch]) -> Budget:
    """The budget of all benchmarks; a share is one of all points that there are."""
    if budget is None:
        parts = [max(USUAL_LEAST, _part(USUAL_SHARE, place.ground.points)) for place in places]
        return Points(sum(parts))
    if isinstance(budget, Share):
        return Points(sum(max(LEAST_POINTS, _part(budget.share, place.ground.points)) for place in places))
    return budget


def _part(share: float, points: int) -> int:
    """A share of a number that may be larger than any float."""
    return points * round(share * 10**9) // 10**9


def _scope_of(tools: ProjectTools, target: MeasuringTarget) -> PointGrid:
    contexts = tuple(record.context for record in tools.drafter.contexts.values())
    return PointGrid(contexts, tuple(revision.id for revision in target.history), None)


class Notes:
    """Hands on what it is told, and remembers what failed and how often points were run."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self.failures: dict[Point, Result] = {}
        self.most_samples: dict[tuple[BenchmarkName, Configuration], int] = {}

    def notice(self, event: Event) -> None:
        """Take note of an event."""
        if isinstance(event, ResultKnown):
            point, outcome = event.result.point, event.result.outcome
            if isinstance(outcome, Failed):
                self.failures[point] = event.result
            else:
                series = point.benchmark, point.configuration
                self.most_samples[series] = max(self.most_samples.get(series, 0), len(outcome.samples))
        self._watcher.notice(event)
