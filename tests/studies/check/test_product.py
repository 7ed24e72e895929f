"""What the product said, as the study tells it."""

from __future__ import annotations

from math import inf

from studies.check.product import Told, _told, product_table


def test_a_verdict_is_told_with_its_interval():
    said = {
        "benchmark": "sort",
        "verdict": "slower",
        "ratio": {"low": 1.019, "high": 1.122, "pairs": 15},
    }

    told = _told("calm", "planted", said)
    assert told == Told("calm", "planted", "sort", "slower", 1.019, 1.122, 15)
    assert told.is_covering


def test_an_interval_below_what_was_planted_does_not_cover_it():
    assert not Told("calm", "planted", "sort", "equal", 1.027, 1.047, 10).is_covering
    assert Told("calm", "same", "sort", "equal", 0.97, 1.047, 10).is_covering


def test_verdicts_of_a_workload_share_a_row():
    told = [
        Told("calm", "planted", "sort", "slower", 1.019, 1.122, 15),
        Told("calm", "planted", "sort", "equal", 1.027, 1.047, 10),
        _told("calm", "planted", {"benchmark": "script", "verdict": "broken", "ratio": None}),
    ]

    assert told[-1].high == inf
    assert product_table(told).splitlines()[2:] == [
        "| calm | planted | sort | 2 | 1 slower, 1 equal | 1 | 12.5 |",
        "| calm | planted | script | 1 | 1 broken | 1 | 0.0 |",
    ]
