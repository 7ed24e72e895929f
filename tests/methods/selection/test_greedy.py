"""Algorithm 1 of the paper: as printed it does not end; ours ends, and covers what can be covered."""

from __future__ import annotations

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.selection.greedy import (
    OF_COST,
    OF_PAPER,
    Disjunction,
    GreedyLearner,
    Templates,
    Term,
    cover,
)
from sonde.methods.selection.predictors import ReachedAndChanged
from tests.methods.selection.made_examples import example

# Table II: deleted functions, added functions; P1 and P3 are hits.
P1, P2, P3 = {"del": 5, "new": 9}, {"del": 5, "new": 3}, {"del": 10, "new": 1}
DEL_AND_NEW = ["del", "new"]
BY_TEMPLATE = Templates((("del",), ("new",)))


class DoesNotEnd(Exception):
    """The algorithm has made more steps than there are hits."""


def as_printed(hits, dismisses, indicators, start=0):
    """Algorithm 1 line by line; `start` is what line 18 sets."""

    def all_hits(indicator, threshold, tuples):
        return [each for each in tuples if each[indicator] >= threshold]

    chosen, min_price = [], []
    for h in hits:
        best = (inf, None, None)
        for i in indicators:
            threshold = h[i]  # maxthresh
            price = len(all_hits(i, threshold, dismisses))
            if price < best[0]:
                best = (price, i, threshold)
        min_price.append(best)
    left = list(range(len(hits)))
    steps = 0
    while left:
        steps += 1
        if steps > len(hits):
            raise DoesNotEnd
        target: tuple[str | None, float | None] = (None, None)
        max_min_price = start
        for h in left:
            if min_price[h][0] > max_min_price:
                target, max_min_price = min_price[h][1:], min_price[h][0]
        if target[0] is None:
            continue
        chosen.append(target)
        left = [h for h in left if hits[h][target[0]] < target[1]]
    return chosen


def test_as_printed_it_does_not_end_on_the_papers_own_example():
    with pytest.raises(DoesNotEnd):
        as_printed([P1, P3], [P2], DEL_AND_NEW)


def test_the_papers_own_example_gives_the_papers_predictor():
    terms, uncoverable = cover([P1, P3], [P2], BY_TEMPLATE)
    predictor = Disjunction(terms, 2, uncoverable)

    assert set(terms) == {Term((("del", 10.0),)), Term((("new", 9.0),))}
    assert [predictor.runs(each) for each in (P1, P2, P3)] == [True, False, True]
    assert predictor.words() in {
        "Run a benchmark if 10 or more functions were deleted, or if 9 or more functions are new.",
        "Run a benchmark if 9 or more functions are new, or if 10 or more functions were deleted.",
    }


values = st.fixed_dictionaries({name: st.integers(0, 6).map(float) for name in ("del", "new", "rdel")})
OF_THREE = Templates((("del",), ("new",), ("rdel",)))


def price(predicts, misses):
    return sum(map(predicts, misses))


@given(hits=st.lists(values, min_size=1, max_size=6), misses=st.lists(values, max_size=8))
def test_every_hit_that_shows_is_covered_and_thresholds_are_above_zero(hits, misses):
    terms, uncoverable = cover(hits, misses, OF_THREE)
    predictor = Disjunction(terms, len(hits), uncoverable)

    assert all(predictor.runs(hit) is any(hit.values()) for hit in hits)
    assert uncoverable == sum(not any(hit.values()) for hit in hits)
    assert all(threshold > 0 for term in terms for _, threshold in term.conditions)
    assert not predictor.runs({"del": 0.0, "new": 0.0, "rdel": 0.0})
    assert len(terms) <= len(hits)


