"""Evaluation: every tuple is tested once, and never by what was learned from its own revision."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from sonde.methods.selection.evaluation import (
    Way,
    across_projects,
    by_hops,
    by_training_size,
    cross_validated,
    cross_validated_pairs,
    leave_one_revision_out,
    partition,
    trained_on_all,
    validated_apart,
)
from sonde.methods.selection.greedy import GreedyLearner
from sonde.methods.selection.predictors import PredictorScope, ReachedAndChanged, learn_rules
from sonde.methods.selection.rates import Decided, rate, rates_of
from tests.methods.selection.made_examples import example


@dataclass(frozen=True)
class Remembering:
    """Runs exactly what it has seen; a learner and its predictor in one."""

    seen: frozenset[float] = frozenset()
    warnings: tuple[str, ...] = ()

    def learn(self, examples):
        return Remembering(frozenset(each.values["id"] for each in examples))

    def runs(self, values):
        return values["id"] in self.seen

    def words(self):
        return "Run what was seen."

    def why(self, values):
        return ""


def made(revisions, benchmarks=2, **more):
    return [
        example(number % 3 == 0, f"r{number:02}", f"b{benchmark}", id=10 * number + benchmark, **more)
        for number in range(revisions)
        for benchmark in range(benchmarks)
    ]


@given(revisions=st.integers(1, 23), folds=st.integers(2, 12), seed=st.integers(0, 5))
def test_parts_are_disjoint_even_and_hold_every_revision_once(revisions, folds, seed):
    parts = partition(made(revisions), folds, seed)

    assert sorted(revision for part in parts for revision in part) == [f"r{n:02}" for n in range(revisions)]
    assert max(map(len, parts)) - min(map(len, parts)) <= 1
    assert len(parts) == min(folds, revisions)


@pytest.mark.parametrize("scope", PredictorScope)
def test_nothing_is_tested_by_what_was_learned_from_its_own_revision(scope):
    rates = cross_validated(Way(Remembering(), scope), made(20), folds=10, seed=1)

    assert rates.hit.part == 0
    assert (rates.hit.whole, rates.tuples) == (14, 40)
    assert leave_one_revision_out(Way(Remembering(), scope), made(20)).hit.part == 0
    assert trained_on_all(Way(Remembering(), scope), made(20)).hit.value == 1


def test_the_same_seed_gives_the_same_rates_and_another_one_other_parts():
    examples = made(30)

    assert partition(examples, 10, 1) == partition(list(reversed(examples)), 10, 1)
    assert partition(examples, 10, 1) != partition(examples, 10, 2)


def test_a_pair_that_shares_a_revision_with_the_test_is_not_learned_from():
    pairs = [
        replace(example(True, f"r{child}", id=10 * child + parent), base=f"r{parent}", hops=child - parent)
        for child in range(8)
        for parent in range(child)
    ]

    class Noting(Remembering):
        def learn(self, examples):
            noted.append({each.revision for each in examples} | {each.base for each in examples})
            return super().learn(examples)

    noted: list[set[str]] = []
    cross_validated_pairs(Way(Noting()), pairs, folds=4, seed=0)

    for part, learned_from in zip(partition(pairs, 4, 0), noted, strict=True):
        assert not part & learned_from


def test_apart_means_that_no_pair_of_the_training_spans_or_touches_one_of_the_test():
    order = [f"r{number:02}" for number in range(20)]
    pairs = [
        replace(example(True, order[child], id=100 * child + parent), base=order[parent], hops=child - parent)
        for child in range(20)
        for parent in range(max(0, child - 6), child)
    ]

    class Noting(Remembering):
        def learn(self, examples):
            noted.append([(order.index(each.base), order.index(each.revision)) for each in examples])
            return super().learn(examples)

    noted: list[list[tuple[int, int]]] = []
    elsewhere = replace(example(True, "unknown"), base=order[3])
    rates = validated_apart(Way(Noting()), [*pairs, elsewhere], order, folds=4, tested_hops=2)

    assert rates.tuples == sum(each.hops <= 2 for each in pairs)
    for part, learned_from in enumerate(noted):
        oldest, newest = max(0, 5 * part - 2), 5 * part + 4
        assert learned_from
        assert all(revision < oldest or base > newest for base, revision in learned_from)


def test_stage_zero_goes_first_and_refused_profiles_run():
    proven = example(True, is_proven=True, share=90)
    refused = replace(example(False, is_proven=True, share=0), is_refused=True)
    rules = learn_rules(GreedyLearner(), PredictorScope.COMMON, [])

    assert not rules.runs(proven)
    assert rules.runs(refused)
    assert rates_of([Decided(True, False, True, 2.0), Decided(False, True, False, 3.0)]).proven_hits == 1


def test_a_benchmark_that_was_never_seen_runs_whatever_changed():
    rules = learn_rules(
        GreedyLearner(), PredictorScope.BENCHMARK, [example(True, benchmark="pack", share=50)]
    )

    assert not rules.runs(example(False, benchmark="pack", share=1))
    assert rules.runs(example(False, benchmark="unpack", share=1))
    assert isinstance(rules.of("unpack"), ReachedAndChanged)


def test_more_folds_mean_more_training():
    points = by_training_size(Way(GreedyLearner()), made(20, share=30), folds=[2, 4, 10], seeds=[1, 2, 3])

    assert [(point.folds, point.revisions) for point in points] == [(2, 10), (4, 15), (10, 18)]
    assert all(point.hit is not None and point.dismiss is not None for point in points)


def test_one_project_can_judge_another():
    rates = across_projects(
        Way(GreedyLearner()), [example(True, share=80)], [example(True, share=50), example(False, share=10)]
    )

    assert (rates.hit.value, rates.dismiss.value) == (1, 1)


def test_hops_are_told_apart_and_only_the_oldest_revisions_are_learned_from():
    order = [f"r{number:02}" for number in range(12)]
    examples = [
        replace(example(True, order[child], id=100 * child + parent), base=order[parent], hops=child - parent)
        for child in range(12)
        for parent in range(child)
    ]

    found = by_hops(Way(Remembering()), examples, order)

    assert by_hops(Way(Remembering()), [*examples, example(True, "unknown")], order) == found
    assert sorted(found) == list(range(1, 10))
    assert all(rates.hit.part == 0 for rates in found.values())
    assert found[9].tuples == 1


def test_a_single_revision_and_no_hits_have_rates_or_none():
    single = [example(True, share=50, benchmark="a"), example(False, share=1, benchmark="b")]
    assert cross_validated(Way(GreedyLearner()), single, 10, 0).hit.value == 1  # all that changed runs

    without = cross_validated(Way(GreedyLearner()), [example(False, share=1)], 10, 0)
    assert (without.hit.value, without.dismiss.value) == (None, 0)


def test_time_is_saved_by_what_is_skipped():
    rates = rates_of([Decided(False, False, True, 30.0), Decided(True, True, False, 10.0)])

    assert rates.time_saved == 0.75
    assert (rates.skipped, rates.proven) == (1, 1)


@pytest.mark.parametrize(("part", "whole"), [(0, 10), (10, 10), (3, 7), (513, 540), (1, 1)])
def test_intervals_are_those_of_wilson(part, whole):
    expected = binomtest(part, whole).proportion_ci(method="wilson")

    assert (rate(part, whole).low, rate(part, whole).high) == pytest.approx(
        (expected.low, expected.high), abs=1e-6
    )
