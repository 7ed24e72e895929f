"""From the words of a user to what a replay of a search is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sonde.campaign.budget import LEAST_POINTS, Budget, Points, Seconds, Share, parse_budget
from sonde.core.errors import UsageError
from sonde.core.findings.pinpoints import PredictionRequest
from sonde.core.options import Configuration
from sonde.space.writing import read_values
from sonde.workflows.pinpoint.predictions import check_at
from sonde.workflows.pinpoint.searches import DEFAULT, Searches, search_named
from sonde.workflows.replay.scenes import ReplayTarget
from sonde.workflows.thresholds import parse_threshold


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
class RecordedRequest:
    """A recording, one of its benchmarks, and what a repeated run gives."""

    folder: Path
    benchmark: str = ""  # empty: the only one
    draw_repeats: bool = False  # by the recorded relative deviation; else the recorded value again


def check(request: PinpointReplay, searches: Searches) -> None:
    """Tell mistakes before anything is read."""
    search_named(request.planner, searches)
    parse_threshold(request.threshold)
    check_at(request.predict, request.at)
    if isinstance(parse_budget(request.budget), Seconds):
        raise UsageError(
            f"a replay takes no time, so it cannot have a budget of {request.budget}. Write a "
            "number of runs (600), or a share of the points of a recording (5%)."
        )


def predictions_of(scene: ReplayTarget, request: PinpointReplay) -> tuple[PredictionRequest, ...]:
    """What is to be predicted; nobody says which configurations are valid that are not recorded."""
    position = len(scene.revisions) - 1
    if request.at:
        numbers = {str(number): position for position, number in enumerate(scene.revisions)}
        if request.at not in numbers:
            raise UsageError(
                f"--at {request.at}: {scene.name} has no such revision. "
                f"Write a number from {scene.revisions[0]} to {scene.revisions[-1]} that it has."
            )
        position = numbers[request.at]
    space = scene.space
    return tuple(
        PredictionRequest(
            text,
            Configuration.of({**space.default.chosen, **read_values(text, space.options)}),
            position,
        )
        for text in dict.fromkeys(request.predict)
    )


def budget_of(text: str, scene: ReplayTarget) -> Budget:
    """The budget that a user wrote; a share is one of all points."""
    budget = parse_budget(text)
    if not isinstance(budget, Share):
        return budget
    if scene.points is None:
        raise UsageError(
            f"an oracle answers for every combination of its options, so a budget of {text} has no "
            "meaning. Write a number of runs (600)."
        )
    return Points(min(scene.points, max(LEAST_POINTS, round(budget.share * scene.points))))
