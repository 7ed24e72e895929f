"""What the product said, as the study tells it."""

from __future__ import annotations

from studies.check.product import Told, _told, product_table


def test_a_verdict_is_told_with_its_interval():
    said = {
        "benchmark": "calls",
        "verdict": "slower",
        "ratio": {"low": 1.019, "high": 1.122, "pairs": 15},
    }

    assert _told("calm", "planted", said) == Told(
        "calm", "planted", "calls", "slower", "+1.9 % to +12.2 %", 15
    )


def test_a_verdict_without_a_ratio_is_told_as_well():
    told = _told("calm", "same", {"benchmark": "calls", "verdict": "broken", "ratio": None})

    assert product_table([told]).endswith("| calm | same | calls | broken | - | 0 |")
