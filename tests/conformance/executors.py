"""The promises of an executor, as checks that any executor can be given to."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sonde.core.points import Point, Request
from sonde.core.protocols import Executor
from sonde.core.records import Observation, Record
from sonde.core.results import Failed, Measurement, Result

Keep = Callable[..., None]


def _forget(*_: Record) -> None:
    """What an executor without a store behind it needs."""


def last_results(
    executor: Executor, requests: Sequence[Request], keep: Keep = _forget
) -> dict[Point, list[Result]]:
    """All results, a point, in the order in which they came; records are kept as they come."""
    results: dict[Point, list[Result]] = {}
    for observation in executor.execute(requests):
        assert isinstance(observation, Observation)
        keep(*observation.records)
        if observation.result is not None:
            results.setdefault(observation.result.point, []).append(observation.result)
    return results


def results_hold_all_samples_in_the_end(
    executor: Executor, requests: Sequence[Request], keep: Keep = _forget
) -> None:
    results = last_results(executor, requests, keep)

    assert results.keys() == {request.point for request in requests}
    for request in requests:
        outcome = results[request.point][-1].outcome
        assert isinstance(outcome, Measurement)
        assert [sample.number for sample in outcome.samples] == list(range(request.runs))
        assert all(sample.values for sample in outcome.samples)


def a_failing_point_does_not_stop_the_others(
    executor: Executor, bad: Request, good: Sequence[Request], keep: Keep = _forget
) -> None:
    results = last_results(executor, [bad, *good], keep)

    failure = results[bad.point][-1].outcome
    assert isinstance(failure, Failed)
    assert failure.reason
    assert all(isinstance(results[request.point][-1].outcome, Measurement) for request in good)


def a_repeated_request_costs_nothing(
    executor: Executor, requests: Sequence[Request], keep: Keep = _forget
) -> None:
    first = last_results(executor, requests, keep)
    second = last_results(executor, requests, keep)

    assert sum(result.cost.runs for results in first.values() for result in results) > 0
    assert sum(result.cost.runs for results in second.values() for result in results) == 0
    for request in requests:
        before, after = first[request.point][-1].outcome, second[request.point][-1].outcome
        assert isinstance(before, Measurement)
        assert isinstance(after, Measurement)
        assert before.samples == after.samples


def more_runs_are_added_to_those_known(executor: Executor, place: Point, keep: Keep = _forget) -> None:
    few = last_results(executor, [Request(place, 1)], keep)[place][-1].outcome
    more = last_results(executor, [Request(place, 3)], keep)[place]

    assert isinstance(few, Measurement)
    assert isinstance(more[-1].outcome, Measurement)
    assert more[-1].outcome.samples[:1] == few.samples
    assert [sample.number for sample in more[-1].outcome.samples] == [0, 1, 2]
    assert sum(result.cost.runs for result in more) == 2


def a_closed_execution_can_be_followed_by_another(
    executor: Executor, requests: Sequence[Request], keep: Keep = _forget
) -> None:
    execution = executor.execute(requests)
    keep(*next(execution).records)
    execution.close()

    results_hold_all_samples_in_the_end(executor, requests, keep)
