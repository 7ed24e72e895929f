"""The likeliest terms, against all terms."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.options import Option
from sonde.methods.pinpointing.shared_steps.belief.alphabet import Alphabet, term_holds
from sonde.methods.pinpointing.shared_steps.belief.boundary import StepHeights
from sonde.methods.pinpointing.shared_steps.belief.evidence import readings
from sonde.methods.pinpointing.shared_steps.belief.priors import Priors
from sonde.methods.pinpointing.shared_steps.belief.settings import SearchSettings
from sonde.methods.pinpointing.shared_steps.belief.terms import TermSearch, probabilities
from sonde.space.space import Space
from tests.methods.history_sampling.made_series import SOME_EXAMPLES
from tests.methods.pinpointing.shared_steps.made_sheets import (
    ALPHABET,
    CONFIGURATIONS,
    all_terms,
    does_hold,
    is_possible,
    levels_only,
)

SETTINGS = SearchSettings()
PRIORS = Priors(ALPHABET, SETTINGS)
SEARCH = TermSearch(ALPHABET, PRIORS, SETTINGS)
TERMS = all_terms(ALPHABET, 5)  # there are no longer ones
SHORT = [term for term in TERMS if len(term) <= 3 and is_possible(term, ALPHABET)]
HELD = ALPHABET.holds(np.array([ALPHABET.row(each) for each in CONFIGURATIONS]))


def found_from(heights, deviation, stray=1e-3):
    count = len(heights)
    steps = StepHeights(np.array(heights), np.full(count, deviation**2))
    return readings(steps, levels_only([1.0] * count), np.zeros(count), SETTINGS, stray)


def slow_score(term, found, held):
    """Log prior and log evidence under either scale, which are equally likely."""
    lines = [all(held[line, literal] for literal in term) for line in range(len(held))]
    scales = []
    for reading in found:
        total = sum(reading.weighted[line] for line in range(len(held)) if lines[line])
        weight = sum(reading.weight[line] for line in range(len(held)) if lines[line])
        worth = sum(reading.worth[line] for line in range(len(held)) if lines[line])
        variance = reading.prior_variance
        scales.append(total**2 / (weight + 1 / variance) / 2 - log(1 + variance * weight) / 2 + worth)
    best = max(scales)
    evidence = best + log(sum(exp(each - best) for each in scales) / 2)
    return evidence + PRIORS.of(term)


@SOME_EXAMPLES
@given(
    planted=st.sampled_from(SHORT),
    height=st.sampled_from([-0.4, 0.1, 0.4]),
    deviation=st.sampled_from([0.01, 0.05, 0.2]),
    seed=st.integers(0, 1000),
    data=st.data(),
)
def test_the_best_term_is_the_best_of_all_terms(planted, height, deviation, seed, data):
    rng = np.random.default_rng(seed)
    chosen = sorted(data.draw(st.sets(st.integers(0, len(CONFIGURATIONS) - 1), min_size=2)))
    truth = np.array([height * does_hold(planted, CONFIGURATIONS[line]) for line in chosen])
    found, held = found_from(truth + rng.normal(0, deviation, len(chosen)), deviation), HELD[chosen]

    ordered = SEARCH.likeliest(found, held, ())

    slow = {term: slow_score(term, found, held) for term in TERMS}
    assert ordered[0][1] == pytest.approx(max(slow.values()), abs=1e-6)
    assert slow[ordered[0][0]] == pytest.approx(max(slow.values()), abs=1e-6)
    assert [score for _, score in ordered] == sorted((score for _, score in ordered), reverse=True)
    for term, score in ordered:
        assert score == pytest.approx(slow[term], abs=1e-6)
    assert dict(SEARCH.again([term for term, _ in ordered], found, held)) == pytest.approx(dict(ordered))


@SOME_EXAMPLES
@given(planted=st.sampled_from(SHORT), height=st.sampled_from([-0.3, 0.3]))
def test_the_planted_term_is_the_best_where_all_is_measured_well(planted, height):
    heights = [height * does_hold(planted, each) for each in CONFIGURATIONS]

    (best, _), *_ = SEARCH.likeliest(found_from(heights, 0.003), HELD, ())

    # Not all denials but one is the same as the one that is left, and easier to read.
    assert term_holds(HELD, best).tolist() == term_holds(HELD, planted).tolist()
    assert len(best) <= len(planted)


def test_unknown_steps_do_not_change_the_order_of_terms():
    heights = [0.3 * bool(each["a"]) for each in CONFIGURATIONS]
    variance = np.array([1e-4, *([np.inf] * 4), *([1e-4] * (len(heights) - 5))])
    table = levels_only([1.0] * len(heights))
    known = np.isfinite(variance)
    with_unknown = readings(
        StepHeights(np.array(heights), variance), table, np.zeros(len(heights)), SETTINGS, 1e-3
    )

    alone = [reading.only(known) for reading in with_unknown]

    ordered, expected = SEARCH.likeliest(with_unknown, HELD, ()), SEARCH.likeliest(alone, HELD[known], ())
    assert dict(ordered) == pytest.approx(dict(expected))


MANY = Alphabet(Space(tuple(Option(f"o{number}", (False, True), False) for number in range(14))))


def test_a_long_term_is_found_by_shortening_a_configuration_that_steps():
    """No part of it steps, so that a search from the core sees nothing."""
    settings = SearchSettings(longest_term=2)
    search = TermSearch(MANY, Priors(MANY, settings), settings)
    planted = tuple(2 * number + 1 for number in range(1, 6))
    rng = np.random.default_rng(5)
    rows = rng.integers(0, 2, (60, 14))
    rows[:30, 1:6] = 1
    rows[0] = [1] * 8 + [0] * 6
    for place in range(1, 6):  # one of its literals is missing
        rows[place, 1:6], rows[place, place] = 1, 0
    held = MANY.holds(rows)
    heights = np.where(rows[:, 1:6].all(axis=1), 0.4, 0.0)
    seed = tuple(2 * number + 1 for number in range(8))

    without, *_ = search.likeliest(found_from(heights, 0.005), held, ())
    shortened, *_ = search.likeliest(found_from(heights, 0.005), held, [seed])

    assert without[0] != planted
    assert shortened[0] == planted
    assert shortened[1] > without[1]


@given(scores=st.lists(st.floats(-800, 800), min_size=1, max_size=10))
def test_probabilities_are_those_of_the_log_odds(scores):
    ordered = sorted(scores, reverse=True)
    found = probabilities([((place,), score) for place, score in enumerate(ordered)])

    assert [term for term, _ in found] == [(place,) for place in range(len(scores))]
    assert sum(share for _, share in found) == pytest.approx(1.0)
    for place, (_, share) in enumerate(found):
        assert share == pytest.approx(found[0][1] * exp(ordered[place] - ordered[0]))


ALPHABETS = [
    ALPHABET,
    Alphabet(Space((Option("a", (False, True), False),))),
    Alphabet(Space((Option("a", (True,), True), Option("b", (False, True), False)))),
    Alphabet(Space(tuple(Option(name, (1, 2, 3, 4), 1) for name in "abcd"))),
    Alphabet(Space(tuple(Option(name, (False, True), False) for name in "abcdefg"))),
    Alphabet(Space(())),
]


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_the_priors_of_all_terms_sum_to_one_at_most(alphabet):
    priors = Priors(alphabet, SETTINGS)
    terms = all_terms(alphabet, len(alphabet.options))

    by_length = dict.fromkeys(range(len(alphabet.options) + 1), 0.0)
    for term in terms:
        by_length[len(term)] += exp(priors.of(term))

    assert by_length[0] == pytest.approx(SETTINGS.core)
    if alphabet.literals:
        assert by_length[1] == pytest.approx(SETTINGS.single)
    assert sum(by_length.values()) <= 1 + 1e-9


def test_what_must_be_off_is_less_likely_than_what_must_be_on():
    off, on = (
        next(index for index, literal in enumerate(ALPHABET.literals) if str(literal) == name)
        for name in ("!a", "a")
    )

    assert PRIORS.of((off,)) == pytest.approx(PRIORS.of((on,)) + log(SETTINGS.off))


def test_a_term_is_less_likely_than_its_parts():
    for term in TERMS:
        for place in range(len(term)):
            shorter = term[:place] + term[place + 1 :]
            if shorter:
                assert PRIORS.of(term) < PRIORS.of(shorter)


def test_where_there_are_no_literals_the_core_is_the_rarest():
    assert Priors(Alphabet(Space(())), SETTINGS).rarest == pytest.approx(log(SETTINGS.core))


@pytest.mark.parametrize("alphabet", ALPHABETS[:-1])
def test_the_rarest_term_is_no_likelier_than_a_typical_one_of_any_length(alphabet):
    priors = Priors(alphabet, SETTINGS)
    typical = float(np.median(priors.literal))

    for length in range(1, min(SETTINGS.longest_term, len(alphabet.literals)) + 1):
        assert priors.rarest <= priors.of_length(length) + length * typical + 1e-9
