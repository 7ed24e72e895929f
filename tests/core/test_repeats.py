"""Counts that repeats have shown to agree need no further runs, but for one point in ten."""

import pytest

from sonde.core.repeats import ENOUGH, STILL_REPEATED, Repeats
from sonde.core.results import Failed, Measurement, Metric, Sample, Stage


def measured(*counts: float, metric: Metric = Metric.INSTRUCTIONS, **further: float) -> Measurement:
    others = {Metric(name): value for name, value in further.items()}
    return Measurement(
        tuple(Sample.of(at, {metric: count, **others}, 0.0) for at, count in enumerate(counts))
    )


def heard(*outcomes: Measurement | Failed) -> Repeats:
    repeats = Repeats()
    for point, outcome in enumerate(outcomes):
        repeats.hear(point, outcome)
    return repeats


AGREEING = [measured(1000.0 + at, 1000.0 + at) for at in range(ENOUGH)]


def test_points_are_repeated_until_enough_of_them_agree():
    assert heard(*AGREEING[1:]).runs(2) == 2
    assert heard(*AGREEING).runs(2) == 1


def test_one_point_in_so_many_is_still_repeated():
    repeats = heard(*AGREEING)

    asked = [repeats.runs(2) for _ in range(3 * STILL_REPEATED)]

    assert asked.count(2) == 3


@pytest.mark.parametrize(
    "other",
    [
        measured(1000.0, 1001.0),
        measured(1000.0, 1000.0, 1000.0, 1001.0),
    ],
)
def test_one_point_that_differs_is_enough_to_repeat_all(other):
    assert heard(*AGREEING, other).runs(2) == 2


@pytest.mark.parametrize(
    "others",
    [
        [measured(1000.0)] * 9,
        [Failed(Stage.RUN, "it fails")] * 9,
        [measured(1.5, 1.5, metric=Metric.CPU)] * 9,
        [measured(1000.0, 1000.0, wall=0.5)] * 9,  # a counter of the processor
        [Measurement(())] * 9,
    ],
)
def test_what_is_not_simulated_or_not_repeated_says_nothing(others):
    assert heard(*others).runs(2) == 2


def test_the_same_point_counts_once():
    repeats = Repeats()
    for _ in range(9):
        repeats.hear("point", AGREEING[0])

    assert repeats.runs(2) == 2


def test_who_asks_for_more_runs_gets_them():
    assert heard(*AGREEING).runs(5) == 5
    assert heard(*AGREEING).runs(1) == 1


def test_no_more_points_are_asked_for_at_once_than_decide_about_further_runs():
    undecided = heard(*AGREEING[1:])

    assert undecided.may_ask(pending=0, usual=2)
    assert not undecided.may_ask(pending=1, usual=2)


@pytest.mark.parametrize("others", [AGREEING, [measured(1.0, 2.0)], [measured(1.5, metric=Metric.CPU)]])
def test_once_it_is_decided_any_number_may_be_asked_for(others):
    assert heard(*others).may_ask(pending=99, usual=2)


def test_who_wants_one_run_or_many_has_nothing_to_wait_for():
    assert heard().may_ask(pending=99, usual=1)
    assert heard().may_ask(pending=99, usual=5)
