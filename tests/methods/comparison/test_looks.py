"""When to look, and how sure a look has to be."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.comparison.looks import last_look, look_sizes, looks, next_look, spending
from sonde.methods.comparison.rules import ComparisonRules
from sonde.numerics.sign_flips import least_probability


@given(st.integers(2, 20), st.integers(1, 1000))
def test_looks_grow_up_to_the_cap(least, most):
    sizes = look_sizes(least, most)

    assert sizes[0] == (most if most < 1.3 * least else least)
    assert sizes[-1] == most
    assert all(earlier < later for earlier, later in pairwise(sizes))
    assert all(later <= 2.2 * earlier for earlier, later in pairwise(sizes))


@given(st.integers(0, 120))
def test_the_last_and_the_next_look_enclose_the_pairs(pairs):
    rules = ComparisonRules(most_pairs=100)
    last, following = last_look(rules, pairs), next_look(rules, pairs)

    assert last is None or last.pairs <= pairs
    assert following is None or following.pairs > pairs
    assert (following.number if following else len(looks(rules))) == (last.number + 1 if last else 0)


def test_early_looks_are_strict():
    rules = ComparisonRules()
    levels = [spending(rules).level(look.number, rules.error) for look in looks(rules)]

    assert levels == sorted(levels)
    assert levels[0] < 0.005
    assert 0.03 < levels[-1] < 0.05


@pytest.mark.parametrize(
    "given_rules", [{"error": 0.0}, {"false_discoveries": 1.0}, {"most_pairs": 0}, {"thresholds": {}}]
)
def test_rules_without_sense_are_refused(given_rules):
    with pytest.raises(ValueError, match="must"):
        ComparisonRules(**given_rules)


def test_ten_pairs_on_one_side_are_an_answer_by_default():
    rules = ComparisonRules()
    at_ten = next(look for look in looks(rules) if look.pairs == 10)

    assert spending(rules).error(at_ten.number, least_probability(10)) <= rules.false_discoveries
