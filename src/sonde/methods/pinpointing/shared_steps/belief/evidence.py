"""How well a term explains the steps of many configurations at one place.

Configurations in which the term holds should step by a common height, the others not at all. The height is
common either as a difference (influences add up, section 2.1 of the paper) or as a ratio; both are weighed.
Heights may be graded: each deviates from the common one by a part of the highest, but does not vanish. A
configuration that steps though the term does not hold is a stray one, which is unlikely but not impossible;
without that allowance a second change nearby would make every term wrong but that of the core.

For a common height h with prior N(0, s^2), steps x with variances v (graded), and A = sum x / v and
B = sum 1 / v over the configurations in which the term holds, the log evidence against no step at all is

    A^2 / (2 (B + 1 / s^2)) - log(1 + s^2 B) / 2 + sum (log N(x; 0, v) - log f(x)),

where f is the density of a step that is none. It is a sum over configurations but for A and B, so that the
evidence of many terms takes three products of matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import log

import numpy as np

from sonde.methods.pinpointing.shared_steps.belief.arrays import Array, Flags
from sonde.methods.pinpointing.shared_steps.belief.boundary import StepHeights
from sonde.methods.pinpointing.shared_steps.belief.settings import SearchSettings
from sonde.methods.pinpointing.shared_steps.belief.table import SumTable

CLEARLY = 2.0  # standard deviations
SURELY = 4.0
SILENT = 0.2  # of the highest step: what is surely smaller is none

Product = Callable[[Array], Array]  # sums over the configurations in which terms hold


@dataclass(frozen=True, eq=False)
class Reading:
    """Steps on one scale, ready to be summed over configurations; of shape (configurations, ...)."""

    weighted: Array  # height / variance
    weight: Array  # 1 / variance
    worth: Array  # log N(x; 0, v) - log f(x)
    prior_variance: float

    def only(self, lines: Flags) -> Reading:
        """The reading of some configurations."""
        return Reading(self.weighted[lines], self.weight[lines], self.worth[lines], self.prior_variance)

    def evidence(self, over: Product) -> Array:
        """The log evidence of the terms that `over` sums for."""
        total, weight = over(self.weighted), over(self.weight)
        return (
            0.5 * total**2 / (weight + 1.0 / self.prior_variance)
            - 0.5 * np.log1p(self.prior_variance * weight)
            + over(self.worth)
        )

    def height(self, over: Product) -> Array:
        """The common height of the terms that `over` sums for."""
        return over(self.weighted) / (over(self.weight) + 1.0 / self.prior_variance)


def negligible_steps(table: SumTable, threshold: float, settings: SearchSettings) -> Array:
    """Steps, as log ratios, that no configuration can show as one that matters.

    A difference that is small against the value of this configuration may be large against that of a smaller
    one in which the same literals hold, but no larger than against the smallest.
    """
    return threshold * settings.negligible * table.best_level / table.level


def readings(
    steps: StepHeights,
    table: SumTable,
    negligible: Array,
    settings: SearchSettings,
    stray: float,
    contradiction: float = 0.0,
) -> Sequence[Reading]:
    """The steps as differences and as ratios."""
    shape = (-1,) + (1,) * (steps.height.ndim - 1)
    level, floor = table.level.reshape(shape), negligible.reshape(shape)
    noise = np.where(steps.is_known, steps.variance, 1.0)
    ratio = np.clip(steps.height, -20.0, 20.0)
    difference = np.expm1(ratio) * level
    scale = (np.exp(np.minimum(ratio, 0.0)) * level) ** 2
    found = []
    for height, factor, prior in (
        (difference, scale, float(table.level.min()) ** 2),
        (ratio, np.ones(ratio.shape), settings.step_deviation**2),
    ):
        reading, highest = _reading(
            height, factor * (noise + floor**2), steps.is_known, prior, settings, stray
        )
        # Heights may be graded, but not down to nothing: what surely does not step contradicts.
        at_most = np.abs(height) + SURELY * np.sqrt(factor * noise)
        is_silent = steps.is_known & (at_most < SILENT * highest)
        found.append(replace(reading, worth=reading.worth - np.where(is_silent, contradiction, 0.0)))
    return found


def _reading(
    height: Array,
    variance: Array,
    is_known: Flags,
    prior_variance: float,
    settings: SearchSettings,
    stray: float,
) -> tuple[Reading, Array]:
    """A reading, and the highest step that is clearly there."""
    clear = np.where(is_known, np.maximum(np.abs(height) - CLEARLY * np.sqrt(variance), 0.0), 0.0)
    highest = clear.max(axis=0, keepdims=True)
    graded = variance + (settings.grading * highest) ** 2
    without = _log_density(height, variance)
    if stray:
        elsewhere = _log_density(height, variance + highest**2)
        without = np.logaddexp(without + log(1.0 - stray), elsewhere + log(stray))
    weight = np.where(is_known, 1.0 / graded, 0.0)
    worth = np.where(is_known, _log_density(height, graded) - without, 0.0)
    return Reading(weight * height, weight, worth, prior_variance), highest


def _log_density(height: Array, variance: Array) -> Array:
    """Of N(0, variance), but for a constant."""
    return np.asarray(-0.5 * height**2 / variance - 0.5 * np.log(variance))


def evidence_of(found: Sequence[Reading], over: Product) -> Array:
    """The log evidence under either scale, which are equally likely beforehand."""
    first, second = (reading.evidence(over) for reading in found)
    return np.asarray(np.logaddexp(first, second) - log(2.0))
