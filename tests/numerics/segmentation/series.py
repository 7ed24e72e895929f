"""Random series for the tests, and the costs of segmentations, computed plainly."""

from collections.abc import Sequence
from itertools import pairwise
from math import inf

import numpy as np
from hypothesis import strategies as st

from sonde.numerics.segmentation.series import Array


@st.composite
def some_series(draw, shortest: int = 0, longest: int = 40) -> Array:
    """Noise around levels that change at random places; no two values are likely to be equal."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    length = draw(st.integers(shortest, longest))
    rate = draw(st.sampled_from([0.0, 0.05, 0.2]))
    levels = np.cumsum(rng.normal(0, 4, length) * (rng.random(length) < rate))
    return np.asarray(levels + rng.normal(0, 1, length))


@st.composite
def some_weights(draw, length: int) -> Array:
    repeats = draw(st.lists(st.integers(1, 9), min_size=length, max_size=length))
    return np.array(repeats, dtype=np.float64)


def deviation(values: Array, weights: Array) -> float:
    """Squared, from the mean."""
    mean = np.average(values, weights=weights)
    return float(np.sum(weights * (values - mean) ** 2))


def total_cost(values: Array, changes: Sequence[int], penalty: float, weights: Array | None = None) -> float:
    counts = np.ones(len(values)) if weights is None else weights
    edges = [0, *changes, len(values)]
    costs = [deviation(values[start:end], counts[start:end]) for start, end in pairwise(edges)]
    return sum(costs) + penalty * len(changes)


def optimal_partitioning(values: Array, penalty: float, weights: Array, shortest: int) -> tuple[int, ...]:
    """The quadratic dynamic programme (Jackson and others, 2005): the best begin of each last segment."""
    least, begins = [-penalty], [0]
    for end in range(1, len(values) + 1):
        costs = [
            least[begin] + penalty + deviation(values[begin:end], weights[begin:end])
            if end - begin >= shortest
            else inf
            for begin in range(end)
        ]
        least.append(min(costs))
        begins.append(costs.index(min(costs)))
    changes: list[int] = []
    end = begins[-1]
    while end > 0:
        changes.insert(0, end)
        end = begins[end]
    return tuple(changes)
