"""What every executor promises; the local one is held to it under tests/real."""

from __future__ import annotations

import pytest

from sonde.campaign.replay import ReplayExecutor
from sonde.core.points import Request
from sonde.core.results import Metric
from tests.conformance.executors import (
    a_closed_execution_can_be_followed_by_another,
    a_failing_point_does_not_stop_the_others,
    a_repeated_request_costs_nothing,
    more_runs_are_added_to_those_known,
    results_hold_all_samples_in_the_end,
)
from tests.values import point

GOOD = [point(position) for position in range(3)]
BAD = point(99)
RECORDED = {place: float(position + 1) for position, place in enumerate(GOOD)}

executors = pytest.mark.parametrize(
    "make",
    [
        lambda: ReplayExecutor(RECORDED, Metric.CPU),
        lambda: ReplayExecutor(RECORDED, Metric.CPU, dict.fromkeys(GOOD, 0.1), seed=3),
    ],
    ids=["replay", "replay with deviations"],
)


@executors
def test_results_hold_all_samples_in_the_end(make):
    results_hold_all_samples_in_the_end(make(), [Request(place, 2) for place in GOOD])


@executors
def test_a_failing_point_does_not_stop_the_others(make):
    a_failing_point_does_not_stop_the_others(make(), Request(BAD, 2), [Request(place, 2) for place in GOOD])


@executors
def test_a_repeated_request_costs_nothing(make):
    a_repeated_request_costs_nothing(make(), [Request(place, 2) for place in GOOD])


@executors
def test_more_runs_are_added_to_those_known(make):
    more_runs_are_added_to_those_known(make(), GOOD[0])


@executors
def test_a_closed_execution_can_be_followed_by_another(make):
    a_closed_execution_can_be_followed_by_another(make(), [Request(place, 2) for place in GOOD])
