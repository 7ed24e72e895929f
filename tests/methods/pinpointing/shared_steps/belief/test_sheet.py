"""What was measured, and how noisy it is."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sonde.methods.pinpointing.search import DemandResult
from sonde.methods.pinpointing.shared_steps.belief.sheet import NOISE_UNKNOWN, Sheet
from sonde.methods.pinpointing.shared_steps.belief.table import SPIKE_WEIGHT, Readings, without_spikes
from tests.methods.pinpointing.shared_steps.made_sheets import (
    ALPHABET,
    CONFIGURATIONS,
    LOWEST,
    STEPS,
    MadeSheet,
    failing,
    some_sheets,
)

FIRST, SECOND = CONFIGURATIONS[0], CONFIGURATIONS[1]


def new_sheet(*answers: DemandResult, floor: float = 0.0) -> Sheet:
    sheet = Sheet(ALPHABET, LOWEST, STEPS, floor)
    sheet.hear(answers)
    return sheet


def row(configuration):
    return ALPHABET.row(configuration)


@given(made=some_sheets())
def test_repeats_tell_the_noise_of_a_run(made):
    sheet = made.sheet()

    assert sheet.repeat_deviation == pytest.approx(made.repeat_deviation, abs=1e-12)
    assert sheet.point_deviation == made.floor
    noise = (made.repeat_deviation**2 + made.floor**2) ** 0.5
    assert sheet.deviation == pytest.approx(max(NOISE_UNKNOWN, noise))


@given(made=some_sheets(is_repeatable=False))
def test_neighbours_tell_the_noise_where_nothing_can_be_repeated(made):
    assert made.sheet().point_deviation == pytest.approx(made.point_deviation)


@given(made=some_sheets())
def test_a_table_weighs_each_point_by_its_variance(made):
    table = made.table()

    for line, (_, course) in enumerate(made.courses):
        for column, step in enumerate(made.steps):
            runs = course.get(step, ())
            weight = table.weights[line, column + 1] - table.weights[line, column]
            expected = 1 / made.variance(len(runs)) if runs else 0.0
            assert weight == pytest.approx(expected, rel=1e-6, abs=1e-6 * table.weights[line, -1])
            assert table.points[line, column + 1] - table.points[line, column] == bool(runs)
            assert table.counts[line, column + 1] - table.counts[line, column] == len(runs)


@given(made=some_sheets())
def test_the_level_of_a_line_is_its_typical_value(made):
    table = made.table()

    for line, (_, course) in enumerate(made.courses):
        means = [sum(values) / len(values) for values in course.values()]
        assert log(table.level[line]) == pytest.approx(sum(means) / len(means), abs=1e-9)


@given(made=some_sheets())
def test_the_best_level_is_the_lowest_of_the_configurations_that_are_part_of_one(made):
    table = made.table()
    lowest = ALPHABET.configuration(LOWEST)

    def further(configuration):
        return {literal for literal in configuration if literal.value != lowest[literal.option]}

    for line, (configuration, _) in enumerate(made.courses):
        parts = [
            float(table.level[other])
            for other, (each, _) in enumerate(made.courses)
            if further(each) <= further(configuration)
        ]
        assert table.best_level[line] == pytest.approx(min(parts))


def test_a_configuration_that_was_not_measured_has_the_highest_level():
    sheet = new_sheet(
        DemandResult(0, FIRST, (2.0,)), DemandResult(0, SECOND, (3.0,)), failing(0, CONFIGURATIONS[2])
    )

    assert sheet.table().level.tolist() == pytest.approx([2.0, 3.0, 3.0])


@given(made=some_sheets(), data=st.data())
def test_the_order_of_hearing_does_not_matter(made, data):
    answers = [
        DemandResult(step, configuration, tuple(exp(value) for value in values))
        for configuration, course in made.courses
        for step, values in course.items()
    ]
    one, other = new_sheet(*answers), new_sheet(*data.draw(st.permutations(answers)))

    for configuration, _ in made.courses:
        mine, its = one.line(row(configuration)), other.line(row(configuration))
        assert one.measured(mine) == other.measured(its)
        assert one.table().weights[mine] == pytest.approx(other.table().weights[its])


def test_more_runs_replace_fewer():
    sheet = new_sheet(DemandResult(3, FIRST, (1.0,)), DemandResult(3, FIRST, (1.0, 2.0, 4.0)))

    assert sheet.runs(row(FIRST), 3) == 3
    assert sheet.runs(row(FIRST), 4) == sheet.runs(row(SECOND), 3) == 0
    assert sheet.repeat_deviation == pytest.approx(log(2))


def test_a_point_that_fails_is_closed_and_others_are_not():
    sheet = new_sheet(failing(3, FIRST))

    assert not sheet.is_open(row(FIRST), 3)
    assert sheet.is_open(row(FIRST), 4)
    assert sheet.is_open(row(SECOND), 3)
    assert not sheet.has_values()


def test_a_revision_that_does_not_build_is_closed_to_all():
    sheet = new_sheet(failing(3, FIRST, is_whole=True))

    assert not any(sheet.is_open(row(each), 3) for each in CONFIGURATIONS)
    assert all(sheet.is_open(row(each), 2) for each in CONFIGURATIONS)


def test_a_configuration_is_hopeless_after_three_failures_and_no_success():
    sheet = new_sheet(failing(1, FIRST), failing(2, FIRST), *(failing(step, SECOND) for step in range(4)))
    assert not sheet.is_hopeless(row(FIRST))

    sheet.hear([failing(3, FIRST), DemandResult(5, SECOND, (1.0,))])

    assert sheet.is_hopeless(row(FIRST))
    assert not sheet.is_hopeless(row(SECOND))
    assert not sheet.is_hopeless(row(CONFIGURATIONS[2]))


def test_what_one_answer_cannot_repeat_nothing_can():
    sheet = new_sheet(DemandResult(0, FIRST, (1.0,)), DemandResult(1, FIRST, (1.0,), is_repeatable=False))

    assert not sheet.is_repeatable


@given(made=some_sheets(is_repeatable=False))
@example(made=MadeSheet(((FIRST, {0: (0.01,), 1: (0.06,), 2: (0.0,)}),), 0.01, is_repeatable=False))
def test_a_spike_hardly_counts(made):
    """One whose neighbours, four steps apart at the most, agree with each other and not with it.

    On the very limit, as 0.01 and 0.06 with a deviation of 0.01 are, it may count or not.
    """
    table, deviation = made.table(), made.sheet().deviation
    columns = {step: column for column, step in enumerate(made.steps)}

    for line, (_, course) in enumerate(made.courses):
        steps = sorted(course)
        for place, step in enumerate(steps):
            is_spike = is_on_the_limit = False
            if 0 < place < len(steps) - 1:
                left, right = steps[place - 1], steps[place + 1]
                before, here, after = course[left][0], course[step][0], course[right][0]
                beyond = [
                    3 * deviation - abs(before - after),
                    abs(here - before) - 5 * deviation,
                    abs(here - after) - 5 * deviation,
                ]
                is_spike = right - left <= 4 and all(each > 0 for each in beyond)
                is_on_the_limit = any(abs(each) < 1e-9 for each in beyond)
            weight = table.weights[line, columns[step] + 1] - table.weights[line, columns[step]]
            expected = [
                (SPIKE_WEIGHT if each else 1.0) / made.variance(1) for each in (is_spike, not is_spike)
            ]
            assert weight == pytest.approx(expected[0], rel=1e-5) or (
                is_on_the_limit and weight == pytest.approx(expected[1], rel=1e-5)
            )


@given(
    sizes=st.lists(st.integers(0, 14), min_size=1, max_size=7),
    gaps=st.lists(st.integers(1, 4), min_size=7, max_size=7),
)
def test_a_spike_is_one_that_close_neighbours_contradict(sizes, gaps):
    means = [0.5 * size for size in sizes]  # in deviations
    steps = [sum(gaps[:place]) for place in range(len(means))]
    count = len(means)
    zeros, ones = np.zeros(count, dtype=np.int64), np.ones(count, dtype=np.int64)
    order = np.random.default_rng(count).permutation(count)  # of hearing
    readings = Readings(
        LOWEST[None], zeros, np.array(steps)[order], ones, np.array(means)[order], np.ones(count)
    )

    found = without_spikes(readings, 1.0).weight

    for place in range(count):
        is_spike = 0 < place < count - 1 and (
            steps[place + 1] - steps[place - 1] <= 4
            and abs(means[place + 1] - means[place - 1]) < 3
            and abs(means[place] - means[place - 1]) > 5
            and abs(means[place] - means[place + 1]) > 5
        )
        assert found[order.tolist().index(place)] == (SPIKE_WEIGHT if is_spike else 1.0)


def test_a_spike_in_a_recording_moves_no_level():
    quiet = {step: (0.001 * (step % 3),) for step in range(STEPS)}
    spiked = {**quiet, 5: (0.8,)}
    tables = [
        MadeSheet(((FIRST, course),), floor=0.01, is_repeatable=False).table() for course in (quiet, spiked)
    ]

    levels = [np.ptp(table.totals[0] / np.maximum(table.weights[0], 1e-9)) for table in tables]
    means = [(table.totals[0, -1] / table.weights[0, -1]) + log(float(table.level[0])) for table in tables]
    assert means[0] == pytest.approx(means[1], abs=1e-3)
    assert levels[0] < 0.01
