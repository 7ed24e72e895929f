"""The planner that asks for every point spares runs that would only repeat a count."""

from __future__ import annotations

from sonde.campaign.everything import Everything
from sonde.core.repeats import ENOUGH, STILL_REPEATED
from sonde.core.results import Measurement, Metric, Result, Sample
from tests.values import point

POINTS = [point(position) for position in range(100)]


def result(place, *counts: float) -> Result:
    samples = (Sample.of(at, {Metric.INSTRUCTIONS: count}, 0.0) for at, count in enumerate(counts))
    return Result(place, Measurement(tuple(samples)))


def played(planner: Everything, batch: int = 1) -> list[int]:
    """How many runs were asked for, point by point."""
    asked = []
    while planner.finished is None:
        for request in planner.ask(batch):
            asked.append(request.runs)
            for runs in range(1, request.runs + 1):
                planner.tell([result(request.point, *[1000.0] * runs)])
    return asked


def test_after_a_few_points_whose_runs_agree_most_are_run_once():
    asked = played(Everything(POINTS, {"pack": 2}))

    assert len(asked) == 100
    assert asked[:ENOUGH] == [2] * ENOUGH
    assert sum(asked[ENOUGH:]) == 96 + 96 // STILL_REPEATED


def test_a_large_first_batch_is_not_repeated_as_a_whole():
    asked = played(Everything(POINTS, {"pack": 2}), batch=16)

    assert len(asked) == 100
    assert sum(asked) == 100 + ENOUGH + 96 // STILL_REPEATED


def test_what_was_run_once_before_is_complete():
    planner = Everything(POINTS, {"pack": 2})
    repeated = [result(place, 5.0, 5.0) for place in POINTS[:ENOUGH]]

    planner.tell([*(result(place, 5.0) for place in POINTS[ENOUGH:]), *repeated])

    assert planner.finished == "every point is measured or has failed"


def test_once_runs_differ_all_further_points_are_repeated():
    planner = Everything(POINTS, {"pack": 2})
    planner.tell([result(place, 5.0, 5.0) for place in POINTS[:ENOUGH]])

    planner.tell([result(POINTS[ENOUGH], 5.0, 6.0)])

    assert {request.runs for request in planner.ask(100)} == {2}
