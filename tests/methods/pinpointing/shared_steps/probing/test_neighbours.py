"""The size of a change is the difference of two measured revisions, and as exact as these are."""

import pytest

from sonde.methods.pinpointing.shared_steps.belief.sheet import NOISE_UNKNOWN
from tests.methods.pinpointing.shared_steps.made_searches import SIX, search_in, subject_of, term

CHANGED = term(o2=True)
FLOOR = 0.001  # of a counted metric


def test_the_size_of_a_counted_change_is_exact_where_runs_agree():
    searched = search_in(subject_of(SIX, (60, CHANGED, 4.0)), noise_floor=FLOOR, is_counted=True)

    (found,) = searched.findings
    assert found.effect_high - found.effect_low < 2 * NOISE_UNKNOWN


@pytest.mark.parametrize("noise", [0.0003, 0.002])
def test_the_size_of_a_counted_change_is_as_certain_as_repeats_are(noise: float):
    subject = subject_of(SIX, (60, CHANGED, 4.0), noise=noise)
    searched = search_in(subject, noise_floor=FLOOR, is_counted=True)

    (found,) = searched.findings
    assert noise / 4 < found.effect_high - found.effect_low < 10 * noise


def test_the_size_of_a_timed_change_keeps_what_no_repetition_lowers():
    searched = search_in(subject_of(SIX, (60, CHANGED, 4.0)), noise_floor=FLOOR)

    (found,) = searched.findings
    assert found.effect_high - found.effect_low > 2 * FLOOR
