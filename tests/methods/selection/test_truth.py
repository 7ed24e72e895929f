"""Hits: instructions beyond the noise of what cannot have changed, times with few false discoveries."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_ind

from sonde.methods.selection.truth import (
    instruction_threshold,
    judged_by_noise,
    time_effect,
    time_hits,
)
from tests.methods.selection.made_examples import example


def test_the_threshold_of_instructions_follows_the_noise_and_is_never_below_a_thousandth():
    noise = np.random.default_rng(6).normal(0, 0.01, 500)

    assert instruction_threshold([]) == 0.001
    assert instruction_threshold([0.2, 0.0]) == 0.001
    assert instruction_threshold(noise / 1000) == 0.001
    assert instruction_threshold(noise) == pytest.approx(0.03, rel=0.1)
    assert instruction_threshold([*noise, 5.0, *[0.0] * 900]) == pytest.approx(0.03, rel=0.1)


def test_only_proven_examples_tell_the_noise():
    judged, threshold = judged_by_noise([example(True), example(False), example(False, is_proven=True)])

    assert threshold == 0.001
    assert [each.is_hit for each in judged] == [True, False, False]


def test_a_single_pair_is_judged_by_welchs_test_on_logarithms():
    rng = np.random.default_rng(3)
    for shift in np.linspace(0, 0.1, 15):
        before, after = np.exp(rng.normal(0, 0.02, 5)), np.exp(rng.normal(shift, 0.03, 6))
        p = ttest_ind(np.log(before), np.log(after), equal_var=False).pvalue

        assert time_hits([(before.tolist(), after.tolist())], least_effect=0.0) == [p <= 0.05]


def test_equal_times_are_few_hits_and_different_ones_are_found():
    rng = np.random.default_rng(4)
    same = [(rng.lognormal(0, 0.05, 5).tolist(), rng.lognormal(0, 0.05, 5).tolist()) for _ in range(300)]
    slower = [(rng.lognormal(0, 0.02, 5).tolist(), rng.lognormal(0.3, 0.02, 5).tolist()) for _ in range(30)]

    hits = time_hits(same + slower)

    assert sum(hits[:300]) <= 5
    assert sum(hits[300:]) >= 29


def test_small_effects_and_single_times_are_no_hits():
    certain = ([1.0, 1.0001, 1.0], [1.01, 1.0101, 1.01])

    assert time_hits([certain, ([1.0], [2.0]), ([], [])]) == [False, False, False]
    assert time_hits([certain], least_effect=0.005) == [True]
    assert time_hits([([1.0, 1.0], [1.0, 1.0]), ([1.0, 1.0], [2.0, 2.0])]) == [False, True]
    assert time_effect([1.0, 4.0], [3.0]) == pytest.approx(0.5)
