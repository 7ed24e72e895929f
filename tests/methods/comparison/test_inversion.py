"""The estimate of a ratio and its interval: what the test does not reject."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.methods.comparison import inversion
from sonde.methods.comparison.inversion import estimate_and_interval
from sonde.methods.comparison.scores import scores
from sonde.numerics.sign_flips import probabilities
from tests.methods.comparison.noises import KINDS, normal, states

LEVELS = [0.002, 0.02, 0.2]
seeds, sizes, levels = st.integers(0, 10_000), st.sampled_from([14, 17, 25]), st.sampled_from(LEVELS)


def some_logs(kind, size, seed, effect=0.0):
    made = kind(np.random.default_rng(seed), size, 0.05)
    return made[:, 0], made[:, 1] + effect


def is_rejected(base, head, shift, level):
    rows = scores(base[None, :], (head - shift)[None, :])
    return probabilities(rows)[0] <= level


@settings(deadline=None)
@given(st.sampled_from(KINDS), sizes, seeds, levels)
def test_the_test_rejects_beyond_the_interval_and_not_at_its_ends(kind, size, seed, level):
    base, head = some_logs(kind, size, seed)
    middle, low, high = estimate_and_interval(base, head, level)

    assert low <= middle <= high
    for sign, end in ((-1, low), (1, high)):
        assert is_rejected(base, head, end + sign * 1e-9, level)
        assert not is_rejected(base, head, end - sign * 1e-9, level)
        for further in (0.001, 0.01, 0.1, 10.0):
            assert is_rejected(base, head, end + sign * further, level)
    assert not is_rejected(base, head, middle, level)


@pytest.mark.parametrize("kind", KINDS)
def test_the_grid_finds_what_a_look_at_every_shift_finds(kind, monkeypatch):
    known = [some_logs(kind, 20, seed) for seed in range(10)]
    by_grid = [estimate_and_interval(base, head, 0.01) for base, head in known]
    monkeypatch.setattr(inversion, "GRID", 10_000)

    assert by_grid == [estimate_and_interval(base, head, 0.01) for base, head in known]


@settings(deadline=None)
@given(st.sampled_from(KINDS), seeds, levels)
def test_turning_the_sides_around_turns_the_interval_around(kind, seed, level):
    base, head = some_logs(kind, 17, seed)
    middle, low, high = estimate_and_interval(base, head, level)

    assert estimate_and_interval(head, base, level) == pytest.approx((-middle, -high, -low))


@settings(deadline=None)
@given(seeds, st.floats(-2, 2))
def test_a_change_of_the_head_moves_all_of_it(seed, effect):
    base, head = some_logs(normal, 17, seed)
    expected = [each + effect for each in estimate_and_interval(base, head, 0.02)]

    assert estimate_and_interval(base, head + effect, 0.02) == pytest.approx(expected, abs=1e-9)


@settings(deadline=None)
@given(st.sampled_from(KINDS), seeds)
def test_a_stricter_level_gives_a_wider_interval(kind, seed):
    base, head = some_logs(kind, 17, seed)
    found = [estimate_and_interval(base, head, level) for level in LEVELS]

    assert [low for _, low, _ in found] == sorted(low for _, low, _ in found)
    assert [high for _, _, high in found] == sorted((high for _, _, high in found), reverse=True)
    assert len({middle for middle, _, _ in found}) == 1


def test_without_noise_it_has_no_width():
    base = np.full(20, 0.3)

    assert estimate_and_interval(base, base + 0.25, 0.01) == pytest.approx((0.25, 0.25, 0.25))


def test_a_difference_that_differs_from_pair_to_pair_and_never_within_has_no_width():
    base = np.arange(20) / 4

    assert estimate_and_interval(base, base + 0.5, 0.01) == (0.5, 0.5, 0.5)


@settings(deadline=None)
@given(seeds, st.integers(2, 5))
def test_coarse_values_are_no_trouble(seed, steps):
    rng = np.random.default_rng(seed)
    base, head = rng.integers(0, steps, 20) / 8, rng.integers(0, steps, 20) / 8
    middle, low, high = estimate_and_interval(base, head, 0.01)

    assert low <= middle <= high
    assert max(-low, high) <= (steps - 1) / 8


def test_neighbours_that_slow_single_runs_hardly_widen_it():
    """Two thirds of the runs are quiet; the others take a tenth longer."""
    widths = []
    for seed in range(20):
        base, head = some_logs(states, 40, seed, 0.03)
        _, low, high = estimate_and_interval(base, head, 0.02)
        widths.append(high - low)

    assert np.median(widths) < 0.02
