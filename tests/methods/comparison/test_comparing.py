"""The planner of comparisons: asking, telling, stopping, judging."""

from __future__ import annotations

from math import inf, log, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.findings.comparisons import Verdict
from sonde.core.results import Metric
from sonde.methods.comparison.comparing import CONFIRMED, Comparing
from sonde.methods.comparison.looks import look_sizes
from sonde.methods.comparison.rules import ComparisonRules
from tests.methods.comparison.noises import normal, pairs_of

CONCLUSIVE = (Verdict.SLOWER, Verdict.FASTER, Verdict.EQUAL)


def some_pairs(size=40, noise=0.01, effect=0.0, seed=0):
    return pairs_of(normal, np.random.default_rng(seed), size, noise, effect)


def played(known, rules=None, metric=Metric.CPU):
    """What a campaign over these cases says, and the pairs that it took of each."""
    comparing = Comparing(dict.fromkeys(known, metric), rules or ComparisonRules())
    taken = dict.fromkeys(known, 0)
    while not comparing.finished:
        for case, count in comparing.ask().items():
            assert count > taken[case]
            comparing.tell(case, known[case][:count])
            taken[case] = count
    return comparing.judgements(), taken


def test_quiet_cases_need_few_pairs():
    judgements, taken = played(
        {
            "same": some_pairs(),
            "slow": some_pairs(effect=log(1.2)),
            "fast": some_pairs(effect=log(0.8)),
        }
    )

    assert {case: judgement.verdict for case, judgement in judgements.items()} == {
        "same": Verdict.EQUAL,
        "slow": Verdict.SLOWER,
        "fast": Verdict.FASTER,
    }
    assert taken["same"] == 6
    assert taken["slow"] <= 15
    assert taken["fast"] <= 15
    slow = judgements["slow"]
    assert slow.ratio is not None
    assert slow.ratio.low < log(1.2) < slow.ratio.high
    assert slow.head_value == pytest.approx(1.2, rel=0.02)
    assert slow.is_definition_6


def test_a_noisy_case_has_its_pairs_and_stays_open():
    judgements, taken = played({"noisy": some_pairs(noise=0.3, seed=2)})

    assert taken == {"noisy": 40}
    assert judgements["noisy"].verdict is Verdict.INCONCLUSIVE
    assert "after 40 pairs" in judgements["noisy"].reason
    assert "too noisy" in judgements["noisy"].reason


def test_the_cap_is_the_users():
    for cap in (1, 4, 6, 7, 100):
        _, taken = played({"noisy": some_pairs(size=100, noise=0.3)}, ComparisonRules(most_pairs=cap))
        assert taken == {"noisy": cap}


def test_few_pairs_in_one_of_two_modes_do_not_settle_that_a_changed_case_is_equal():
    drawn = np.random.default_rng(3)
    around = np.concatenate([np.full(6, -0.02), np.tile([-0.02, 0.02], 17)])  # six times the same mode
    pairs = [(1.0, np.exp(log(1.05) + each)) for each in around + drawn.normal(0, 0.001, 40)]

    judgements, taken = played({"slow": pairs})

    assert taken["slow"] > 10
    assert judgements["slow"].verdict is Verdict.SLOWER


cases = st.dictionaries(
    st.sampled_from("abcd"),
    st.tuples(st.integers(0, 50), st.floats(0.001, 0.2), st.floats(-0.2, 0.2), st.integers(0, 99)),
    min_size=1,
)


