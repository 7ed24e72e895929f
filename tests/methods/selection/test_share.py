"""The share with a conformal threshold keeps what it promises, or says that it cannot."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.selection.predictors import ReachedAndChanged
from sonde.methods.selection.share import ShareLearner, ShareRule, least_hits, score
from tests.methods.selection.made_examples import example


def learned(shares, catch=0.95, others=()):
    hits = [example(True, revision=f"r{at}", share=share) for at, share in enumerate(shares)]
    return ShareLearner(catch).learn([*hits, *(example(False, share=share) for share in others)])


@pytest.mark.parametrize(("catch", "hits"), [(0.95, 19), (0.9, 9), (0.99, 99), (0.5, 1), (0.8, 4)])
def test_a_promise_takes_so_many_hits(catch, hits):
    assert least_hits(catch) == hits
    assert isinstance(learned([50.0] * hits, catch), ShareRule)
    if hits > 1:
        rule = learned([50.0] * (hits - 1), catch)
        assert isinstance(rule, ReachedAndChanged)
        assert f"takes {hits} revisions that changed performance" in rule.words()


def test_the_threshold_is_the_smallest_hit_that_may_not_be_missed():
    rule = learned(range(1, 40), others=[0.5, 0.7, 30])

    assert isinstance(rule, ShareRule)
    assert rule.threshold == 2  # of 39 hits, 5 % of 40 may lie below
    assert rule.words() == (
        "Run a benchmark if functions with at least 2 % of its cost changed "
        "(finds 95 % of changes, by 39 revisions with some; skips 67 % of the unproven rest)."
    )


def test_hits_of_one_revision_count_once_and_pairs_further_apart_not_at_all():
    together = [example(True, revision="r", share=share) for share in range(20, 60)]
    apart = [replace(example(True, revision=f"r{at}", share=9), hops=2) for at in range(40)]

    rule = ShareLearner(0.5).learn([*together, *apart])

    assert isinstance(rule, ShareRule)
    assert (rule.threshold, rule.revisions) == (20, 1)
    assert isinstance(ShareLearner(0.95).learn([*together, *apart]), ReachedAndChanged)


@given(st.lists(st.floats(0.001, 100), min_size=19, max_size=60), st.floats(0.5, 0.95))
def test_no_more_hits_lie_below_than_may_be_missed(shares, catch):
    rule = learned(shares, catch)

    missed = sum(not rule.runs({"share": share}) for share in shares)
    assert missed <= (1 - catch) * (len(shares) + 1)


def test_the_promise_is_kept_on_average_over_new_hits():
    rng = np.random.default_rng(1)
    caught = []
    for _ in range(2000):
        *known, new = rng.lognormal(size=25).tolist()
        caught.append(learned(known, 0.9).runs({"share": new}))

    assert np.mean(caught) > 0.88  # three standard errors below 0.9


def test_hits_that_show_in_no_function_leave_no_rule():
    assert isinstance(learned([0.0] * 20), ReachedAndChanged)


def test_constants_count_by_who_reads_them_and_always_where_nobody_knows():
    assert score({"share": 3.0, "readshare": 40.0, "objch": 1.0}) == 40
    assert score({"share": 0.0, "objch": 1.0}) == inf
    assert score({"share": 0.2, "objch": 1.0}) == 0.2
    assert score({}) == 0
