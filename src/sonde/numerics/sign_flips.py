"""How likely a sum is as far from zero as this one, if the sign of each of its values is drawn fairly.

R. A. Fisher: The Design of Experiments. 1935. The sums of few values, or of many with few different sizes,
are enumerated. Otherwise the tail is that of the saddlepoint (R. Lugannani, S. O. Rice: Saddle Point
Approximation for the Distribution of the Sum of Independent Random Variables. 1980), with the cumulants of
drawn signs, K(t) = sum(log cosh(t a)). The scores of tests are of such sizes that it is right to 5 % of a
probability above 0.002, and to 20 % above 0.0002.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

MOST_SIGNS = 20  # values of which all signs are tried
MOST_SUMS = 2**13  # different ones that are enumerated, where sizes are tied
SAME = 1e-9  # of the largest: sizes that differ by less are tied
NEAR_ZERO = 0.02  # deviations, from where on a series is safer than the difference of two large numbers
MOST_STEPS = 100  # to a saddlepoint


def probabilities(rows: Array) -> Array:
    """Of a sum as far from zero on either side, for each row of values; 1 if all of them are zero."""
    sizes = np.sort(np.abs(rows), axis=1)[:, ::-1]
    largest = sizes[:, :1]
    sizes = np.divide(sizes, largest, out=np.zeros_like(sizes), where=largest > 0)
    sizes[sizes < SAME] = 0.0
    scale = np.where(largest[:, 0] > 0, largest[:, 0], 1.0)
    totals = np.minimum(np.abs(rows.sum(axis=1)) / scale, sizes.sum(axis=1))
    counts = np.count_nonzero(sizes, axis=1)
    found = np.ones(len(rows))
    for count in set(counts[counts <= MOST_SIGNS].tolist()) - {0}:
        chosen = counts == count
        found[chosen] = _of_all_signs(sizes[chosen, :count], totals[chosen])
    is_large = counts > MOST_SIGNS
    is_tied = is_large & (_log_sums(sizes) <= np.log(MOST_SUMS))
    for at in np.flatnonzero(is_tied):
        found[at] = _of_all_sums(sizes[at, : counts[at]], totals[at])
    chosen = is_large & ~is_tied
    if chosen.any():
        found[chosen] = _of_saddlepoints(sizes[chosen], totals[chosen], counts[chosen])
    return found


def least_probability(count: int) -> float:
    """The smallest that there is with so many values: all signs agree."""
    return min(2.0 ** (1 - count), 1.0)


def _of_all_signs(sizes: Array, totals: Array) -> Array:
    """By all sums of one half of the values, for each of which those of the other half are looked up."""
    count, half = sizes.shape[1], sizes.shape[1] // 2
    ones, others = _sums(sizes[:, :half]), np.sort(_sums(sizes[:, half:]), axis=1)
    apart = (np.arange(len(sizes)) * 4.0 * count)[:, None]  # so that one search serves all rows
    wanted = (totals - SAME)[:, None] - ones + apart
    below = np.searchsorted((others + apart).ravel(), wanted.ravel()).reshape(wanted.shape)
    ends = (np.arange(len(sizes)) + 1)[:, None] * others.shape[1]
    found: Array = np.where(totals > SAME, 2 * (ends - below).sum(axis=1) / 2.0**count, 1.0)
    return found


def _sums(sizes: Array) -> Array:
    """With all signs, for each row."""
    sums = np.zeros((len(sizes), 1))
    for size in sizes.T:
        sums = np.concatenate([sums - size[:, None], sums + size[:, None]], axis=1)
    return sums


def _log_sums(sizes: Array) -> Array:
    """The logarithm of how many different sums there may be: for each size, how often it is positive."""
    numbers = np.arange(sizes.shape[1])
    is_first = np.ones(sizes.shape, dtype=bool)
    is_first[:, 1:] = sizes[:, :-1] - sizes[:, 1:] > SAME
    repeated = numbers - np.maximum.accumulate(np.where(is_first, numbers, 0), axis=1) + 1
    logs: Array = np.sum(np.where(sizes > 0, np.log1p(1 / repeated), 0.0), axis=1)
    return logs


def _of_all_sums(sizes: Array, total: float) -> float:
    """By adding one size after the other, with the binomial distribution of its signs."""
    from scipy.special import comb

    starts = np.flatnonzero(np.concatenate(([True], sizes[:-1] - sizes[1:] > SAME)))
    sums, chances = np.zeros(1), np.ones(1)
    for size, times in zip(sizes[starts], np.diff(np.append(starts, len(sizes))), strict=True):
        ups = np.arange(times + 1)
        sums = (sums[:, None] + size * (2 * ups - times)).ravel()
        chances = (chances[:, None] * (comb(times, ups) / 2.0**times)).ravel()
    return min(float(chances[np.abs(sums) >= total - SAME * len(sizes)].sum()), 1.0)


def _of_saddlepoints(sizes: Array, totals: Array, counts: Array) -> Array:
    """By the formula of Lugannani and Rice; where all signs agree, or nearly, by counting."""
    deviations = np.sqrt((sizes**2).sum(axis=1))
    weights, z = sizes / deviations[:, None], totals / deviations
    do_agree = totals >= sizes.sum(axis=1) - SAME * counts
    least = np.ldexp(2.0, -counts.astype(int))  # 2^(1 - count)
    found = np.where(do_agree, least, 1.0)
    inner = ~do_agree
    if inner.any():
        tails = _tails(weights[inner], z[inner])
        found[inner] = np.clip(tails, 2 * least[inner], 1.0)  # at least this sum and the one that agrees
    return found


def _tails(weights: Array, z: Array) -> Array:
    """Two-sided; the squares of the weights add up to 1."""
    from scipy.special import ndtr

    t = _saddlepoints(weights, z)
    bent = np.abs(weights * t[:, None])
    cumulants = np.sum(bent + np.log1p(np.exp(-2 * bent)) - np.log(2), axis=1)
    curvature = np.sum((weights / np.cosh(np.minimum(bent, 300.0))) ** 2, axis=1)
    w = np.sqrt(np.maximum(2 * (t * z - cumulants), 0.0))
    u = t * np.sqrt(curvature)
    is_near = z < NEAR_ZERO
    with np.errstate(divide="ignore", invalid="ignore"):
        # 1 / u - 1 / w = -kappa_4 t / 8 + ..., and the fourth cumulant of drawn signs is -2 sum(a^4)
        correction = np.where(is_near, t * np.sum(weights**4, axis=1) / 4, 1 / u - 1 / w)
    density = np.exp(-(w**2) / 2) / np.sqrt(2 * np.pi)
    tails: Array = 2 * (ndtr(-w) + density * correction)
    return tails


def _saddlepoints(weights: Array, z: Array) -> Array:
    """Where the slope of the cumulants, sum(a tanh(t a)), is z.

    The slope is concave and at most t, so that Newton's steps from t = z rise to the saddlepoint.
    """
    t = z.copy()
    for _ in range(MOST_STEPS):
        bent = np.tanh(weights * t[:, None])
        missing = z - np.sum(weights * bent, axis=1)
        curvature = np.sum(weights**2 * (1 - bent**2), axis=1)
        step = np.where(curvature > 1e-12, missing / np.maximum(curvature, 1e-12), 0.0)
        t = t + np.maximum(step, 0.0)
        if np.all(step <= 1e-8 * (1 + t)):
            break
    return t
