"""How often verdicts are wrong, over all looks, under noise of several kinds: drawn, with known truth.

`docs/studies/check.md` has the same for real runs.
"""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from sonde.core.comparisons import Verdict
from sonde.core.results import Metric
from sonde.methods.comparison.comparing import Comparing
from sonde.methods.comparison.intervals import ratio_of
from sonde.methods.comparison.looks import looks, spending
from sonde.methods.comparison.rules import Rules
from sonde.numerics import signed_rank
from tests.methods.comparison.noises import KINDS, heavy, normal, pairs_of

ALARMS = (Verdict.SLOWER, Verdict.FASTER)
FIVE_PERCENT = log(1.05)


def judged(kind, count, noise, effect, most=40, seed=1):
    """The judgements of so many comparisons, each of a point alone."""
    rng, rules = np.random.default_rng(seed), Rules(most_pairs=most)
    made = []
    for _ in range(count):
        pairs = pairs_of(kind, rng, most, noise, effect)
        comparing = Comparing({0: Metric.CPU}, rules)
        while not comparing.finished:
            comparing.tell(0, pairs[: comparing.ask()[0]])
        made.append(comparing.judgements()[0])
    return made


def share(judgements, *verdicts):
    return sum(each.verdict in verdicts for each in judgements) / len(judgements)


def coverage(judgements, truth):
    intervals = [each.ratio for each in judgements if each.ratio is not None]
    assert len(intervals) == len(judgements)
    return sum(each.low <= truth <= each.high for each in intervals) / len(intervals)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("noise", [0.03, 0.15])
def test_without_a_change_there_are_few_alarms(kind, noise):
    judgements = judged(kind, 250, noise, 0.0)

    assert share(judgements, *ALARMS) <= 0.03
    assert coverage(judgements, 0.0) >= 0.93


@pytest.mark.parametrize("kind", KINDS)
def test_five_percent_are_found_with_forty_pairs(kind):
    judgements = judged(kind, 150, 0.04, FIVE_PERCENT)

    assert share(judgements, Verdict.SLOWER) >= 0.9
    assert coverage(judgements, FIVE_PERCENT) >= 0.93


@pytest.mark.parametrize(("kind", "least"), [(heavy, 0.9), (normal, 0.8)])
def test_five_percent_are_found_in_twice_the_noise_with_a_hundred_pairs(kind, least):
    judgements = judged(kind, 150, 0.09, FIVE_PERCENT, most=100)

    assert share(judgements, Verdict.SLOWER) >= least
    assert share(judgements, Verdict.EQUAL) <= 0.05


def test_twice_the_threshold_is_never_called_equal():
    judgements = judged(normal, 150, 0.05, log(1.1))

    assert share(judgements, Verdict.EQUAL, Verdict.FASTER) == 0


def test_the_exact_test_keeps_its_error_over_all_looks():
    """Twin of the probability of a ratio, for many comparisons at once: ranks instead of Walsh averages."""
    rules, count = Rules(), 60_000
    logs = np.random.default_rng(11).normal(size=(count, rules.most_pairs))
    least = np.ones(count)
    for look in looks(rules):
        values = logs[:, : look.pairs]
        ranks = np.argsort(np.argsort(np.abs(values), axis=1), axis=1) + 1
        upwards = (ranks * (values > 0)).sum(axis=1)
        outside = np.minimum(upwards, look.pairs * (look.pairs + 1) // 2 - upwards)
        singles = np.minimum(2 * signed_rank._cumulated(look.pairs)[outside], 1.0)
        errors = {single: spending(rules).error(look.number, single) for single in set(singles.tolist())}
        least = np.minimum(least, [errors[single] for single in singles.tolist()])

    first = ratio_of(logs[0].tolist(), rules)
    assert first is not None
    assert first.probability == pytest.approx(least[0])
    for error in (0.005, 0.02, 0.05):
        assert 0.7 * error < np.mean(least <= error * (1 + 1e-9)) <= 1.1 * error


def test_few_of_many_points_that_are_told_have_no_change():
    """Ninety points in a hundred did not change."""
    rng, rules = np.random.default_rng(3), Rules()
    told = wrong = 0
    for _ in range(4):
        known = {
            number: pairs_of(normal, rng, 40, 0.08, log(1.2) if number < 10 else 0.0) for number in range(100)
        }
        comparing = Comparing(dict.fromkeys(known, Metric.CPU), rules)
        while not comparing.finished:
            for case, count in comparing.ask().items():
                comparing.tell(case, known[case][:count])
        alarms = [case for case, each in comparing.judgements().items() if each.verdict in ALARMS]
        told += len(alarms)
        wrong += sum(case >= 10 for case in alarms)

    assert told - wrong >= 36
    assert wrong / told <= 0.05
