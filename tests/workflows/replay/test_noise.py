"""How noisy the values of a recording are."""

import pytest

from sonde.core.errors import UsageError
from sonde.workflows.replay.noise import parse_noise


@pytest.mark.parametrize(
    ("text", "noise"), [("0", 0.0), ("0.1%", 0.001), (" 5 % ", 0.05), (".25", 0.25), ("0.", 0.0)]
)
def test_noise_is_a_share_or_percent(text, noise):
    assert parse_noise(text) == pytest.approx(noise)


@pytest.mark.parametrize("text", ["", "much", "-1%", "1", "100%", "1e-3"])
def test_what_is_no_share_is_a_mistake(text):
    with pytest.raises(UsageError, match="is invalid"):
        parse_noise(text)
