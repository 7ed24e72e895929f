"""The sheet as a table of sums, ready for levels over stretches of steps."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from sonde.methods.pinpointing.shared_steps.belief.alphabet import Alphabet
from sonde.methods.pinpointing.shared_steps.belief.arrays import Array, Flags, Integers

SPIKE_STEPS = 4  # within so many steps
SPIKE_WEIGHT = 1e-3  # of a value that cannot be repeated and that its neighbours contradict


@dataclass(frozen=True, eq=False)
class Readings:
    """What was measured, one entry a point."""

    rows: Integers  # the configurations: one a line
    line: Integers
    step: Integers
    count: Integers  # of runs
    mean: Array  # of their log values
    weight: Array  # one over the variance of that mean


@dataclass(frozen=True, eq=False)
class SumTable:
    """The sheet at one moment, ready for sums over stretches of steps.

    Sums run over the columns before the one that they stand at, so that the sum over columns i to j is
    `weights[:, j] - weights[:, i]`. A weight is one over the variance of a point's mean.
    """

    steps: Integers  # one a column, in increasing order
    weights: Array  # configurations x (columns + 1)
    totals: Array  # of weight times mean log value, less the line's own mean
    squares: Array  # of weight times the square of that
    points: Integers  # that were measured
    counts: Integers  # of runs
    held: Flags  # configurations x literals
    level: Array  # typical value of each configuration
    best_level: Array  # the lowest one among the configurations that have no further literals than it has

    def column(self, step: int) -> int:
        """The first column that is not before `step`."""
        return int(np.searchsorted(self.steps, step))


def make_table(readings: Readings, alphabet: Alphabet, grounded: Integers) -> SumTable:
    """Sums over readings; `grounded` are the literals of the lowest configuration."""
    lines = len(readings.rows)
    steps, columns = np.unique(readings.step, return_inverse=True)
    points = np.bincount(readings.line, minlength=lines)
    centre = np.bincount(readings.line, readings.mean, lines) / np.maximum(points, 1)
    deviation = readings.mean - centre[readings.line]

    def sums(values: Array) -> Array:
        cells = np.zeros((lines, len(steps) + 1))
        cells[readings.line, columns + 1] = values
        return np.cumsum(cells, axis=1)

    held = alphabet.holds(readings.rows)
    level = np.where(points > 0, np.exp(centre), np.exp(centre[points > 0]).max())
    return SumTable(
        steps.astype(np.int64),
        sums(readings.weight),
        sums(readings.weight * deviation),
        sums(readings.weight * deviation**2),
        sums(np.ones(len(readings.line))).astype(np.int64),
        sums(readings.count.astype(float)).astype(np.int64),
        held,
        level,
        _best_levels(held, level, grounded),
    )


def _best_levels(held: Flags, level: Array, grounded: Integers) -> Array:
    """The lowest level among the configurations that are part of each."""
    further = held.astype(np.float32)
    further[:, grounded] = 0.0
    is_part = further @ further.T == further.sum(axis=1)[:, None]  # of the second: the first
    return np.asarray(np.where(is_part, level[:, None], np.inf).min(axis=0))


def without_spikes(readings: Readings, deviation: float) -> Readings:
    """Readings in which points hardly count whose neighbours agree with each other and not with them."""
    order = np.lexsort((readings.step, readings.line))
    line, step, mean = readings.line[order], readings.step[order], readings.mean[order]
    weight = readings.weight.copy()
    if len(order) > 2:
        is_close = (line[2:] == line[:-2]) & (step[2:] - step[:-2] <= SPIKE_STEPS)
        agree = np.abs(mean[2:] - mean[:-2]) < 3 * deviation
        apart = np.minimum(np.abs(mean[1:-1] - mean[2:]), np.abs(mean[1:-1] - mean[:-2])) > 5 * deviation
        weight[order[1:-1][is_close & agree & apart]] *= SPIKE_WEIGHT
    return replace(readings, weight=weight)
