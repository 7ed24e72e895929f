import math

from hypothesis import given
from hypothesis import strategies as st

from sonde.core.findings.histories import Known
from sonde.report.page.packing import RESOLUTION, PointState, packed_rows, rows_of
from tests.report.made_histories import Step, some_series, stepped
from tests.report.page.unpacking import plain, unpacked

ALL = 10_000


@given(series=some_series(), at_most=st.integers(1, 200))
def test_rows_come_back_as_they_were_packed(series, at_most):
    rows = rows_of(series, at_most)

    assert unpacked(packed_rows(rows), len(rows)) == plain(rows)


@given(series=some_series())
def test_each_value_comes_back_within_the_resolution(series):
    rows = plain(rows_of(series, ALL))

    for position, estimate in enumerate(series.estimates):
        row = [each for each in rows if each.start <= position][-1]
        if estimate is not None:
            for steps, value in (
                (row.low, estimate.value),
                (row.low - row.below, min(estimate.low, estimate.value)),
                (row.high + row.above, max(estimate.high, estimate.value)),
            ):
                assert value <= 0 or abs(steps * RESOLUTION - math.log(value)) <= RESOLUTION


@given(series=some_series(), at_most=st.integers(1, 30))
def test_buckets_keep_the_extremes_and_every_state(series, at_most):
    whole, bucketed = plain(rows_of(series, ALL)), plain(rows_of(series, at_most))
    valued = [row for row in whole if row.states & ~PointState.FAILED]

    assert len(bucketed) <= at_most
    assert _states(bucketed) == _states(whole)
    if valued:
        assert max(row.high for row in bucketed) >= max(row.high for row in valued)
        assert min(row.low for row in bucketed if row.states & ~PointState.FAILED) <= min(
            row.low for row in valued
        )


def _states(rows):
    states = 0
    for row in rows:
        states |= row.states
    return states


def test_states_are_told_apart():
    series = stepped(10, 1.0, absent=(9,), failed=(5,), measured_every=4)

    found = [row_state(series, position) for position in range(10)]

    assert found[0] == PointState.MEASURED
    assert found[1] == PointState.PROVEN
    assert found[2] == PointState.ESTIMATED
    assert found[5] == PointState.FAILED
    assert found[9] == 0
    third = series.estimates[2]
    assert third is not None
    assert third.known is Known.ESTIMATED


def row_state(series, position):
    return [row for row in plain(rows_of(series, ALL)) if row.start <= position][-1].states


def test_equal_successive_revisions_are_one_row():
    assert len(rows_of(stepped(100, 1.0, [Step(50, 2.0)], measured_every=1, band=0.0), ALL)) == 2
