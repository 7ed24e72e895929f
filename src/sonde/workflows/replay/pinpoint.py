"""Playing a search for change points against recorded performance, or against an oracle."""

from __future__ import annotations

import time
from dataclasses import replace

from sonde.campaign.budget import Budget, Points, Runs
from sonde.campaign.loop import Campaign
from sonde.campaign.memory_store import MemoryStore
from sonde.core.events import Event, Limited, Planned, Told, Warned
from sonde.core.findings.pinpoints import ReplayedPinpoints
from sonde.core.protocols import Watcher
from sonde.core.results import FREE, Failed
from sonde.effects.oracles import Oracle
from sonde.effects.recordings.grid import read_grid
from sonde.effects.recordings.open_space import MODEL_FILE_NAME, OpenSpace, read_open_space
from sonde.methods.pinpointing.line import Line
from sonde.methods.pinpointing.planner import PinpointPlanner
from sonde.methods.pinpointing.search import World
from sonde.workflows.pinpoint.endings import with_ending
from sonde.workflows.pinpoint.searches import ROAMING, SEARCHES, Searches, search_named
from sonde.workflows.replay.request import PinpointReplay, RecordedWish, budget_of, check, predictions_of
from sonde.workflows.replay.scenes import METRIC, Scene, oracle_scene, recorded_scene, revision_id
from sonde.workflows.replay.timed_planner import TimedPlanner
from sonde.workflows.thresholds import parse_threshold

__all__ = ["PinpointReplay", "RecordedWish", "replay_oracle", "replay_recording"]

MOST_FAILURES = 5  # that are told one by one; an oracle can fail a thousand times
BATCH = 256  # a run costs nothing, so that all wishes of a search are granted at once


def replay_recording(
    recorded: RecordedWish, wish: PinpointReplay, watcher: Watcher, searches: Searches = SEARCHES
) -> ReplayedPinpoints:
    """Play a search against a recording.

    It may ask for the configurations that are recorded, and for no others; a search that roams may ask for
    all that the feature model beside the recording allows, and gets the nearest recorded one.
    """
    check(wish, searches)
    grid = read_grid(recorded.folder, recorded.benchmark, recorded.draw_repeats)
    if wish.planner in ROAMING:
        opened = read_open_space(recorded.folder, grid.configurations)
        for constraint in opened.refuted:
            message = f"recorded configurations break the constraint '{constraint}' of {MODEL_FILE_NAME}"
            watcher.notice(Warned(f"{message}, so it is left out."))
    else:
        opened = OpenSpace(grid.configurations.space(), grid.configurations.configurations)
    return _replay(recorded_scene(grid, opened, wish.seed), wish, watcher, searches)


def replay_oracle(
    oracle: Oracle, wish: PinpointReplay, watcher: Watcher, searches: Searches = SEARCHES
) -> ReplayedPinpoints:
    """Play a search against an oracle, all of whose options can be combined."""
    check(wish, searches)
    return _replay(oracle_scene(oracle, wish.seed), wish, watcher, searches)


def _replay(scene: Scene, wish: PinpointReplay, watcher: Watcher, searches: Searches) -> ReplayedPinpoints:
    threshold, budget = parse_threshold(wish.threshold), budget_of(wish.budget, scene)
    predicted = predictions_of(scene, wish)
    steps = len(scene.revisions)
    world = World(
        steps,
        scene.space,
        lambda _: (0, steps),
        threshold,
        noise_floor=scene.noise_floor,
        seed=wish.seed,
        most_points=_most_points(budget),
    )
    revisions = tuple(map(revision_id, scene.revisions))
    line = Line(scene.benchmark, METRIC, revisions, tuple(range(steps)))
    if isinstance(budget, Points):
        watcher.notice(Planned(budget.points, is_limit=True))
    elif isinstance(budget, Runs):
        watcher.notice(Limited(budget.runs))
    search = search_named(wish.planner, searches)
    timed = TimedPlanner(lambda: PinpointPlanner(line, world, search))
    patient = _Patient(watcher)
    campaign = Campaign(scene.executor, MemoryStore(), budget, steps, time.monotonic, patient, BATCH)
    ending = campaign.run(timed)
    found = timed.clocked(timed.planner.pinpointed)
    if wish.influences or predicted:  # the fit is no part of the planning, so its time is not the planner's
        found = replace(found, influences=timed.planner.influences(predicted))
    return ReplayedPinpoints(
        scene.name,
        wish.planner,
        threshold,
        scene.revisions,
        with_ending(found, ending),
        ending.spent.runs,
        timed.seconds,
    )


def _most_points(budget: Budget) -> int | None:
    match budget:
        case Points(most) | Runs(most):
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
        if isinstance(event, Told) and isinstance(event.result.outcome, Failed):
            self._failures += 1
            if self._failures > MOST_FAILURES:
                event = replace(event, result=replace(event.result, cost=FREE))
        self._watcher.notice(event)
