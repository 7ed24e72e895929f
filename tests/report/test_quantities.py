from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.results import Metric
from sonde.report.quantities import counted, duration, percent, quantity
from sonde.report.tables import shortened, table, width


@pytest.mark.parametrize(
    ("value", "metric", "text"),
    [
        (0.0123456, Metric.CPU, "12.35 ms"),
        (2.0, Metric.WALL, "2 s"),
        (33_901_234, Metric.INSTRUCTIONS, "33.9 M"),
        (812, Metric.INSTRUCTIONS, "812"),
        (4_500_000, Metric.MEMORY, "4.5 MB"),
        (0.0, Metric.CPU, "0 s"),
        (1.5, Metric.PRINTED, "1.5"),
    ],
)
def test_values_have_four_digits_and_a_unit(value, metric, text):
    assert quantity(value, metric) == text


def test_durations_ratios_and_counts_read_well():
    assert [duration(s) for s in (8.24, 59.99, 200, 7500)] == ["8.2 s", "60.0 s", "3 min 20 s", "2 h 5 min"]
    assert [percent(r) for r in (1.1, 0.5, 1.0)] == ["+10.0 %", "-50.0 %", "+0.0 %"]
    assert [counted(n, "run") for n in (0, 1, 2000)] == ["0 runs", "1 run", "2,000 runs"]


@given(st.text(), st.integers(3, 40))
def test_a_shortened_text_fits_on_its_line(text, most):
    short = shortened(text, most)

    assert width(short) <= most
    assert "\n" not in short


@given(st.lists(st.tuples(st.text("abc é日"), st.text("abc")), min_size=1, max_size=5))
def test_columns_of_a_table_are_aligned(rows):
    lines = table(["first", "second"], [[a, f"|{b}"] for a, b in rows]).split("\n")[1:]

    assert len({width(line[: line.index("|")]) for line in lines}) == 1
