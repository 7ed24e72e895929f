"""A change that shows in some set-ups only is told from one that noise blurs."""

from __future__ import annotations

from math import exp, log, log1p

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.core.findings.comparisons import Verdict
from sonde.core.results import Metric
from sonde.methods.comparison.comparing import Comparing
from sonde.methods.comparison.modes import modes_of
from sonde.methods.comparison.rules import ComparisonRules
from tests.methods.comparison.noises import bursts, first_is_slower, heavy, normal, pairs_of, states

THRESHOLD = 0.05
LIMIT = log1p(THRESHOLD)


def uniform(rng, size, noise):
    return rng.uniform(-noise, noise, (size, 2))


def lopsided(rng, size, noise):
    """One side is held up now and then, by anything."""
    return np.column_stack([np.zeros(size), rng.exponential(2 * noise, size)])


ONE_MODE = (normal, heavy, bursts, uniform, lopsided)


def found_in(pairs, *, seed=0):
    """The modes of pairs whose order was drawn."""
    first = np.random.default_rng(seed).random(len(pairs)) < 0.5
    return modes_of(pairs, first.tolist(), THRESHOLD)


def pairs_with(logs):
    return [(1.0, exp(each)) for each in logs]


def alternating(size):
    return [number % 2 == 0 for number in range(size)]


def two_modes(rng, small, large, *, change=0.157, noise=0.01):
    return [*rng.normal(0, noise, small), *rng.normal(change, noise, large)]


@pytest.mark.parametrize("kind", ONE_MODE)
@pytest.mark.parametrize("size", [10, 25, 40])
def test_noise_with_one_mode_never_depends_on_the_set_up(kind, size):
    """In 2 of 400 at the most, whatever the noise and the effect are."""
    rng = np.random.default_rng(size)
    drawn = [
        pairs_of(kind, rng, size, noise, effect)
        for effect in (0.0, 0.03, LIMIT, 0.1)
        for noise in (0.005, 0.02, 0.05, 0.1)
        for _ in range(25)
    ]

    assert sum(found_in(pairs) is not None for pairs in drawn) <= 2


@pytest.mark.parametrize("effect", [0.0, 0.03, LIMIT, 0.07])
def test_states_that_both_sides_have_are_noise(effect):
    """In 3 of 100 at the most, unless the change is as large as the step from one state to the other."""
    rng = np.random.default_rng(1)
    drawn = [pairs_of(states, rng, 40, noise, effect) for noise in (0.02, 0.05, 0.1, 0.2) for _ in range(25)]

    assert sum(found_in(pairs) is not None for pairs in drawn) <= 3


@pytest.mark.parametrize("effect", [0.0, 0.03, LIMIT, 0.1])
@pytest.mark.parametrize("noise", [0.02, LIMIT, 0.1])
def test_a_first_run_that_is_slower_is_noise_whatever_the_change_is(effect, noise):
    rng = np.random.default_rng(1)
    for _ in range(25):
        pairs = pairs_of(first_is_slower, rng, 20, noise, effect)
        logs = [log(head / base) for base, head in pairs]
        first = [each > effect for each in logs]

        assert modes_of(pairs, first, THRESHOLD) is None


@settings(max_examples=60)
@given(
    small=st.integers(10, 30),
    large=st.integers(10, 30),
    change=st.sampled_from([-0.3, -0.12, 0.12, 0.157, 0.6]),
    seed=st.integers(0, 2**32 - 1),
)
def test_two_modes_are_told_with_their_sizes_and_pairs(small, large, change, seed):
    logs = two_modes(np.random.default_rng(seed), small, large, change=change, noise=0.004)

    modes = found_in(pairs_with(logs), seed=seed)

    assert modes is not None
    assert (modes.changed_pairs, modes.other_pairs) == (large, small)
    assert modes.change == pytest.approx(change, abs=0.01)
    assert modes.rest == pytest.approx(0.0, abs=0.01)


@given(
    logs=st.lists(st.sampled_from([-0.16, -0.01, 0.0, 0.005, 0.16, 0.165]), max_size=40),
    random=st.randoms(use_true_random=False),
)
def test_neither_the_order_of_pairs_nor_which_side_is_called_base_matters(logs, random):
    told = [(log, random.random() < 0.5) for log in logs]
    turned = [(-log, not first) for log, first in random.sample(told, len(told))]
    one, other = (
        modes_of(pairs_with([log for log, _ in each]), [first for _, first in each], THRESHOLD)
        for each in (told, turned)
    )

    assert (one is None) == (other is None)
    if one is not None and other is not None:
        assert other.change == pytest.approx(-one.change, abs=1e-9)
        assert other.changed_pairs == one.changed_pairs


@given(logs=st.lists(st.floats(-0.048, 0.048), max_size=60))
def test_within_the_threshold_nothing_depends_on_anything(logs):
    assert found_in(pairs_with(logs)) is None


@pytest.mark.parametrize(("first", "second"), [(0.07, 0.2), (-0.16, 0.16), (0.045, 0.07)])
def test_two_changes_or_two_alike_are_not_a_changed_and_an_unchanged_part(first, second):
    rng = np.random.default_rng(1)
    logs = [*rng.normal(first, 0.002, 15), *rng.normal(second, 0.002, 15)]

    assert found_in(pairs_with(logs)) is None


@pytest.mark.parametrize(("small", "large"), [(9, 6), (24, 16), (16, 24)])
def test_the_verdict_names_both_parts_and_is_no_regression(small, large):
    rng = np.random.default_rng(3)
    logs = two_modes(rng, small, large)
    rng.shuffle(logs)
    comparing = Comparing({"case": Metric.CPU}, ComparisonRules())
    comparing.tell("case", pairs_with(logs), head_first=alternating(small + large))

    judgement = comparing.judgements()["case"]

    assert judgement.verdict is Verdict.DEPENDS
    assert judgement.modes is not None
    assert f"in {large} of {small + large} set-ups" in judgement.reason


def test_a_change_that_few_set_ups_may_not_show_gets_more_pairs():
    rng = np.random.default_rng(5)
    logs = [*rng.normal(0.157, 0.01, 7), *rng.normal(0, 0.01, 3)]
    rng.shuffle(logs)
    rules = ComparisonRules(false_discoveries=0.2)
    comparing = Comparing({"some": Metric.CPU, "all": Metric.CPU}, rules)
    comparing.tell("some", pairs_with(logs), head_first=alternating(10))
    comparing.tell("all", pairs_with(rng.normal(0.157, 0.01, 10)), head_first=alternating(10))

    assert "some" in comparing.ask()
    assert "all" not in comparing.ask()


def test_counts_have_one_set_up():
    comparing = Comparing({"case": Metric.INSTRUCTIONS}, ComparisonRules())
    logs = two_modes(np.random.default_rng(3), 24, 16)
    comparing.tell("case", pairs_with(logs), head_first=alternating(40))

    assert comparing.judgements()["case"].verdict is not Verdict.DEPENDS