@given(cases, st.sampled_from([Metric.CPU, Metric.INSTRUCTIONS]))
def test_telling_twice_or_in_another_order_changes_nothing(described, metric):
    known = {case: some_pairs(*words) for case, words in described.items()}
    one, other = (Comparing(dict.fromkeys(known, metric), ComparisonRules()) for _ in range(2))
    for case, pairs in known.items():
        one.tell(case, pairs)
    for case, pairs in reversed(known.items()):
        other.tell(case, pairs[: len(pairs) // 2])
        other.tell(case, pairs)
        other.tell(case, pairs)

    assert one.ask() == other.ask()
    assert one.judgements() == other.judgements()


@given(cases)
def test_an_open_case_is_asked_for_more_than_it_has(described):
    comparing = Comparing(dict.fromkeys(described, Metric.CPU), ComparisonRules())
    for case, words in described.items():
        comparing.tell(case, some_pairs(*words))

    asked = comparing.ask()
    for case, (size, *_) in described.items():
        if case in asked:
            assert size < asked[case]
            assert asked[case] in look_sizes(6, 40)
        elif size < 40:
            assert comparing.judgements()[case].verdict in CONCLUSIVE
    assert comparing.finished == (not asked)


@given(st.lists(st.tuples(st.floats(), st.floats()), max_size=50), st.sampled_from(list(Metric)))
def test_no_number_is_too_odd(pairs, metric):
    comparing = Comparing({"odd": metric}, ComparisonRules())
    comparing.tell("odd", pairs)
    comparing.ask()
    judgement = comparing.judgements()["odd"]

    assert judgement.reason
    if not all(0 < value < inf for pair in pairs for value in pair):
        assert judgement.verdict is Verdict.INCONCLUSIVE
        assert comparing.finished


@pytest.mark.parametrize("odd", [0.0, -1.0, nan, inf])
def test_a_value_without_a_ratio_is_said_to_be_one(odd):
    comparing = Comparing({"odd": Metric.PRINTED}, ComparisonRules())
    comparing.tell("odd", [(1.0, 1.0)] * 5 + [(1.0, odd)])

    assert comparing.finished
    assert "no ratio" in comparing.judgements()["odd"].reason


def test_a_case_that_failed_is_not_waited_for():
    comparing = Comparing({"fails": Metric.CPU, "runs": Metric.CPU}, ComparisonRules())
    comparing.drop("fails")
    comparing.tell("fails", some_pairs(6))
    comparing.tell("runs", some_pairs(6))

    assert comparing.finished
    assert list(comparing.judgements()) == ["runs"]


def test_without_pairs_nothing_is_said():
    judgement = Comparing({"new": Metric.CPU}, ComparisonRules()).judgements()["new"]

    assert (judgement.verdict, judgement.ratio) == (Verdict.INCONCLUSIVE, None)
    assert judgement.reason == "no pairs measured, but a verdict needs 6"


def test_the_pairs_needed_are_those_of_the_first_look():
    comparing = Comparing({"new": Metric.CPU}, ComparisonRules(most_pairs=7))
    comparing.tell("new", some_pairs(6))

    assert comparing.ask() == {"new": 7}
    assert comparing.judgements()["new"].reason == "6 pairs measured, but a verdict needs 7"


def test_no_cases_are_finished_at_once():
    comparing = Comparing[str]({}, ComparisonRules())

    assert comparing.finished
    assert comparing.judgements() == {}


def small_change(size=40):
    """Pairs whose interval hardly excludes zero at the last look, and holds more than the threshold."""
    for seed in range(1000):
        pairs = some_pairs(size, 0.07, 0.04, seed)
        judgements, _ = played({"one": pairs})
        ratio = judgements["one"].ratio
        if judgements["one"].verdict is Verdict.SLOWER and ratio is not None and ratio.probability > 0.01:
            return pairs
    raise AssertionError("no such pairs")


def test_a_change_that_is_likely_among_many_points_by_chance_is_not_told():
    pairs = small_change()
    others = {number: some_pairs(noise=0.005, seed=number) for number in range(30)}

    assert played({"one": pairs})[0]["one"].verdict is Verdict.SLOWER
    among_many = played({"one": pairs} | others)[0]["one"]
    assert among_many.verdict is Verdict.INCONCLUSIVE
    assert among_many.reason.startswith("it may be chance")


def test_many_points_make_a_true_change_take_more_pairs_and_it_is_told():
    slow = some_pairs(noise=0.04, effect=log(1.15), seed=4)
    others = {number: some_pairs(noise=0.005, seed=number) for number in range(200)}
    alone, among_many = played({"slow": slow}), played({"slow": slow} | others)

    assert among_many[0]["slow"].verdict is Verdict.SLOWER
    assert among_many[1]["slow"] > alone[1]["slow"]


def test_thresholds_are_those_of_the_metric():
    pairs = some_pairs(noise=0.002, effect=log(1.02))
    said = {metric: played({0: pairs}, metric=metric)[0][0].verdict for metric in Metric}

    assert said == {
        Metric.INSTRUCTIONS: Verdict.SLOWER,
        Metric.CPU: Verdict.EQUAL,
        Metric.WALL: Verdict.EQUAL,
        Metric.MEMORY: Verdict.EQUAL,
        Metric.PRINTED: Verdict.EQUAL,
    }


def chance_of(pairs):
    comparing = Comparing({"alone": Metric.CPU}, ComparisonRules())
    comparing.tell("alone", pairs)
    judgement = comparing.judgements()["alone"]
    assert judgement.ratio is not None
    return judgement.ratio.probability if judgement.verdict is Verdict.SLOWER else 1.0


def a_doubtful_case():
    """It is slower if it is the only case; among five, that may be chance."""
    drawn = (some_pairs(noise=0.12, effect=0.06, seed=seed) for seed in range(500))
    return next(pairs for pairs in drawn if 0.006 < chance_of(pairs) < 0.015)


@pytest.mark.parametrize("company", [Metric.INSTRUCTIONS, Metric.CPU], ids=lambda each: each.value)
def test_small_changes_that_are_sure_do_not_let_a_doubtful_one_pass(company):
    doubtful = a_doubtful_case()
    others = [f"nothing {number}" for number in range(4)]
    sure = [f"small {number}" for number in range(30)]
    metrics = {"doubtful": Metric.CPU} | dict.fromkeys(others, Metric.CPU) | dict.fromkeys(sure, company)
    comparing = Comparing(metrics, ComparisonRules())
    comparing.tell("doubtful", doubtful)
    for number, name in enumerate(others):
        comparing.tell(name, some_pairs(noise=0.3, seed=1000 + number))
    for number, name in enumerate(sure):
        small = some_pairs(noise=0.001, effect=0.004, seed=2000 + number)
        comparing.tell(name, small if company is Metric.CPU else [(1e6, 1.0001e6)] * 2)

    judgements = comparing.judgements()

    assert {judgements[name].verdict for name in sure} == {Verdict.EQUAL}
    assert judgements["doubtful"].verdict is Verdict.INCONCLUSIVE


def counted(known, spared):
    comparing = Comparing(dict.fromkeys(known, Metric.INSTRUCTIONS), ComparisonRules(), spared)
    taken = dict.fromkeys(known, 0)
    while not comparing.finished:
        for case, count in comparing.ask().items():
            comparing.tell(case, known[case][:count])
            taken[case] = count
    return comparing.judgements(), taken


def test_where_repeats_are_known_to_agree_only_what_differs_is_counted_again():
    known = {"same": [(1000.0, 1000.0)] * 2, "slower": [(1000.0, 1020.0)] * 2, "new": [(1000.0, 1000.0)] * 2}

    judgements, taken = counted(known, spared=["same", "slower"])

    assert taken == {"same": 1, "slower": 2, "new": 2}
    assert judgements["same"].verdict is Verdict.EQUAL
    assert judgements["slower"].verdict is Verdict.SLOWER


def test_of_many_changes_a_few_are_counted_again():
    known = {number: [(1000.0, 1020.0)] * 2 for number in range(20)}

    judgements, taken = counted(known, spared=list(known))

    assert sum(taken.values()) == 20 + CONFIRMED
    assert {judgement.verdict for judgement in judgements.values()} == {Verdict.SLOWER}


def test_a_change_that_its_repeat_denies_has_all_of_them_counted_again():
    known = {number: [(1000.0, 1020.0)] * 2 for number in range(20)}
    known[0] = [(1000.0, 1020.0), *[(1000.0, 1000.0 + at) for at in range(60)]]

    _, taken = counted(known, spared=list(known))

    assert min(taken.values()) == 2
