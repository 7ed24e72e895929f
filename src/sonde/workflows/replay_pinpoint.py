"""Playing a search for change points against recorded performance, or against an oracle."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from sonde.campaign.budget import LEAST_POINTS, Budget, Points, Runs, Seconds, Share, parse_budget
from sonde.campaign.drawn import DrawnExecutor
from sonde.campaign.loop import Campaign
from sonde.campaign.memory_store import MemoryStore
from sonde.campaign.nearest import NearestExecutor
from sonde.campaign.replay import ReplayExecutor
from sonde.core.errors import UsageError
from sonde.core.events import Event, Planned, Told, Warned
from sonde.core.options import Configuration
from sonde.core.pinpoints import PredictionWish, ReplayedPinpoints
from sonde.core.points import BenchmarkName, Point
from sonde.core.protocols import Executor, Watcher
from sonde.core.results import FREE, Failed, Metric
from sonde.core.revisions import RevisionId
from sonde.effects.oracles import Oracle
from sonde.effects.recordings.grid import ByName, RecordedGrid, read_grid
from sonde.effects.recordings.open_space import MODEL_FILE_NAME, OpenSpace, read_open_space
from sonde.methods.pinpointing.planner import Line, PinpointPlanner
from sonde.methods.pinpointing.search import World
from sonde.space.space import Space
from sonde.space.writing import read_values
from sonde.workflows.pinpoint_searches import (
    DEFAULT,
    ROAMING,
    SEARCHES,
    Searches,
    parse_threshold,
    search_named,
)
from sonde.workflows.predictions import check_at
from sonde.workflows.timed_planner import TimedPlanner

METRIC = Metric.WALL  # neither recordings nor oracles say; lower is better
MOST_FAILURES = 5  # that are told one by one; an oracle can fail a thousand times
BATCH = 256  # a run costs nothing, so that all wishes of a search are granted at once


@dataclass(frozen=True)
class PinpointReplay:
    """What `sonde replay pinpoint` is asked for, beside what it is played against."""

    planner: str = DEFAULT
    threshold: str = "5%"
    budget: str = ""  # empty: until the search ends by itself
    seed: int = 0
    influences: bool = False  # whether to fit a performance-influence model, too
    predict: tuple[str, ...] = ()  # configurations whose value it tells
    at: str = ""  # and at which revision; empty: the last one


@dataclass(frozen=True)
class RecordedWish:
    """A recording, one of its benchmarks, and what a repeated run gives."""

    folder: Path
    benchmark: str = ""  # empty: the only one
    draw_repeats: bool = False  # by the recorded relative deviation; else the recorded value again


def replay_recording(
    recorded: RecordedWish, wish: PinpointReplay, watcher: Watcher, searches: Searches = SEARCHES
) -> ReplayedPinpoints:
    """Play a search against a recording.

    It may ask for the configurations that are recorded, and for no others; a search that roams may ask for
    all that the feature model beside the recording allows, and gets the nearest recorded one.
    """
    _check(wish, searches)
    grid = read_grid(recorded.folder, recorded.benchmark, recorded.draw_repeats)
    if wish.planner in ROAMING:
        opened = read_open_space(recorded.folder, grid.configurations)
        for constraint in opened.refuted:
            message = f"recorded configurations break the constraint '{constraint}' of {MODEL_FILE_NAME}"
            watcher.notice(Warned(f"{message}, so it is left out."))
    else:
        opened = OpenSpace(grid.configurations.space(), grid.configurations.configurations)
    return _replay(_recorded_scene(grid, opened, wish.seed), wish, watcher, searches)


def replay_oracle(
    oracle: Oracle, wish: PinpointReplay, watcher: Watcher, searches: Searches = SEARCHES
) -> ReplayedPinpoints:
    """Play a search against an oracle, all of whose options can be combined."""
    number_of = {_revision_id(number): number for number in oracle.revisions}

    def draw(point: Point, rng: Random) -> float | Failed:
        return oracle.run(number_of[point.revision], point.configuration, rng)

    _check(wish, searches)
    executor = DrawnExecutor(draw, METRIC, wish.seed)
    scene = _Scene(oracle.name, oracle.name, oracle.revisions, Space(oracle.options), executor, None)
    return _replay(scene, wish, watcher, searches)


@dataclass(frozen=True)
class _Scene:
    """What a search is played against."""

    name: str
    benchmark: BenchmarkName
    revisions: tuple[int, ...]
    space: Space
    executor: Executor
    points: int | None  # None: nobody has counted them


def _recorded_scene(grid: RecordedGrid, opened: OpenSpace, seed: int) -> _Scene:
    benchmark = grid.benchmark or grid.name
    values = _by_point(grid.values, opened.configurations, benchmark)
    deviations = _by_point(grid.relative_deviations, opened.configurations, benchmark)
    recorded = ReplayExecutor(values, METRIC, deviations, seed)
    return _Scene(
        grid.name,
        benchmark,
        grid.revisions,
        opened.space,
        NearestExecutor(recorded, values),
        len(grid.revisions) * len(grid.values),
    )


def _by_point(
    numbers: ByName, configurations: Mapping[str, Configuration], benchmark: BenchmarkName
) -> dict[Point, float]:
    return {
        Point(_revision_id(revision), configurations[name], benchmark): number
        for name, by_revision in numbers.items()
        for revision, number in by_revision.items()
    }


def _revision_id(number: int) -> RevisionId:
    return RevisionId(str(number))


def _check(wish: PinpointReplay, searches: Searches) -> None:
    """Tell mistakes before anything is read."""
    search_named(wish.planner, searches)
    parse_threshold(wish.threshold)
    check_at(wish.predict, wish.at)
    if isinstance(parse_budget(wish.budget), Seconds):
        raise UsageError(
            f"a replay takes no time, so a budget of {wish.budget} says nothing. "
            "Write a number of runs (600), or a share of the points of a recording (5%)."
        )


def _replay(scene: _Scene, wish: PinpointReplay, watcher: Watcher, searches: Searches) -> ReplayedPinpoints:
    threshold, budget = parse_threshold(wish.threshold), _budget(wish.budget, scene)
    predicted = _predicted(scene, wish)
    steps = len(scene.revisions)
    world = World(steps, scene.space, lambda _: (0, steps), threshold, seed=wish.seed)
    revisions = tuple(map(_revision_id, scene.revisions))
    line = Line(scene.benchmark, METRIC, revisions, tuple(range(steps)))
    if isinstance(budget, Points | Runs):
        most = budget.points if isinstance(budget, Points) else budget.runs
        watcher.notice(Planned(most, is_limit=True))
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
        replace(found, ending=ending.reason),
        ending.spent.runs,
        timed.seconds,
    )


def _predicted(scene: _Scene, wish: PinpointReplay) -> tuple[PredictionWish, ...]:
    """What is to be predicted; nobody says which configurations are valid that are not recorded."""
    position = len(scene.revisions) - 1
    if wish.at:
        numbers = {str(number): position for position, number in enumerate(scene.revisions)}
        if wish.at not in numbers:
            raise UsageError(
                f"--at {wish.at}: {scene.name} has no such revision. "
                f"Write a number from {scene.revisions[0]} to {scene.revisions[-1]} that it has."
            )
        position = numbers[wish.at]
    space = scene.space
    return tuple(
        PredictionWish(
            text,
            Configuration.of({**space.default.chosen, **read_values(text, space.options)}),
            position,
        )
        for text in dict.fromkeys(wish.predict)
    )


def _budget(text: str, scene: _Scene) -> Budget:
    """The budget that a user wrote; a share is one of all points."""
    budget = parse_budget(text)
    if not isinstance(budget, Share):
        return budget
    if scene.points is None:
        raise UsageError(
            f"an oracle answers for every combination of its options, so a share of {text} says nothing. "
            "Write a number of runs (600)."
        )
    return Points(min(scene.points, max(LEAST_POINTS, round(budget.share * scene.points))))


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
