"""What a ratio and a check can say of themselves."""

from __future__ import annotations

from dataclasses import replace
from math import inf, log1p

import pytest

from sonde.core.findings.comparisons import Ratio
from tests.report.made_checks import EQUAL, NOTHING, SLOWER

LEAST = log1p(0.05)


@pytest.mark.parametrize(
    ("pairs", "width", "needed"),
    [
        (40, 1.0, 60),  # it is narrow enough, but did not decide: half as many again
        (40, 1.4, 80),
        (40, 1.9, 150),
        (6, 2.0, 30),
        (40, 4.9, 970),
        (40, 5.1, None),
        (6, inf, None),
    ],
)
def test_how_many_pairs_decide_follows_from_the_width_of_the_interval(pairs, width, needed):
    ratio = Ratio(0.0, -width * LEAST / 2, width * LEAST / 2, pairs, 1.0)

    assert ratio.pairs_to_decide(0.05) == needed


def test_time_is_lost_where_what_is_left_out_takes_less_than_leaving_it_out():
    share = 1 - len(SLOWER.compared) / SLOWER.cases
    paid = replace(SLOWER, seconds_all=100.0, seconds_narrowing=0.9 * 100.0 * share)
    lost = replace(SLOWER, seconds_all=100.0, seconds_narrowing=10.0 + 100.0 * share)

    assert paid.seconds_lost == 0.0
    assert lost.seconds_lost == pytest.approx(10.0)
    assert replace(lost, seconds_all=None).seconds_lost == 0.0
    assert replace(EQUAL, seconds_all=1.0, seconds_narrowing=9.0).seconds_lost == 0.0  # nothing is left out
    assert replace(NOTHING, seconds_all=1.0, seconds_narrowing=9.0).seconds_lost == pytest.approx(8.0)
