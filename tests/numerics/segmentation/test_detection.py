"""The detector that is used by default."""

from math import exp, log, log1p

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sonde.numerics.segmentation.detection import DetectionSettings, detect_changes
from tests.numerics.segmentation.series import some_series

SEEDS = st.integers(0, 1000)


def positions(changes):
    return [change.position for change in changes]


def noisy(seed, levels, noise=0.01):
    """Values of log-normal noise around levels."""
    return np.asarray(levels) * np.exp(np.random.default_rng(seed).normal(0, noise, len(levels)))


@given(before=st.integers(6, 60), after=st.integers(6, 60), seed=SEEDS, ratio=st.sampled_from([0.7, 1.5]))
def test_a_planted_step_is_found_with_its_levels(before, after, seed, ratio):
    values = noisy(seed, [10.0] * before + [10.0 * ratio] * after)

    (change,) = detect_changes(values)

    assert change.position == before
    assert change.before == pytest.approx(10, rel=0.03)
    assert change.after == pytest.approx(10 * ratio, rel=0.03)
    assert change.effect == pytest.approx(log(change.after / change.before))
    assert change.effect_low < change.effect < change.effect_high


def test_the_interval_covers_nine_effects_in_ten():
    effects = [detect_changes(noisy(seed, [1.0] * 30 + [1.3] * 20, 0.02))[0] for seed in range(300)]

    covered = sum(change.effect_low <= log(1.3) <= change.effect_high for change in effects)

    assert 250 <= covered <= 288


@given(logs=some_series(shortest=20, longest=80), scale=st.floats(1e-3, 1e3))
def test_the_unit_does_not_matter(logs, scale):
    values = np.exp(logs / 20)

    assert positions(detect_changes(scale * values)) == positions(detect_changes(values))


@given(logs=some_series(shortest=20, longest=80))
def test_inverse_values_have_inverse_changes(logs):
    values = np.exp(logs / 20)

    changes, inverse = detect_changes(values), detect_changes(1 / values)

    assert positions(inverse) == positions(changes)
    assert [-change.effect for change in inverse] == pytest.approx([change.effect for change in changes])


@given(logs=some_series(shortest=20, longest=80))
def test_the_reverse_of_a_series_has_the_same_changes(logs):
    values = np.exp(logs / 20)

    backwards = positions(detect_changes(values[::-1]))

    assert [len(values) - position for position in reversed(backwards)] == positions(detect_changes(values))


@given(logs=some_series(shortest=20, longest=80), weight=st.floats(0.1, 50))
def test_equal_weights_do_not_matter(logs, weight):
    values = np.exp(logs / 20)

    weighted = detect_changes(values, weights=[weight] * len(values))

    assert positions(weighted) == positions(detect_changes(values))


@given(logs=some_series(shortest=6, longest=80), magnitude=st.floats(0.0, 0.5))
def test_every_change_has_the_magnitude_and_the_length(logs, magnitude):
    changes = detect_changes(np.exp(logs / 20), DetectionSettings(magnitude=magnitude))

    assert all(abs(change.effect) >= log1p(magnitude) for change in changes)
    assert all(np.diff([0, *positions(changes), len(logs)]) >= 3) or not changes


@given(
    seed=SEEDS,
    height=st.sampled_from([0.01, 0.5, 1.5, 100.0]),
    place=st.integers(0, 48),
    width=st.integers(1, 2),
)
@example(seed=209, height=0.01, place=41, width=2)
def test_a_spike_among_ordinary_values_is_no_change(seed, height, place, width):
    values = np.clip(noisy(seed, np.ones(50)), exp(-0.015), exp(0.015))
    values[place : place + width] *= height

    assert detect_changes(values) == ()


def test_a_spike_is_hardly_ever_continued_by_noise():
    """Beside two values that are far away, one that is by chance makes three, which is no spike."""
    alarms = 0
    for seed in range(1000):
        values = noisy(seed, np.ones(50))
        values[41:43] *= 0.01
        alarms += detect_changes(values) != ()

    assert alarms <= 10


@given(seed=SEEDS, place=st.integers(5, 40))
def test_what_stays_for_three_values_is_two_changes(seed, place):
    values = noisy(seed, np.ones(50))
    values[place : place + 3] *= 1.5

    assert positions(detect_changes(values)) == [place, place + 3]


def test_heavy_tails_raise_hardly_an_alarm():
    alarms = [
        detect_changes(np.exp(0.01 * np.random.default_rng(seed).standard_t(2, 300))) for seed in range(150)
    ]

    assert sum(map(bool, alarms)) <= 2


def test_small_steps_are_merged_into_one_that_matters():
    values = [exp(0.04 * step) for step in (0, 1, 2) for _ in range(40)]

    (change,) = detect_changes(values)

    assert change.position in {40, 80}
    assert change.effect == pytest.approx(0.06)


@given(length=st.integers(0, 60), value=st.floats(1e-6, 1e6))
def test_a_constant_series_has_no_change(length, value):
    assert detect_changes([value] * length) == ()


@given(values=st.lists(st.floats(1e-3, 1e3), max_size=5))
def test_less_than_two_segments_have_no_change(values):
    assert detect_changes(values) == ()


@given(seed=SEEDS, place=st.integers(5, 40))
def test_settings_can_ask_for_spikes(seed, place):
    values = noisy(seed, np.ones(50))
    values[place] *= 1.5

    assert positions(detect_changes(values, DetectionSettings(shortest=1))) == [place, place + 1]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.nan, "Value 2 of the series is nan. Leave such values out."),
        (0.0, "Value 2 of the series is 0.0. Leave out what is not positive."),
        (-1.0, "Value 2 of the series is -1.0. Leave out what is not positive."),
    ],
)
def test_values_without_a_log_are_refused(value, message):
    with pytest.raises(ValueError) as refusal:
        detect_changes([1.0, 1.0, value])

    assert str(refusal.value) == message


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"noise_floor": 0.0}, "'noise_floor' is 0.0, but it has to be positive."),
        ({"penalty": np.nan}, "'penalty' is nan, but it has to be positive."),
        ({"shortest": 0}, "'shortest' is 0, but a segment has one value at least."),
        ({"magnitude": -0.1}, "'magnitude' is -0.1, but it cannot be negative."),
    ],
)
def test_settings_that_make_no_sense_are_refused(settings, message):
    with pytest.raises(ValueError) as refusal:
        DetectionSettings(**settings)

    assert str(refusal.value) == message
