"""Where a likelihood stands out: section 3.3.1."""

from __future__ import annotations

import numpy as np

from sonde.methods.pinpointing.likelihoods.likelihood import Floats, Integers


def peaks(likelihood: Floats, factor: float) -> Integers:
    """The local maxima of a configuration's likelihood that exceed the threshold of eq. 6."""
    tops = local_maxima(likelihood)
    return tops[likelihood[tops] > peak_threshold(likelihood, factor)]


def peak_threshold(likelihood: Floats, factor: float) -> float:
    """t_CPL of eq. 6.

    It is printed with p' under the root, and with 1/|V| as its mean. That is the mean of the normalised p
    alone, to which the threshold is also compared; so p is meant throughout.
    """
    return average(likelihood) + factor * deviation(likelihood)


def average(likelihood: Floats) -> float:
    """1/|V|."""
    return 1.0 / len(likelihood)


def deviation(likelihood: Floats) -> float:
    """The root in eq. 6: how far a likelihood is from being the same everywhere."""
    return float(np.sqrt(np.mean((average(likelihood) - likelihood) ** 2)))


def local_maxima(values: Floats) -> Integers:
    """The middle of each stretch of equal values whose neighbours are both lower, in order.

    Beyond both ends everything is lower. Of two middles it is the later one: a change between two steps is
    that of the second.
    """
    starts = np.flatnonzero(np.concatenate(([True], values[1:] != values[:-1])))
    ends = np.concatenate((starts[1:], [len(values)])) - 1
    heights = np.concatenate(([-np.inf], values[starts], [-np.inf]))
    is_top = (heights[1:-1] > heights[:-2]) & (heights[1:-1] > heights[2:])
    middles: Integers = (starts + ends + 1) // 2
    return middles[is_top]
