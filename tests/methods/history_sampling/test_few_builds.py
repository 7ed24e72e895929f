"""Timed histories of a few distinct builds: repeats say how noisy they are, for the series cannot."""

from __future__ import annotations

from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.core.findings.histories import SeriesHistory
from sonde.methods.history_sampling.bisecting import Bisecting
from sonde.methods.history_sampling.greedy import GreedyPolicy
from sonde.methods.history_sampling.planner import HistoryPlanner
from sonde.methods.history_sampling.shared_changes.policy import SharedChanges
from sonde.methods.history_sampling.widest_gap import WidestGap
from tests.methods.history_sampling.made_series import made_series, play, result_of

RUNS = 5
NOISE = 0.01  # of a run
policies = pytest.mark.parametrize(
    "policy", [SharedChanges(), GreedyPolicy(), WidestGap()], ids=["shared-changes", "greedy", "paper"]
)
some_lengths = st.lists(st.integers(1, 5), min_size=2, max_size=8)  # revisions of each build


def history_of(lengths, logs, policy, seed, noise=NOISE) -> SeriesHistory:
    """What is said of builds that take exp(log), each of so many revisions in a row."""
    kinds = [build for build, length in enumerate(lengths) for _ in range(length)]
    rng = np.random.default_rng(seed)
    runs = np.exp(np.asarray(logs)[:, None] + rng.normal(0.0, noise, (len(lengths), 4 * RUNS)))
    series = made_series(len(kinds), kinds=kinds, runs=RUNS, most_runs=4 * RUNS)
    planner = HistoryPlanner([series], len(kinds), Bisecting(policy))
    for build in range(len(lengths)):
        planner.tell([result_of(series.point(kinds.index(build)), runs[build, :RUNS].tolist())])
    play(planner, lambda _, position, run: float(runs[kinds[position], run]))
    (history,) = planner.histories()
    return history


@policies
@settings(max_examples=50)
@given(
    lengths=some_lengths,
    sizes=st.lists(st.sampled_from([0.0, 0.0, 0.1, -0.1, 0.4]), min_size=7, max_size=7),
    seed=st.integers(0, 10**6),
)
def test_each_change_is_reported_at_its_build_and_no_other(policy, lengths, sizes, seed):
    """Steps of ten noises: also one at the second build or at the last, and several in a row."""
    rises = sizes[: len(lengths) - 1]

    history = history_of(lengths, [0.0, *accumulate(rises)], policy, seed)

    firsts = list(accumulate(lengths))
    truth = [first for first, rise in zip(firsts, rises, strict=False) if rise]
    assert [change.position for change in history.changes] == truth
    assert all(change.is_exact for change in history.changes)


@policies
@settings(max_examples=50)
@given(lengths=some_lengths, seed=st.integers(0, 10**6))
def test_builds_that_take_the_same_have_no_change(policy, lengths, seed):
    assert history_of(lengths, [0.0] * len(lengths), policy, seed).changes == ()


@policies
@pytest.mark.parametrize("builds", range(2, 9))
def test_a_change_near_the_threshold_is_found_in_most_histories(policy, builds):
    logs = [0.0] * (builds - 1) + [np.log(1.07)]

    found = [history_of([2] * builds, logs, policy, seed).changes for seed in range(20)]

    assert sum([change.position for change in changes] == [2 * builds - 2] for changes in found) >= 19


@policies
def test_runs_that_scatter_widely_show_no_small_change(policy):
    found = [history_of([2, 2], [0.0, 0.06], policy, seed, noise=0.3).changes for seed in range(20)]

    assert sum(map(bool, found)) <= 4
