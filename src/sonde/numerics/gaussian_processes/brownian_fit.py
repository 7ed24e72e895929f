"""Hyperparameters of a Brownian motion by maximum marginal likelihood.

Only the ratio of noise to growth needs a search: given it, the best scale has a closed form. So the search is
in one dimension, over all magnitudes that matter, and misses only a peak narrower than half of one.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log, log10, pi

import numpy as np
from scipy.optimize import minimize_scalar

from sonde.numerics.gaussian_processes.brownian import BrownianMotion, Start, with_start
from sonde.numerics.gaussian_processes.brownian_steps import ObservationSteps
from sonde.numerics.gaussian_processes.observations import Observations, require_noise_at_duplicates

PRECISION = 1e-9  # values that vary by a smaller part of the largest one count as constant
NEGLIGIBLE = 1e-3  # a part of the variance that changes nothing any more
POINTS_A_DECADE = 2
LOG_TOLERANCE = 1e-7


def fit_variance(observations: Observations, noise_variance: float, start: Start) -> BrownianMotion:
    """The motion whose variance is the most likely one, given the noise.

    Constant values give a variance that is tiny, but positive.
    """
    seen = with_start(observations, start)
    require_noise_at_duplicates(seen, noise_variance)
    steps = _fittable_steps(seen)
    if not np.any(noise_variance * seen.relative_noise):
        _, square = steps.determinant_and_square(1.0, 0.0)
        variance = max(square / steps.sizes.size, _least_variance(seen))
        return BrownianMotion(variance, noise_variance, start)
    least = noise_variance / _most_ratio(seen)
    narrowest = max(float(np.min(steps.widths[steps.widths > 0])), PRECISION * _mean_width(seen))
    most = float(np.ptp(seen.values)) ** 2 / narrowest  # all change in the narrowest step
    variance = _maximise(lambda each: steps.log_density(each, noise_variance), least, max(most, 10 * least))
    return BrownianMotion(variance, noise_variance, start)


def fit_variance_and_noise(observations: Observations, start: Start) -> BrownianMotion:
    """The motion whose variance and noise variance are the most likely ones.

    Neither is ever 0, but where the values show no sign of one, it is too small to matter: the noise is at
    least 1e-9 of the growth over a mean step. Constant values give tiny ones.
    """
    if not np.any(observations.relative_noise):
        raise ValueError("Every observation is exact, so there is no noise to fit. Use `fit_variance`.")
    seen = with_start(observations, start)
    require_noise_at_duplicates(seen, 1.0)
    steps = _fittable_steps(seen)
    number, least_variance = steps.sizes.size, _least_variance(seen)

    def variance_and_likelihood(ratio: float) -> tuple[float, float]:
        log_determinant, square = steps.determinant_and_square(1.0, ratio)
        variance = max(square / number, least_variance)
        return variance, -0.5 * (number * log(2 * pi * variance) + log_determinant + square / variance)

    ratio = _maximise(
        lambda each: variance_and_likelihood(each)[1], PRECISION * _typical_ratio(seen), _most_ratio(seen)
    )
    variance, _ = variance_and_likelihood(ratio)
    return BrownianMotion(variance, ratio * variance, start)


def _fittable_steps(seen: Observations) -> ObservationSteps:
    steps = ObservationSteps.between(seen)
    if not np.any(steps.widths):
        raise ValueError(
            "All observations are at one position, so the variance is unknown. Observe another one."
        )
    return steps


def _least_variance(seen: Observations) -> float:
    scale = float(np.max(np.abs(seen.values))) or 1.0
    return (PRECISION * scale) ** 2 / _mean_width(seen)


def _typical_ratio(seen: Observations) -> float:
    """The ratio of noise variance to variance at which a mean step is half noise, half growth."""
    return _mean_width(seen) / float(np.mean(seen.relative_noise))


def _most_ratio(seen: Observations) -> float:
    """A ratio at which all growth is negligible beside the noise of the mean of all observations."""
    return _typical_ratio(seen) * seen.positions.size**2 / NEGLIGIBLE


def _mean_width(seen: Observations) -> float:
    return float(seen.positions[-1] - seen.positions[0]) / seen.positions.size


def _maximise(function: Callable[[float], float], low: float, high: float) -> float:
    """Where a function of a positive number is largest: by a grid of magnitudes, then by Brent's method."""
    number = 2 + int(POINTS_A_DECADE * log10(high / low))
    grid = np.linspace(log(low), log(high), number)
    heights = [function(exp(each)) for each in grid]
    best = int(np.argmax(heights))
    found = minimize_scalar(
        lambda logarithm: -function(exp(logarithm)),
        bounds=(grid[max(best - 1, 0)], grid[min(best + 1, number - 1)]),
        method="bounded",
        options={"xatol": LOG_TOLERANCE},
    )
    return exp(found.x) if -found.fun >= heights[best] else exp(grid[best])
