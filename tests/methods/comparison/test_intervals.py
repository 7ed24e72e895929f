"""What a look shows."""

from __future__ import annotations

from math import exp, inf, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t, ttest_1samp

from sonde.methods.comparison.intervals import least_cap, ratio_of, students_interval
from sonde.methods.comparison.inversion import estimate_and_interval
from sonde.methods.comparison.looks import looks, spending
from sonde.methods.comparison.rules import ComparisonRules

RULES = ComparisonRules()


def some_pairs(size, seed=0, effect=0.0):
    logs = np.random.default_rng(seed).normal(0.0, 0.035, (size, 2)).tolist()
    return [(exp(base), exp(head + effect)) for base, head in logs]


def logs_of(pairs):
    return [log(head) - log(base) for base, head in pairs]


def test_there_is_nothing_before_the_first_look():
    assert ratio_of(some_pairs(5), RULES) is None


def test_pairs_beyond_a_look_wait_for_the_next_one():
    pairs = some_pairs(200)

    assert ratio_of(pairs[:24], RULES) == ratio_of(pairs[:15], RULES)
    assert ratio_of(pairs, RULES) == ratio_of(pairs[:40], RULES)


def test_the_last_look_has_the_interval_of_the_test_at_its_level():
    pairs = some_pairs(40, effect=0.03)
    ratio = ratio_of(pairs, RULES)
    base, head = (np.array([log(value) for value in values]) for values in zip(*pairs, strict=True))

    assert ratio is not None
    level = spending(RULES).level(4, RULES.error)
    assert (ratio.log, ratio.low, ratio.high) == estimate_and_interval(base, head, level)


def test_students_interval_is_the_usual_one():
    logs = logs_of(some_pairs(6, effect=0.03))
    tested = ttest_1samp(logs, 0.0).confidence_interval(0.99)

    assert students_interval(logs, 0.01) == pytest.approx((tested.low, tested.high))
    assert students_interval(logs[:1], 0.01) == (-inf, inf)


def test_few_pairs_can_be_equal_but_never_a_discovery():
    ratio = ratio_of(some_pairs(6, effect=log(1.5)), RULES)

    assert ratio is not None
    assert 0 < ratio.low < ratio.high < inf
    assert ratio.probability > RULES.false_discoveries


@given(st.integers(6, 40), st.integers(0, 1000), st.floats(-0.2, 0.2))
def test_turning_the_sides_around_turns_the_interval_around(size, seed, effect):
    pairs = some_pairs(size, seed, effect)
    ratio, turned = ratio_of(pairs, RULES), ratio_of([(head, base) for base, head in pairs], RULES)

    assert ratio is not None
    assert turned is not None
    assert (turned.log, turned.low, turned.high) == pytest.approx((-ratio.log, -ratio.high, -ratio.low))
    assert turned.probability == ratio.probability


@given(st.integers(0, 1000), st.floats(-0.2, 0.2))
def test_at_the_last_look_the_interval_excludes_zero_if_the_probability_is_below_the_error(seed, effect):
    ratio = ratio_of(some_pairs(40, seed, effect), RULES)

    assert ratio is not None
    if ratio.low > 0 or ratio.high < 0:
        assert ratio.probability <= RULES.error * (1 + 1e-9)


@given(st.integers(0, 1000))
def test_further_looks_never_raise_the_probability(seed):
    pairs = some_pairs(40, seed, 0.02)
    shown = [ratio_of(pairs[: look.pairs], RULES) for look in looks(RULES)]
    chances = [ratio.probability for ratio in shown if ratio is not None]

    assert chances == sorted(chances, reverse=True)


def test_runs_without_any_noise_have_an_interval_of_no_width():
    for size in (6, 40):
        ratio = ratio_of([(0.7, 0.7)] * size, RULES)
        assert ratio is not None
        assert (ratio.log, ratio.low, ratio.high, ratio.probability) == (0, 0, 0, 1)


def test_heavy_tails_only_widen_students_interval():
    """On scale mixtures of normal distributions, it covers the truth at least as often as it should."""
    rng = np.random.default_rng(7)
    drawn = rng.standard_t(3, (20_000, 6))
    half = t.ppf(1 - 0.0029 / 2, 5) * drawn.std(axis=1, ddof=1) / 6**0.5

    assert (np.abs(drawn.mean(axis=1)) > half).mean() < 0.0029


def test_a_cap_below_which_chance_can_do_everything_is_told():
    found = {most: least_cap(ComparisonRules(most_pairs=most)) for most in (2, 6, 9, 40)}

    assert found[2] == found[6] > 6
    assert found[40] == 40
    few = found[6]
    enough = ratio_of(changed(few), ComparisonRules(most_pairs=few))
    too_few = ratio_of(changed(few - 1), ComparisonRules(most_pairs=few - 1))
    assert enough is not None
    assert too_few is not None
    assert enough.probability <= RULES.false_discoveries < too_few.probability


def changed(pairs: int) -> list[tuple[float, float]]:
    """All of them speak for the same side."""
    return [(1.0 + number / 100, 2.0 + number / 50) for number in range(pairs)]


def test_an_interval_reaches_farther_from_zero_by_what_measuring_may_hide():
    pairs = some_pairs(40, effect=log(1.1))
    plain, wide = ratio_of(pairs, RULES), ratio_of(pairs, RULES, hidden=0.05)
    even, wide_even = ratio_of(some_pairs(40), RULES), ratio_of(some_pairs(40), RULES, hidden=0.05)

    assert plain is not None
    assert wide is not None
    assert even is not None
    assert wide_even is not None
    assert (wide.log, wide.low, wide.probability) == (plain.log, plain.low, plain.probability)
    assert 0.95 * wide.high == pytest.approx(plain.high)
    assert (0.95 * wide_even.low, 0.95 * wide_even.high) == pytest.approx((even.low, even.high))