@given(hits=st.lists(values, min_size=1, max_size=6), misses=st.lists(values, max_size=8))
def test_every_hit_is_covered_at_the_price_that_the_printed_algorithm_would_pay_for_it(hits, misses):
    shown = [hit for hit in hits if all(hit.values())]  # without thresholds of zero
    if not shown:
        return
    printed = as_printed(shown, misses, ["del", "new", "rdel"], start=-1)
    terms, _ = cover(shown, misses, OF_THREE)

    def of_ours(name, threshold):
        return price(lambda each: each[name] >= threshold, misses)

    # Ties may be broken otherwise; the dearest hit costs the same.
    assert max(of_ours(*term.conditions[0]) for term in terms) == max(of_ours(*each) for each in printed)


def test_of_indicators_with_one_price_the_one_that_covers_most_hits_is_taken():
    hits = [{"del": 3, "new": 1}, {"del": 3, "new": 2}, {"del": 0, "new": 1}]

    assert cover(hits, [], BY_TEMPLATE)[0] == (Term((("new", 1.0),)),)


def test_a_hit_without_any_change_is_told_and_does_not_make_everything_run():
    learned = GreedyLearner(BY_TEMPLATE).learn(
        [example(True, new=4), example(True, new=0), example(False, new=0)]
    )

    assert learned.warnings == ("1 of 2 hits are visible in no indicator, so no rule covers them.",)
    assert not learned.runs({"new": 0.0, "del": 0.0})
    assert learned.runs({"new": 4.0, "del": 0.0})


@pytest.mark.parametrize("examples", [[], [example(False, share=3)]], ids=["nothing", "no hits"])
def test_without_hits_whatever_changed_runs(examples):
    learned = GreedyLearner().learn(examples)

    assert isinstance(learned, ReachedAndChanged)
    assert learned.runs({"share": 0.001})


def test_thresholds_leave_room_below_the_smallest_hit():
    learned = GreedyLearner().learn([example(True, share=60, weight=8), example(True, share=50, weight=10)])

    assert learned.runs({"share": 13.0, "weight": 0.0})
    assert not learned.runs({"share": 12.0, "weight": 30.0})


def test_several_conditions_together_need_enough_hits():
    hits = [example(True, share=60 + n, weight=8 + n) for n in range(9)]
    misses = [example(False, share=80, weight=0.1)]

    # With eight, a condition on the weight may be a matter of chance.
    assert GreedyLearner().learn([*hits[1:], *misses]).runs({"share": 80.0, "weight": 0.1})
    assert not GreedyLearner().learn([*hits, *misses]).runs({"share": 80.0, "weight": 0.1})


def test_a_hit_by_constants_alone_is_covered():
    learned = GreedyLearner().learn(
        [example(True, share=0, weight=0, objch=1), example(False, share=1, objch=0)]
    )

    assert learned.words() == "Run a benchmark if 1 or more constants or texts it reads changed."
    assert learned.why({"objch": 2.0}) == "constants or texts it reads that changed: 2"
    assert learned.why({"objch": 0.0}).startswith("below the rule's limits")


@pytest.mark.parametrize("templates", [OF_PAPER, OF_COST], ids=["paper", "cost"])
@given(data=st.data())
def test_what_is_learned_covers_all_hits_that_changed_anything(templates, data):
    names = sorted({name for template in templates.templates for name in template})
    any_values = st.fixed_dictionaries({name: st.floats(0, 100) for name in names})
    hits = data.draw(st.lists(any_values, min_size=1, max_size=12))
    misses = data.draw(st.lists(any_values, max_size=12))
    learned = GreedyLearner(templates).learn(
        [example(True, **hit) for hit in hits] + [example(False, **miss) for miss in misses]
    )

    for hit in hits:
        if hit.get("share", hit.get("del", 0.0)) > 1e-9:
            assert learned.runs(hit)


def test_without_a_proof_what_is_not_reached_is_skipped_where_nothing_is_known():
    learned = GreedyLearner(OF_PAPER).learn([])

    assert learned.runs({"rlen": 1.0, "len": 1.0})
    assert not learned.runs({"rlen": 0.0, "len": 1.0, "del": 3.0})
    assert learned.why({"del": 3.0}) == "no code that it reaches changed"
