"""The posterior of a gap against all segmentations of its window, weighed one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.history_sampling.facts import Array
from sonde.methods.history_sampling.shared_changes.local_posterior import REACH, Windows, local_posterior
from tests.methods.history_sampling.made_series import SOME_EXAMPLES

LEVEL_DEVIATION = 0.35
COLUMNS = 2 * REACH
MIDDLE = REACH - 1  # the gap in question lies behind this column


@st.composite
def some_windows(draw, most_beside=3):
    """Rows with 1 to some samples on either side of the middle; nothing is there farther out."""
    rows = draw(st.integers(1, 3))
    values, weights = np.zeros((rows, COLUMNS)), np.zeros((rows, COLUMNS))
    prior = np.ones((rows, COLUMNS - 1))
    for row in range(rows):
        first = MIDDLE + 1 - draw(st.integers(1, most_beside))
        end = MIDDLE + 1 + draw(st.integers(1, most_beside))
        for column in range(first, end):
            values[row, column] = draw(st.sampled_from([0.0, 0.1, -0.4]) | st.floats(-0.5, 0.5))
            weights[row, column] = draw(st.sampled_from([1.0, 1.0, 0.5, 4.0]))
        for gap in range(first, end - 1):
            prior[row, gap] = draw(st.floats(1e-4, 0.9))
        values[row, :first], values[row, end:] = draw(st.floats(-9, 9)), np.nan  # not to be looked at
    with np.errstate(divide="ignore"):
        stay = np.where(prior < 1, np.log1p(-np.where(prior < 1, prior, 0.0)), 0.0)
    noise = np.array([draw(st.floats(0.005, 0.2)) for _ in range(rows)])
    return Windows(values, weights, np.log(prior), stay, noise)


@dataclass(frozen=True)
class Segmentation:
    """One way to cut the samples of a window; segments are lists of columns."""

    segments: list[list[int]]
    log_probability: float  # prior and evidence, up to a constant


def segmentations(windows: Windows, row: int) -> Iterator[Segmentation]:
    columns = np.flatnonzero(windows.weights[row]).tolist()
    for is_cut in product([False, True], repeat=len(columns) - 1):
        cuts = [at + 1 for at, cut in enumerate(is_cut) if cut]
        segments = [columns[first:end] for first, end in pairwise([0, *cuts, len(columns)])]
        prior = sum(
            float((windows.log_change if cut else windows.log_stay)[row, column])
            for column, cut in zip(columns[:-1], is_cut, strict=True)
        )
        yield Segmentation(segments, prior + sum(log_evidence(windows, row, part) for part in segments))


def log_evidence(windows: Windows, row: int, columns: list[int]) -> float:
    """Log density of samples that share a level, which is normal around 0: they are jointly normal."""
    values = windows.values[row, columns]
    covariance = LEVEL_DEVIATION**2 + np.diag(windows.noise[row] ** 2 / windows.weights[row, columns])
    _, log_determinant = np.linalg.slogdet(2 * np.pi * covariance)
    return float(-0.5 * (log_determinant + values @ np.linalg.solve(covariance, values)))


def level_of(windows: Windows, row: int, columns: list[int]) -> tuple[float, float]:
    """Mean and variance of the level that these samples share."""
    precisions = windows.weights[row, columns] / windows.noise[row] ** 2
    variance = 1 / (1 / LEVEL_DEVIATION**2 + precisions.sum())
    return float(variance * (precisions @ windows.values[row, columns])), float(variance)


def mixed(parts: list[tuple[float, float, float]]) -> tuple[float, float]:
    """Mean and variance of a mixture of (log weight, mean, variance)."""
    logs, means, variances = np.array(parts).T
    weights = np.exp(logs - logs.max()) / np.exp(logs - logs.max()).sum()
    mean = float(weights @ means)
    return mean, float(weights @ (variances + means**2)) - mean**2


@SOME_EXAMPLES
@given(windows=some_windows())
def test_it_is_the_sum_over_all_segmentations(windows):
    posterior = local_posterior(windows, LEVEL_DEVIATION)

    for row in range(len(windows.values)):
        change: list[float] = []
        stay: list[float] = []
        left, right, flat = [], [], []
        for found in segmentations(windows, row):
            (before,) = (part for part in found.segments if MIDDLE in part)
            (behind,) = (part for part in found.segments if MIDDLE + 1 in part)
            if before is behind:
                stay.append(found.log_probability)
                flat.append((found.log_probability, *level_of(windows, row, before)))
            else:
                change.append(found.log_probability)
                left.append((found.log_probability, *level_of(windows, row, before)))
                right.append((found.log_probability, *level_of(windows, row, behind)))
        highest = max(change + stay)
        of_change, of_stay = (np.exp(np.array(logs) - highest).sum() for logs in (change, stay))
        assert posterior.change[row] == pytest.approx(of_change / (of_change + of_stay), abs=1e-9)
        for levels, parts in ((posterior.left, left), (posterior.right, right), (posterior.flat, flat)):
            mean, variance = mixed(parts)
            assert levels.mean[row] == pytest.approx(mean, abs=1e-9)
            assert levels.variance[row] == pytest.approx(variance, abs=1e-9)


def test_windows_without_a_missing_sample_are_no_exception():
    rng = np.random.default_rng(5)
    shape = (2, COLUMNS)
    prior = rng.uniform(0.01, 0.5, (2, COLUMNS - 1))
    values = rng.normal(0, 0.1, shape) + 0.3 * (np.arange(COLUMNS) > MIDDLE + 2)
    windows = Windows(
        values, rng.uniform(0.5, 2, shape), np.log(prior), np.log1p(-prior), np.array([0.05, 0.2])
    )

    posterior = local_posterior(windows, LEVEL_DEVIATION)

    for row in range(2):
        assert posterior.change[row] == pytest.approx(by_recursion(windows, row), abs=1e-9)


def by_recursion(windows: Windows, row: int) -> float:
    """The same sum, once with a change in the middle and once in all, from the last sample backwards."""

    def total(must_cut: bool) -> float:
        tail: dict[int, float] = {COLUMNS: 0.0}
        for first in reversed(range(COLUMNS)):
            parts = []
            for end in range(first + 1, COLUMNS + 1):
                if must_cut and first <= MIDDLE and end > MIDDLE + 1:
                    continue
                stay = float(windows.log_stay[row, first : end - 1].sum())
                cut = float(windows.log_change[row, end - 1]) if end < COLUMNS else 0.0
                parts.append(log_evidence(windows, row, list(range(first, end))) + stay + cut + tail[end])
            tail[first] = float(np.logaddexp.reduce(parts))
        return tail[0]

    return float(np.exp(total(must_cut=True) - total(must_cut=False)))


@SOME_EXAMPLES
@given(windows=some_windows(most_beside=REACH))
def test_it_does_not_matter_from_which_side_one_looks(windows):
    straight = local_posterior(windows, LEVEL_DEVIATION)
    turned = local_posterior(windows.mirrored(), LEVEL_DEVIATION)

    def equal(one: Array, other: Array) -> None:
        np.testing.assert_allclose(one, other, atol=1e-9)

    equal(straight.change, turned.change)
    for one, other in (
        (straight.left, turned.right),
        (straight.right, turned.left),
        (straight.flat, turned.flat),
    ):
        equal(one.mean, other.mean)
        equal(one.variance, other.variance)


@given(jump=st.floats(0.15, 1.0), noise=st.floats(0.005, 0.02), prior=st.floats(0.01, 0.3))
def test_a_large_jump_is_a_change_and_equal_samples_are_none(jump, noise, prior):
    weights = np.ones((2, COLUMNS))
    values = np.zeros((2, COLUMNS))
    values[0, : MIDDLE + 1], values[0, MIDDLE + 1 :] = -jump / 2, jump / 2
    gaps = np.full((2, COLUMNS - 1), prior)
    windows = Windows(values, weights, np.log(gaps), np.log1p(-gaps), np.full(2, noise))

    posterior = local_posterior(windows, LEVEL_DEVIATION)

    assert posterior.change[0] > 0.99
    assert posterior.change[1] < prior
    assert posterior.right.mean[0] - posterior.left.mean[0] == pytest.approx(jump, rel=0.02)
