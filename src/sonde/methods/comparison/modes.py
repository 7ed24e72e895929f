"""Whether a change shows in some set-ups only: pairs whose ratios have two modes, one of them unchanged.

Each pair has a set-up of its own (docs/decisions/set-ups-are-drawn.md). A heap that ends just behind a
threshold, or two functions that share a cache line, slow the head by a lot in the set-ups in which that
happens, and by nothing in the others. Their typical ratio is that of no pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, log, log1p, sqrt
from statistics import median, stdev

import numpy as np

from sonde.core.findings.comparisons import Modes
from sonde.numerics.dip import SURE, has_several_modes

LEAST_PAIRS = 3  # of each mode: what fewer show may be a disturbed machine
LEAST_SHARE = 0.1  # of all pairs, for the same reason
WITHIN = (
    0.9  # of the pairs of the small mode: within the threshold, so that it is no noise that hides a change
)
ERRORS = 2.0  # standard errors that the small mode may lie from no change
NOTHING = 0.05  # of the large mode: what is less is none of it
BY_ORDER = 0.05  # chance of modes that go with the order of the runs as much


def modes_of(
    pairs: Sequence[tuple[float, float]],
    head_first: Sequence[bool],
    threshold: float,
    *,
    level: float = SURE,
) -> Modes | None:
    """The two modes of head / base, of which only one is a change; None where there is no such thing.

    The large mode is beyond the threshold, a share; the small one is no change, and they are a threshold
    apart. If the first run of a pair is slower than the second, ratios have two modes as well: that is noise,
    and is told by the order of the runs, which is drawn.
    """
    logs = [log(head) - log(base) for base, head in pairs]
    least = max(LEAST_PAIRS, LEAST_SHARE * len(logs))
    if len(logs) < 2 * least or not has_several_modes(logs, level):
        return None
    border = best_border(sorted(logs))
    groups = [each for each in logs if each < border], [each for each in logs if each >= border]
    small, large = sorted(groups, key=lambda mode: abs(median(mode)))
    if min(len(small), len(large)) < least or not _is_change(small, large, log1p(threshold)):
        return None
    is_high = [each >= border for each in logs]
    if chance_of_order(is_high, head_first) <= BY_ORDER:
        return None
    return Modes(median(large), len(large), median(small), len(small))


def best_border(ascending: Sequence[float]) -> float:
    """The least value of the upper one of two groups, in which values lie close to the mean."""
    values = np.array(ascending)
    numbers = np.arange(1, len(values))
    sums = np.cumsum(values)
    lower, upper = sums[:-1], sums[-1] - sums[:-1]
    explained = lower**2 / numbers + upper**2 / (len(values) - numbers)
    return float(values[np.argmax(explained) + 1])


def chance_of_order(is_high: Sequence[bool], head_first: Sequence[bool]) -> float:
    """Of two things that go with each other as much or more, if they have nothing to do with each other.

    R. A. Fisher: The Logic of Inductive Inference. 1935; the exact test, on both sides.
    """
    whole, high, first = len(is_high), sum(is_high), sum(head_first)
    both = sum(one and other for one, other in zip(is_high, head_first, strict=True))
    ways = {
        count: comb(high, count) * comb(whole - high, first - count)
        for count in range(max(0, high + first - whole), min(high, first) + 1)
    }
    return sum(each for each in ways.values() if each <= ways[both]) / comb(whole, first)


def _is_change(small: Sequence[float], large: Sequence[float], limit: float) -> bool:
    """Whether the large mode is a change, and the small one is none."""
    rest, change = median(small), median(large)
    unsure = ERRORS * stdev(small) / sqrt(len(small))
    is_within = sum(abs(each) < limit for each in small) >= WITHIN * len(small)
    is_nothing = abs(rest) <= max(unsure, NOTHING * abs(change))
    return is_within and is_nothing and min(abs(change), abs(change - rest)) >= limit
