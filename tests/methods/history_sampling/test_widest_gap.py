"""The paper's policy against the Gaussian process that it stands for."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from sonde.methods.history_sampling.facts import Array, SeriesFacts
from sonde.methods.history_sampling.widest_gap import WidestGap
from sonde.numerics.gaussian_processes.dense import GaussianProcess, Posterior
from sonde.numerics.gaussian_processes.kernels import Brownian
from sonde.numerics.gaussian_processes.observations import Observations
from tests.methods.history_sampling.made_series import (
    SOME_EXAMPLES,
    assert_valid,
    facts_of,
    planner_of,
    play,
    position_of,
    series_facts,
    some_facts,
    some_series_facts,
)


def oracle(steps: list[int], values: Array, variance: float) -> Posterior:
    """The process of eq. 8, which begins at the first step; there it is known, so that is no observation."""
    process = GaussianProcess(Brownian(variance), mean=float(values[0]))
    return process.condition(Observations.of(np.array(steps[1:]) - steps[0], values[1:]))


def open_steps(series: SeriesFacts, known: list[int]) -> list[int]:
    return [step for step in range(series.steps) if series.is_open[step] and step not in known]


# In the widest gap nothing but its edges can be measured.
EDGES_ONLY = series_facts(21, {0: 0.0, 12: 0.0, 20: 0.0}, failing=range(3, 10))


@SOME_EXAMPLES
@given(series=some_series_facts(), at_most=st.integers(1, 8))
@example(series=EDGES_ONLY, at_most=8)
def test_each_pick_is_an_open_step_of_the_largest_variance(series, at_most):
    known = sorted(series.known.tolist())
    for pick in WidestGap().choose(facts_of(series), at_most):
        unknown = open_steps(series, known)
        if not known or unknown[0] < known[0]:
            assert pick.step == unknown[0]
        elif unknown[-1] > known[-1]:
            assert pick.step == unknown[-1]
        else:
            variances = oracle(known, np.zeros(len(known)), 1.0).variance(np.array(unknown) - known[0])
            assert variances[unknown.index(pick.step)] == pytest.approx(variances.max())
        known = sorted([*known, pick.step])


@SOME_EXAMPLES
@given(steps=st.integers(3, 200), count=st.integers(1, 40), batch=st.integers(1, 7))
def test_each_pick_halves_a_widest_gap_in_batches_too(steps, count, batch):
    planner = planner_of(WidestGap(), 1, steps, allowance=min(count + 2, steps))

    asked = [position_of(request.point) for request in play(planner, lambda *_: 1.0, batch=batch)]

    assert asked[:2] == [0, steps - 1]
    for at in range(2, len(asked)):
        gaps = list(pairwise(sorted(asked[:at])))
        first, last = next(gap for gap in gaps if gap[0] < asked[at] < gap[1])
        assert last - first == max(last - first for first, last in gaps)
        assert abs(2 * asked[at] - first - last) <= 1


@SOME_EXAMPLES
@given(facts=some_facts, at_most=st.integers(0, 12))
def test_picks_are_valid(facts, at_most):
    assert_valid(WidestGap().choose(facts, at_most), facts, at_most)


@SOME_EXAMPLES
@given(facts=some_facts)
def test_it_asks_for_all_that_is_open_and_allowed(facts):
    picks = WidestGap().choose(facts, 10_000)

    for at, series in enumerate(facts.series):
        wanted = min(series.allowance, int(series.is_open.sum()))
        assert sum(pick.series == at for pick in picks) == wanted


@SOME_EXAMPLES
@given(data=st.data(), steps=st.integers(2, 30))
def test_means_and_bands_are_those_of_the_process(data, steps):
    measured = sorted(data.draw(st.sets(st.integers(0, steps - 1), min_size=2)))
    values = np.array([data.draw(st.floats(0.5, 2.0)) for _ in measured])
    assume(np.ptp(values) > 0.01)

    (inferred,) = WidestGap().infer(
        facts_of(series_facts(steps, dict(zip(measured, np.log(values), strict=True))))
    )

    # The variance of largest likelihood: the mean of the squared rises, each over its distance.
    variance = float(np.mean(np.diff(values) ** 2 / np.diff(measured)))
    inside = np.arange(measured[0], measured[-1] + 1)
    posterior = oracle(measured, values, variance)
    mean = posterior.mean(inside - measured[0])
    reach = 1.6449 * np.sqrt(posterior.variance(inside - measured[0]))
    assert inferred is not None
    np.testing.assert_allclose(np.exp(inferred.mean[inside]), mean, rtol=1e-6)
    np.testing.assert_allclose(np.exp(inferred.high[inside]), mean + reach, rtol=1e-4)
    is_positive = mean - reach > values.min() / 100  # where the band of a time is not cut
    np.testing.assert_allclose(
        np.exp(inferred.low[inside])[is_positive], (mean - reach)[is_positive], rtol=1e-3
    )


@SOME_EXAMPLES
@given(series=some_series_facts())
def test_bands_hold_the_mean_and_changes_lie_inside(series):
    (inferred,) = WidestGap().infer(facts_of(series))

    if inferred is None:
        assert not len(series.measured)
        return
    assert (inferred.low <= inferred.mean + 1e-12).all()
    assert (inferred.mean <= inferred.high + 1e-12).all()
    assert np.isfinite([inferred.low, inferred.mean, inferred.high]).all()
    for shift in inferred.shifts:
        assert 0 < shift.earliest <= shift.step <= shift.latest < series.steps
