"""A performance-influence model tells what each term contributes, and predicts what was not measured."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.core.options import Configuration, Option
from sonde.methods.pinpointing.influences.fitting import fit_influences
from sonde.methods.pinpointing.influences.observations import MeanObservation
from sonde.methods.pinpointing.influences.scope import TermScope, holds_in
from sonde.space.space import Space
from tests.methods.pinpointing.influences.made_system import (
    MadeSystem,
    drawn,
    made_switches,
    switches,
    term,
    term_change,
)

SOME = settings(max_examples=10, deadline=None)
STEPS = (0, 10, 30, 60, 99)
SEEDS = st.integers(0, 2**32 - 1)

# The running example of the paper, section 2: ENCRYPTION comes at commit 25, and three changes do.
DATABASE = MadeSystem(
    Space((Option("COMPR", (False, True), False), Option("ENCRYPT", (False, True), False))),
    {
        term(): 10.0,
        term(COMPR=True): 6.0,
        term(ENCRYPT=True): 8.0,
        term(COMPR=True, ENCRYPT=True): -3.0,
    },
    ((25, term(COMPR=True), 2.0), (50, term(COMPR=True, ENCRYPT=True), 2.5), (80, term(), -4.0)),
)


def mean_error(predicted, system, configurations, steps):
    errors = [
        abs(predicted(each, step) / system.value(each, step) - 1) for each in configurations for step in steps
    ]
    return float(np.mean(errors))


def assert_phases(model, of, expected):
    assert dict(model.influence(of)) == pytest.approx(expected, abs=1e-6)


@SOME
@given(seed=SEEDS)
def test_without_noise_it_recovers_the_system(seed):
    system = made_switches(8, seed)
    measured = drawn(system.space, 100, np.random.default_rng(seed))

    model = fit_influences(system.space, system.observe(measured, STEPS), system.changes())

    for each, height in system.influences.items():
        assert model.at(0)[TermScope(each)] == pytest.approx(height, abs=1e-6)
    for step, each, height in system.added:
        phases = dict(model.influence(each))
        before = system.influences[each]
        assert phases[step] == pytest.approx(before + height, abs=1e-6)
    others = [each for each in model.scopes if each.term not in system.influences]
    assert all(abs(height) < 1e-6 for each in others for _, height in model.influences[each])
    assert model.relative_error == pytest.approx(0.0, abs=1e-6)


@SOME
@given(seed=SEEDS)
def test_with_noise_it_is_near_least_squares_with_the_true_terms(seed):
    rng = np.random.default_rng(seed)
    system = made_switches(6, seed)
    observations = system.observe(drawn(system.space, 150, rng), STEPS, 0.01, rng)
    columns = [*((each, 0) for each in system.influences), *((each, step) for step, each, _ in system.added)]
    rows = np.array(
        [
            [
                one.step >= since and all(holds_in(literal, one.configuration) for literal in each)
                for each, since in columns
            ]
            for one in observations
        ],
        dtype=float,
    )
    values = np.array([one.value for one in observations])
    slow = np.linalg.lstsq(rows / values[:, np.newaxis], np.ones(len(values)), rcond=None)[0]

    model = fit_influences(system.space, observations, system.changes(), noise=0.01)

    fast = [model.predict(one.configuration, one.step) for one in observations]
    np.testing.assert_allclose(fast, rows @ slow, rtol=0.01)


@SOME
@given(seed=SEEDS)
def test_it_predicts_better_than_the_nearest_neighbour(seed):
    rng = np.random.default_rng(seed)
    system = made_switches(16, seed)
    observations = system.observe(drawn(system.space, 60, rng), STEPS, 0.03, rng)
    unmeasured = drawn(system.space, 50, rng)

    def nearest(configuration, step):
        def distance(one):
            chosen = one.configuration.chosen
            return sum(chosen[name] != value for name, value in configuration.values), abs(one.step - step)

        return min(observations, key=distance).value

    model = fit_influences(system.space, observations, system.changes(), noise=0.03)

    error = mean_error(model.predict, system, unmeasured, (5, 40))
    assert error < 0.5 * mean_error(nearest, system, unmeasured, (5, 40))
    assert model.relative_error is not None
    assert model.relative_error < 0.15


def test_the_papers_example_is_recovered_though_an_option_comes_in_mid_history():
    every = list(DATABASE.space.configurations())
    without = [each for each in every if not each["ENCRYPT"]]
    observations = DATABASE.observe(without, range(0, 25, 4)) + DATABASE.observe(every, range(25, 100, 4))

    model = fit_influences(DATABASE.space, observations, DATABASE.changes())

    assert model.at(0)[TermScope(term())] == pytest.approx(10.0)
    assert model.at(24)[TermScope(term(COMPR=True))] == pytest.approx(6.0)
    assert model.at(25)[TermScope(term(COMPR=True))] == pytest.approx(8.0)
    assert_phases(model, term(COMPR=True, ENCRYPT=True), {0: -3.0, 50: -0.5})
    assert model.predict(every[-1], 99) == pytest.approx(DATABASE.value(every[-1], 99))


def test_of_alternatives_and_levels_the_default_is_part_of_the_core():
    space = Space(
        (
            Option("method", ("gzip", "lzo", "zpaq"), "gzip"),
            Option("level", (1, 6, 9), 6),
            Option("check", (False, True), False),
        )
    )
    system = MadeSystem(
        space,
        {term(): 5.0, term(method="lzo"): -2.0, term(method="zpaq"): 9.0, term(level=9): 3.0},
        ((10, term(method="zpaq", level=9), 4.0),),
    )

    model = fit_influences(space, system.observe(space.configurations(), range(0, 20, 3)), system.changes())

    assert model.at(0)[TermScope(term())] == pytest.approx(5.0)
    assert_phases(model, term(method="zpaq", level=9), {0: 0.0, 10: 4.0})
    assert not {term(method="gzip"), term(level=6)} & {each.term for each in model.scopes}
    for each in space.configurations():
        assert model.predict(each, 15) == pytest.approx(system.value(each, 15))


def test_a_change_that_shows_only_where_an_option_is_off_has_its_own_term():
    space = Space(switches(3))
    system = MadeSystem(space, {term(): 5.0, term(o0=True): 2.0}, ((10, term(o1=False), 3.0),))

    model = fit_influences(space, system.observe(space.configurations(), range(20)), system.changes())

    assert_phases(model, term(o1=False), {0: 0.0, 10: 3.0})
    for each in space.configurations():
        assert model.predict(each, 19) == pytest.approx(system.value(each, 19))


def test_a_change_with_exceptions_leaves_them_as_they_were():
    space = Space((Option("level", (1, 6, 9), 6), Option("check", (False, True), False)))
    change = term_change(term(), 10, space.default, term(level=9))

    def value(configuration, step):
        added = 0.5 if step >= 10 and configuration["level"] != 9 else 0.0
        return 1.0 + 0.25 * (configuration["level"] == 9) + 0.5 * configuration["check"] + added

    observations = [
        MeanObservation(step, each, value(each, step))
        for each in space.configurations()
        for step in range(0, 20, 3)
    ]

    model = fit_influences(space, observations, [change])

    for each in space.configurations():
        for step in (0, 9, 10, 19):
            assert model.predict(each, step) == pytest.approx(value(each, step))
    assert_phases(model, term(), {0: 1.0})
    assert dict(model.influence(term(), term(level=9))) == pytest.approx({0: 0.0, 10: 0.5}, abs=1e-6)


def test_exceptions_that_hold_together_count_once():
    space = Space(switches(3))
    change = term_change(term(o0=True), 10, space.default, term(o1=True, o2=True))

    def value(configuration, step):
        is_slower = configuration["o0"] and not (configuration["o1"] or configuration["o2"])
        return 5.0 + 3.0 * (step >= 10 and is_slower)

    observations = [
        MeanObservation(step, each, value(each, step))
        for each in space.configurations()
        for step in range(20)
    ]

    model = fit_influences(space, observations, [change])

    for each in space.configurations():
        assert model.predict(each, 19) == pytest.approx(value(each, 19))


def test_switches_of_which_exactly_one_is_on_do_no_harm():
    """As a recording writes levels: the sum of their columns is the core."""
    space = Space.of(switches(4), ["exactly one of o0, o1, o2"])
    system = MadeSystem(space, {term(): 5.0, term(o1=True): 2.0, term(o2=True): 7.0, term(o3=True): 1.0})

    model = fit_influences(space, system.observe(space.configurations(), (0,)))

    for each in space.configurations():
        assert model.predict(each, 0) == pytest.approx(system.value(each, 0), rel=1e-3)


def test_an_interaction_of_three_options_is_found():
    space = Space(switches(6))
    system = MadeSystem(space, {term(): 5.0, term(o0=True): 2.0, term(o1=True, o2=True, o3=True): 4.0})

    model = fit_influences(space, system.observe(space.configurations(), (0,)))

    assert model.at(0)[TermScope(term(o1=True, o2=True, o3=True))] == pytest.approx(4.0)


@SOME
@given(seed=SEEDS)
def test_the_unit_does_not_matter(seed):
    rng = np.random.default_rng(seed)
    system = made_switches(8, seed)
    observations = system.observe(drawn(system.space, 30, rng), STEPS, 0.03, rng)
    larger = [MeanObservation(one.step, one.configuration, 1024 * one.value) for one in observations]
    configuration = drawn(system.space, 1, rng)[0]

    first = fit_influences(system.space, observations, system.changes())
    second = fit_influences(system.space, larger, system.changes())

    assert second.predict(configuration, 60) == pytest.approx(
        1024 * first.predict(configuration, 60), rel=1e-6
    )


def test_runs_are_weights_and_errors_are_relative():
    only = Space(switches(1)).default
    observations = [MeanObservation(0, only, 10.0, runs=3), MeanObservation(1, only, 14.0)]

    model = fit_influences(Space(switches(1)), observations)

    weights = np.array([3 / 10**2, 1 / 14**2])
    assert model.predict(only, 0) == pytest.approx(float(weights @ [10, 14] / weights.sum()))


def test_one_configuration_has_only_a_core():
    space = Space(switches(3))
    only = space.default
    observations = [MeanObservation(step, only, 4.0 if step < 5 else 6.0) for step in range(10)]

    model = fit_influences(space, observations, [term_change(term(), 5, only)])

    assert model.relative_error is None
    assert_phases(model, term(), {0: 4.0, 5: 6.0})
    assert model.predict(Configuration.of({"o0": True, "o1": True, "o2": True}), 9) == pytest.approx(6.0)


def test_one_observation_is_the_core():
    space = Space(switches(3))

    model = fit_influences(space, [MeanObservation(3, space.default, 2.5)])

    assert model.scopes == (TermScope(term()),)
    assert model.predict(space.default, 0) == pytest.approx(2.5)


def test_equal_values_leave_nothing_to_tell():
    space = Space(switches(5))
    observations = [MeanObservation(0, each, 7.0) for each in space.configurations()]

    model = fit_influences(space, observations, [term_change(term(o1=True), 0, space.default)])

    assert all(model.predict(each, 0) == pytest.approx(7.0) for each in space.configurations())
    assert model.relative_error == pytest.approx(0.0, abs=1e-6)


def test_a_change_that_nothing_was_measured_beyond_has_no_height():
    space = Space(switches(2))
    observations = [MeanObservation(0, each, 7.0) for each in space.configurations()]

    model = fit_influences(space, observations, [term_change(term(o1=True), 50, space.default)])

    assert model.predict(space.default, 99) == pytest.approx(7.0)


@SOME
@given(seed=SEEDS, number=st.integers(2, 8))
def test_fewer_observations_than_terms_still_give_positive_predictions(seed, number):
    rng = np.random.default_rng(seed)
    system = made_switches(40, seed)
    observations = system.observe(drawn(system.space, number, rng), (0, 60), 0.03, rng)

    model = fit_influences(system.space, observations, system.changes())

    values = [one.value for one in observations]
    for each in drawn(system.space, 20, rng):
        assert 0.5 * min(values) <= model.predict(each, 99) < 10 * max(values)


def test_nothing_measured_is_a_mistake_of_the_caller():
    with pytest.raises(ValueError) as raised:
        fit_influences(Space(switches(1)), [])

    assert str(raised.value) == "There are no measurements to fit. Measure a point first."


@pytest.mark.parametrize(
    ("value", "runs", "message"),
    [
        (0.0, 1, "The value 0.0 at step 3 is not a positive number. Remove it."),
        (float("nan"), 1, "The value nan at step 3 is not a positive number. Remove it."),
        (1.0, 0, "There are 0 runs at step 3, but one is the least."),
    ],
)
def test_an_observation_is_a_positive_number(value, runs, message):
    with pytest.raises(ValueError) as raised:
        MeanObservation(3, Configuration(()), value, runs)

    assert str(raised.value) == message
