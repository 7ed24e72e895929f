"""The one place that decides."""

from __future__ import annotations

from math import log1p

from hypothesis import given
from hypothesis import strategies as st

from sonde.core.findings.comparisons import Ratio, Verdict
from sonde.methods.comparison.deciding import decide, is_settled

ends = st.tuples(st.floats(-1, 1), st.floats(-1, 1)).map(sorted)
thresholds = st.floats(0.001, 0.5)


def ratio(low, high, log=None):
    return Ratio((low + high) / 2 if log is None else log, low, high, 10, 0.001)


def test_every_place_of_the_interval_has_its_verdict():
    said = {
        (-0.02, 0.03): Verdict.EQUAL,
        (0.01, 0.04): Verdict.EQUAL,
        (0.01, 0.06): Verdict.SLOWER,
        (0.07, 0.09): Verdict.SLOWER,
        (-0.06, -0.01): Verdict.FASTER,
        (-0.06, 0.01): Verdict.INCONCLUSIVE,
        (-0.01, 0.06): Verdict.INCONCLUSIVE,
        (0.0, 0.06): Verdict.INCONCLUSIVE,
    }

    for (low, high), verdict in said.items():
        assert decide(ratio(low, high), 0.05, is_discovery=True) is verdict


@given(ends, thresholds)
def test_an_interval_narrower_than_the_threshold_decides(interval, threshold):
    low, high = interval
    if high - low < log1p(threshold):
        assert decide(ratio(low, high), threshold, is_discovery=True) is not Verdict.INCONCLUSIVE


@given(ends, thresholds, st.floats(-1, 1), st.booleans())
def test_what_the_interval_holds_is_never_denied(interval, threshold, truth, is_discovery):
    low, high = interval
    verdict = decide(ratio(low, high), threshold, is_discovery=is_discovery)
    if low <= truth <= high:
        assert not (verdict is Verdict.EQUAL and abs(truth) >= log1p(threshold))
        assert not (verdict is Verdict.SLOWER and truth <= 0)
        assert not (verdict is Verdict.FASTER and truth >= 0)


@given(ends, thresholds)
def test_slower_turned_around_is_faster(interval, threshold):
    low, high = interval
    turned = {Verdict.SLOWER: Verdict.FASTER, Verdict.FASTER: Verdict.SLOWER}
    verdict = decide(ratio(low, high), threshold, is_discovery=True)

    assert decide(ratio(-high, -low), threshold, is_discovery=True) is turned.get(verdict, verdict)


@given(ends, thresholds)
def test_what_may_be_a_chance_find_is_no_change(interval, threshold):
    verdict = decide(ratio(*interval), threshold, is_discovery=False)

    assert verdict in (Verdict.EQUAL, Verdict.INCONCLUSIVE)


def test_a_change_is_settled_if_it_will_hardly_turn_out_to_be_equal():
    assert is_settled(ratio(0.01, 0.2, 0.06), Verdict.SLOWER, 0.05, 40)
    assert is_settled(ratio(-0.2, -0.01, -0.06), Verdict.FASTER, 0.05, 40)
    assert is_settled(ratio(0.033, 0.06, 0.0465), Verdict.SLOWER, 0.05, 40)
    assert not is_settled(ratio(0.01, 0.05, 0.03), Verdict.SLOWER, 0.05, 40)
    assert not is_settled(ratio(-0.05, -0.01, -0.03), Verdict.FASTER, 0.05, 40)
    assert not is_settled(ratio(-0.1, 0.3, 0.1), Verdict.INCONCLUSIVE, 0.05, 40)
    assert is_settled(ratio(0.0, 0.01), Verdict.EQUAL, 0.05, 40)
