"""How often verdicts are wrong, over all looks, under noise of several kinds: drawn, with known truth.

`docs/studies/check.md` has the same for real runs.
"""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest

from sonde.core.findings.comparisons import Verdict
from sonde.core.results import Metric
from sonde.methods.comparison.comparing import Comparing
from sonde.methods.comparison.intervals import ratio_of
from sonde.methods.comparison.looks import looks, spending
from sonde.methods.comparison.rules import ComparisonRules
from sonde.methods.comparison.scores import mid_ranks, scores
from sonde.numerics.sign_flips import probabilities
from tests.methods.comparison.noises import KINDS, bursts, drift, heavy, normal, pairs_of, states

ALARMS = (Verdict.SLOWER, Verdict.FASTER)
FIVE_PERCENT = log(1.05)


def judged(kind, count, noise, effect, most=40, seed=1):
    """The judgements of so many comparisons, each of a point alone."""
    rng, rules = np.random.default_rng(seed), ComparisonRules(most_pairs=most)
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


def drawn(kind, count, seed, noise=0.05, effect=0.0):
    """Logarithms of so many comparisons, by pair and side; which run of a pair is the head's is drawn."""
    rng, most = np.random.default_rng(seed), ComparisonRules().most_pairs
    made = np.array([kind(rng, most, noise) for _ in range(count)])
    return rng.permuted(made, axis=2) + np.array([0.0, effect])


def least_errors(logs, scored=scores):
    """Twin of the probability of a ratio, for many comparisons at once."""
    rules, least = ComparisonRules(), np.ones(len(logs))
    for look in looks(rules):
        singles = probabilities(scored(logs[:, : look.pairs, 0], logs[:, : look.pairs, 1]))
        errors = [spending(rules).error(look.number, single) for single in singles.tolist()]
        least = np.minimum(least, errors)
    return least


def signed_ranks(base, head):
    return np.sign(head - base) * mid_ranks(np.abs(head - base))


def test_the_probability_of_a_ratio_is_that_of_its_twin():
    logs = drawn(normal, 5, 3, effect=0.02)
    for made, expected in zip(logs, least_errors(logs), strict=True):
        ratio = ratio_of([(exp(base), exp(head)) for base, head in made.tolist()], ComparisonRules())
        assert ratio is not None
        assert ratio.probability == pytest.approx(expected)


@pytest.mark.parametrize("kind", [normal, heavy, bursts, drift, states])
def test_the_test_keeps_its_error_over_all_looks(kind):
    count = 4000
    least = least_errors(drawn(kind, count, 11))

    for error in (0.005, 0.02, 0.05):
        chance = 3 * (error / count) ** 0.5
        assert np.mean(least <= error) <= error + chance
        assert np.mean(least <= error) >= 0.6 * error - chance


@pytest.mark.parametrize(
    ("kind", "effect", "more"), [(states, 0.01, 0.2), (bursts, 0.025, 0.1), (normal, 0.03, -0.02)]
)
def test_it_finds_more_than_signed_ranks_where_runs_are_slowed_and_as_much_elsewhere(kind, effect, more):
    logs = drawn(kind, 600, 12, effect=effect)
    found, found_by_ranks = (np.mean(least_errors(logs, by) <= 0.02) for by in (scores, signed_ranks))

    assert 0.2 < found < 0.95
    assert found >= found_by_ranks + more


def test_few_of_many_points_that_are_told_have_no_change():
    """Ninety points in a hundred did not change."""
    rng, rules = np.random.default_rng(3), ComparisonRules()
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
