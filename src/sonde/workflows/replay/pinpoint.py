"""Playing a search for change points against recorded performance, or against an oracle."""

from __future__ import annotations

import time
from dataclasses import replace

from sonde.campaign.budget import Budget, Points, RunBudget
from sonde.campaign.loop import Campaign
from sonde.campaign.memory_store import MemoryStore
from sonde.core.events import Event, Limited, Planned, ResultKnown, Warned
from sonde.core.findings.pinpoints import ReplayedPinpoints
from sonde.core.protocols import Watcher
from sonde.core.results import FREE, Failed
from sonde.effects.oracles import Oracle
from sonde.effects.recordings.grid import read_grid
from sonde.effects.recordings.open_space import MODEL_FILE_NAME, OpenSpace, read_open_space
from sonde.methods.pinpointing.line import BenchmarkSteps
from sonde.methods.pinpointing.planner import PinpointPlanner
from sonde.methods.pinpointing.search import SearchProblem
from sonde.workflows.pinpoint.endings import with_ending
from sonde.workflows.pinpoint.searches import ROAMING, SEARCHES, Searches, search_named
from sonde.workflows.replay.request import PinpointReplay, RecordedRequest, budget_of, check, predictions_of
from sonde.workflows.replay.scenes import METRIC, ReplayTarget, oracle_scene, recorded_scene, revision_id
from sonde.workflows.replay.timed_planner import TimedPlanner
from sonde.workflows.thresholds import parse_threshold

__all__ = ["PinpointReplay", "RecordedRequest", "replay_oracle", "replay_recording"]

MOST_FAILURES = 5  # that are told one by one; an oracle can fail a thousand times
BATCH = 256  # a run costs nothing, so that all requests of a search are granted at once


def replay_recording(
    recorded: RecordedRequest, request: PinpointReplay, watcher: Watcher, searches: Searches = SEARCHES
) -> ReplayedPinpoints:
    """Play a search against a recording.

    It may ask for the configurations that are recorded, and for no others; a search that roams may ask for
    all that the feature model beside the recording allows, and gets the nearest recorded one.
    """
    check(request, searches)
    grid = read_grid(recorded.folder, recorded.benchmark, recorded.draw_repeats)
    if request.planner in ROAMING:
        opened = read_open_space(recorded.folder, grid.configurations)
        for constraint in opened.refuted:
            message = f"recorded configurations break the constraint '{constraint}' of {MODEL_FILE_NAME}"
            watcher.notice(Warned(f"{message}, so the constraint is ignored."))
    else:
        opened = OpenSpace(grid.configurations.space(), grid.configurations.configurations)
    return _replay(recorded_scene(grid, opened, request.seed), request, watcher, searches)


def replay_oracle(
    oracle: Oracle, request: PinpointReplay, watcher: Watcher, searches: Searches = SEARCHES
) -> ReplayedPinpoints:
    """Play a search against an oracle, all of whose options can be combined."""
    check(request, searches)
    return _replay(oracle_scene(oracle, request.seed), request, watcher, searches)


def _replay(
    scene: ReplayTarget, request: PinpointReplay, watcher: Watcher, searches: Searches
) -> ReplayedPinpoints:
    threshold, budget = parse_threshold(request.threshold), budget_of(request.budget, scene)
    predicted = predictions_of(scene, request)
    steps = len(scene.revisions)
    world = SearchProblem(
        steps,
        scene.space,
        lambda _: (0, steps),
        threshold,
        noise_floor=scene.noise_floor,
        seed=request.seed,
        most_points=_most_points(budget),
    )
    revisions = tuple(map(revision_id, scene.revisions))
    line = BenchmarkSteps(scene.benchmark, METRIC, revisions, tuple(range(steps)))
    if isinstance(budget, Points):
        watcher.notice(Planned(budget.points, is_limit=True))
    elif isinstance(budget, RunBudget):
        watcher.notice(Limited(budget.runs))
    search = search_named(request.planner, searches)
    timed = TimedPlanner(lambda: PinpointPlanner(line, world, search))
    patient = _Patient(watcher)
    campaign = Campaign(scene.executor, MemoryStore(), budget, steps, time.monotonic, patient, BATCH)
    ending = campaign.run(timed)
    found = timed.clocked(timed.planner.pinpointed)
    if (
        request.influences or predicted
    ):  # the fit is no part of the planning, so its time is not the planner's
        found = replace(found, influences=timed.planner.influences(predicted))
    return ReplayedPinpoints(
        scene.name,
        request.planner,
        threshold,
        scene.revisions,
        with_ending(found, ending),
        ending.spent.runs,
        timed.seconds,
    )


def _most_points(budget: Budget) -> int | None:
    match budget:
        case Points(most) | RunBudget(most):
            return most
        case _:
            return None


class _Patient:
    """A watcher that is told of the first few failures; the others are as if they had been known."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self._failures = 0

    def notice(self, event: Event) -> None:
        """Hand on an event."""
        if isinstance(event, ResultKnown) and isinstance(event.result.outcome, Failed):
            self._failures += 1
            if self._failures > MOST_FAILURES:
                event = replace(event, result=replace(event.result, cost=FREE))
        self._watcher.notice(event)
