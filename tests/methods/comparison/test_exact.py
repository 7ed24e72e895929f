"""Two runs decide where runs agree."""

from __future__ import annotations

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.findings.comparisons import Verdict
from sonde.core.results import Metric
from sonde.methods.comparison.comparing import Comparing
from sonde.methods.comparison.exact import exact_ratio
from sonde.methods.comparison.rules import ComparisonRules


def verdict_of(pairs, rules=None):
    comparing = Comparing({"sort": Metric.INSTRUCTIONS}, rules or ComparisonRules())
    comparing.tell("sort", pairs)
    return comparing.judgements()["sort"].verdict, comparing.finished


@given(
    st.integers(10**5, 10**12),
    st.floats(1.0115, 3),
    st.lists(st.floats(0, 0.0004), min_size=4, max_size=4),
    st.booleans(),
)
def test_two_runs_always_find_more_than_the_threshold(count, factor, deviations, is_slower):
    one, other, third, fourth = (1 + each for each in deviations)
    few, many = (count * one, count * other), (count * factor * third, count * factor * fourth)
    base, head = (few, many) if is_slower else (many, few)
    verdict, is_finished = verdict_of(list(zip(base, head, strict=True)))

    assert is_finished
    assert verdict is (Verdict.SLOWER if is_slower else Verdict.FASTER)


@given(st.integers(10**5, 10**12), st.floats(0.9912, 1.0088))
def test_two_runs_rule_out_what_is_below_the_threshold(count, factor):
    assert verdict_of([(count, count * factor), (count * 1.0004, count * factor)]) == (Verdict.EQUAL, True)


def test_the_interval_has_the_extremes_of_both_sides():
    ratio = exact_ratio([(100.0, 103.0), (100.05, 102.95), (100.0, 103.0)], 0.01)

    assert ratio is not None
    assert (ratio.low, ratio.high) == pytest.approx((log(102.95 / 100.05), log(103 / 100)))
    assert (ratio.pairs, ratio.probability) == (3, 0.0)


def test_runs_that_do_not_agree_need_as_many_pairs_as_times_do():
    comparing = Comparing({"sort": Metric.INSTRUCTIONS}, ComparisonRules())
    assert comparing.ask() == {"sort": 2}

    comparing.tell("sort", [(100.0, 103.0), (100.2, 103.0)])
    assert comparing.ask() == {"sort": 6}
    assert comparing.judgements()["sort"].verdict is Verdict.INCONCLUSIVE


def test_only_counts_are_exact():
    comparing = Comparing({"sort": Metric.CPU}, ComparisonRules())
    comparing.tell("sort", [(1.0, 1.2), (1.0, 1.2)])

    assert comparing.ask() == {"sort": 6}
