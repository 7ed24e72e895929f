"""Our Brownian motion equals GPy's, which the paper used, along series like those of real histories."""

import numpy as np
import pytest

from sonde.numerics.gaussian_processes.brownian import BrownianMotion, StartAt
from sonde.numerics.gaussian_processes.brownian_fit import fit_variance_and_noise
from sonde.numerics.gaussian_processes.observations import Observations
from tests.numerics.gaussian_processes import gpy

# Revisions count from 1, since GPy's motion is 0 at position 0.
REVISIONS = 400


def steps_and_drift(rng):
    """Seconds: two changes of 30 % and 10 %, a slow drift, noise of 1 %."""
    level = np.where(np.arange(REVISIONS) < 130, 18.0, 12.6) * np.where(np.arange(REVISIONS) < 300, 1.0, 1.1)
    drift = np.linspace(1.0, 1.05, REVISIONS)
    return level * drift * rng.normal(1.0, 0.01, REVISIONS)


def microbenchmark(rng):
    """Milliseconds: no change, noise of 3 % and spikes of 40 %."""
    spikes = np.where(rng.random(REVISIONS) < 0.03, 1.4, 1.0)
    return 2.5 * spikes * rng.normal(1.0, 0.03, REVISIONS)


def filled_failures(rng):
    """A walk, where a third of the revisions did not build and repeats the last value."""
    walk = 100.0 + np.cumsum(rng.normal(0.0, 0.5, REVISIONS))
    has_built = rng.random(REVISIONS) > 1 / 3
    has_built[0] = True
    return walk[np.maximum.accumulate(np.where(has_built, np.arange(REVISIONS), 0))]


def some_cases(noise_variance, iterations):
    rng = np.random.default_rng(1)
    for series in (steps_and_drift, microbenchmark, filled_failures):
        values = series(rng)
        measured = np.sort(rng.choice(REVISIONS, 40, replace=False))
        yield gpy.Case(
            positions=(measured + 1.0).tolist(),
            values=values[measured].tolist(),
            grid=np.arange(1.0, REVISIONS + 1).tolist(),
            variance=float(np.var(np.diff(values))),
            noise_variance=noise_variance,
            iterations=iterations,
        )


@pytest.fixture(scope="module")
def answers():
    """Cases and GPy's answers, all from one process, since GPy takes seconds to start."""
    if not gpy.is_installed():
        pytest.skip("GPy is not installed: run scripts/setup .venv-peers peers")
    cases = [*some_cases(0.01, 0), *some_cases(1.0, 0), *some_cases(1.0, 1000)]
    return list(zip(cases, gpy.ask(cases), strict=True))


def test_means_variances_and_likelihoods_are_those_of_gpy(answers):
    for case, answer in answers:
        motion = BrownianMotion(answer.variance, answer.noise_variance + gpy.ADDED_NOISE, StartAt(0.0))
        observations = Observations.of(case.positions, case.values)
        posterior = motion.condition(observations)

        # GPy subtracts from the variance before any observation, so it cannot be more exact than this.
        rounding = 1e-14 * motion.variance * REVISIONS

        np.testing.assert_allclose(posterior.mean(case.grid), answer.means, rtol=1e-6)
        np.testing.assert_allclose(posterior.variance(case.grid), answer.variances, rtol=1e-6, atol=rounding)
        assert motion.log_marginal_likelihood(observations) == pytest.approx(answer.log_likelihood, rel=1e-6)


def test_our_fit_is_at_least_as_likely_as_that_of_gpy(answers):
    for case, answer in answers:
        observations = Observations.of(case.positions, case.values)
        fitted = fit_variance_and_noise(observations, StartAt(0.0))

        assert fitted.log_marginal_likelihood(observations) >= answer.log_likelihood - 1e-4
