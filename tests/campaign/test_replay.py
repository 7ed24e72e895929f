from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sonde.campaign.replay import ReplayExecutor
from sonde.core.points import Request
from sonde.core.results import Measurement, Metric
from tests.values import point

POINTS = [point(position) for position in range(5)]


def values_of(executor, requests):
    taken = {}
    for observation in executor.execute(requests):
        outcome = observation.result.outcome
        assert isinstance(outcome, Measurement)
        taken[observation.result.point] = [sample.values[Metric.CPU] for sample in outcome.samples]
    return taken


def test_a_repeated_run_returns_the_recorded_value_and_is_marked():
    executor = ReplayExecutor({POINTS[0]: 3.0}, Metric.CPU)

    result = list(executor.execute([Request(POINTS[0], 3)]))[-1].result

    assert result is not None
    last = result.outcome
    assert isinstance(last, Measurement)
    assert [sample.values[Metric.CPU] for sample in last.samples] == [3.0, 3.0, 3.0]
    assert not last.is_repeatable


@given(order=st.permutations(POINTS), seed=st.integers(0, 100))
def test_the_same_seed_gives_the_same_draw_whatever_the_order(order, seed):
    recorded, deviations = dict.fromkeys(POINTS, 10.0), dict.fromkeys(POINTS, 0.2)
    first = ReplayExecutor(recorded, Metric.CPU, deviations, seed)
    second = ReplayExecutor(recorded, Metric.CPU, deviations, seed)

    straight = values_of(first, [Request(place, 3) for place in POINTS])
    shuffled = values_of(second, [Request(place, 3) for place in order])

    assert straight == shuffled
    assert len({value for values in straight.values() for value in values}) == 15
