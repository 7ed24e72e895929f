"""When a history is known well enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sonde.methods.history_sampling.policy import Inferred
from sonde.numerics.normal import NORMAL_95

MEAN_OF_NORMAL = 0.798  # mean absolute value of a normal variable of deviation 1


@dataclass(frozen=True)
class Never:
    """Only a budget ends it."""


@dataclass(frozen=True)
class NoMoreThanNoise:
    """Eq. 10: no revision is less certain than the noise, t_stop, that so many runs of one revision show.

    With fewer measured revisions than the paper begins with (Figure 4), a change between two of them leaves
    no trace: two ends of the same value would be a certain history.
    """

    runs: int = 5
    fewest: int = 5  # measured revisions


@dataclass(frozen=True)
class ErrorBelow:
    """The expected relative error, averaged over the revisions and the series, is below this."""

    error: float
    fewest: int = 2  # measured revisions: one alone says nothing of how the course moves


StoppingRule = Never | NoMoreThanNoise | ErrorBelow


def reason_to_stop(
    rule: StoppingRule, inferred: Sequence[Inferred | None], noise_variances: Sequence[float | None]
) -> str | None:
    """Why nothing more needs to be measured; None if something does."""
    known = [(one, noise) for one, noise in zip(inferred, noise_variances, strict=True) if one is not None]
    if not known:
        return None
    deviations = [(one.high - one.low) / (2 * NORMAL_95) for one, _ in known]
    match rule:
        case Never():
            return None
        case ErrorBelow(error):
            expected = float(np.mean([MEAN_OF_NORMAL * deviation.mean() for deviation in deviations]))
            return f"the expected error is {expected:.1%}, below {error:.2%}" if expected < error else None
        case NoMoreThanNoise():
            noises = [noise for _, noise in known]
            certain = [
                (each**2).max() - one.noise**2 for each, (one, _) in zip(deviations, known, strict=True)
            ]
            pairs = zip(certain, noises, strict=True)
            if all(noise is not None and variance <= noise for variance, noise in pairs):  # eq. 10
                return "every revision is as certain as the noise allows"
            return None
