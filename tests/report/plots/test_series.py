from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.core.findings.histories import Estimate, Known, SeriesHistory
from sonde.core.results import Metric
from sonde.report.glyphs import ASCII, UNICODE, Glyphs
from sonde.report.plots.axis_numbers import numbers_line
from sonde.report.plots.scales import LEAST_SPAN, scale_of
from sonde.report.plots.series import HEIGHT, plot
from sonde.report.tables import width as width_of
from tests.report.made_histories import Step, history_of, some_series, stepped

widths = st.integers(40, 250)
glyph_sets = st.sampled_from([UNICODE, ASCII])


def drawn(series: SeriesHistory, width: int = 100, glyphs: Glyphs = UNICODE) -> list[str]:
    return plot(series, history_of(len(series.estimates)), width, glyphs=glyphs)


def cells(lines: list[str]) -> list[str]:
    """What is inside the axes."""
    return [re.split("[│┤]", line, maxsplit=1)[1] for line in lines[:HEIGHT]]


def numbers_in(line: str) -> list[int]:
    return [
        number
        for first, last in re.findall(r"(\d+)(?:-(\d+))?", line)
        for number in range(int(first), int(last or first) + 1)
    ]


@given(some_series(), widths, glyph_sets)
def test_every_line_fits(series, width, glyphs):
    assert max(map(width_of, drawn(series, width, glyphs))) <= width


@given(some_series(), widths)
def test_without_unicode_every_letter_is_ascii(series, width):
    assert "\n".join(drawn(series, width, ASCII)).isascii()


@given(some_series(), widths)
def test_every_measured_revision_has_a_mark_where_there_is_room(series, width):
    measured = sum(each is not None and each.known is Known.MEASURED for each in series.estimates)
    lines = drawn(series, width)
    if lines == ["No value is known."]:
        return
    marks = sum(line.count(UNICODE.mark) for line in lines[:HEIGHT])

    if len(series.estimates) <= 30:
        assert marks == measured
    assert marks <= measured
    assert (marks == 0) == (measured == 0 or "too many to mark" in "\n".join(lines))


@given(st.lists(st.integers(0, 79), max_size=120).map(sorted))
def test_every_change_has_its_number_below_the_axis(places):
    line = numbers_line(places, 80)

    assert numbers_in(line) == list(range(1, len(places) + 1))
    assert len(line) <= 80


def test_numbers_stand_below_their_columns_where_there_is_room():
    assert numbers_line([0, 4, 9], 10) == "1   2    3"
    assert numbers_line([3, 4], 10) == "  1-2"


@pytest.mark.parametrize("ratio", [1.02, 1.5, 0.6, 40.0])
def test_a_jump_is_upright_and_as_high_as_the_plot(ratio):
    series = stepped(150, 0.02, [Step(75, 0.02 * ratio)], band=0.0, measured_every=200)

    filled = [[at for at, cell in enumerate(line) if cell not in " ┊"] for line in cells(drawn(series))]
    upright = [columns[0] for columns in filled if len(columns) == 1]

    assert len(upright) >= HEIGHT - 3
    assert len(set(upright)) == 1


def test_a_flat_series_is_one_straight_line():
    inside = cells(drawn(stepped(60, 33.9e6, band=0.0, metric=Metric.INSTRUCTIONS)))

    assert sum(bool(line.strip()) for line in inside) == 1


def test_a_gap_stays_empty():
    inside = cells(drawn(stepped(120, 0.02, absent=range(30, 60))))
    columns = max(map(len, inside))

    assert not any(line[columns // 4 + 1 : columns // 2 - 1].strip() for line in inside)
    assert any(line[columns // 2 + 1 :].strip() for line in inside)


def test_values_of_different_magnitude_get_a_logarithmic_axis_and_the_legend_says_so():
    def legend(level: float) -> str:
        return drawn(stepped(50, 1.0, [Step(20, level)]))[-1]

    assert "logarithmic axis" in legend(21.0)
    assert "logarithmic axis" not in legend(19.0)


def test_the_ends_of_the_axis_are_named():
    first, last = history_of(90)[0], history_of(90)[-1]

    (wide,) = [line for line in drawn(stepped(90, 1.0)) if first.short in line]
    (narrow,) = [line for line in drawn(stepped(90, 1.0), 40) if first.short in line]

    assert wide.split() == [first.short, "2023-11-14", "2024-02-11", last.short]
    assert narrow.split() == [first.short, last.short]


def test_a_wide_band_of_few_revisions_does_not_press_the_line_flat():
    series = stepped(100, 1.0, [Step(50, 1.1)], band=0.001)
    wild = replace(series, estimates=(*series.estimates[:-1], Estimate(1.1, 0.01, 900.0)))
    jump = sum("⢸" in line or "⡇" in line for line in cells(drawn(wild)))

    assert jump >= HEIGHT // 3


@given(some_series())
def test_labels_are_few_round_and_within_the_axis(series):
    known = [estimate for estimate in series.estimates if estimate is not None]
    if not known:
        return
    scale = scale_of(known)
    labelled = scale.labelled()

    assert 2 <= len(labelled) <= 6
    assert all(0 < scale.share(after) - scale.share(before) < 1 for before, after in pairwise(labelled))
    assert all(0 <= scale.share(estimate.value) <= 1 for estimate in known)


def test_labels_of_the_shortest_axis_can_be_told_apart():
    for level in (1.0, 1.2345e6, 9.9951e-4):
        labels = [
            line.split("┤")[0] for line in drawn(stepped(9, level, band=LEAST_SPAN / 100)) if "┤" in line
        ]
        assert len(set(labels)) == len(labels) >= 2


@settings(max_examples=1)
@given(glyph_sets)
def test_a_history_of_many_thousand_revisions_is_drawn(glyphs):
    estimates = (Estimate(1.0, 0.9, 1.1), Estimate(2.0, 1.9, 2.1)) * 10_000
    series = replace(stepped(2, 1.0), estimates=estimates)

    assert max(map(len, plot(series, history_of(2), 120, glyphs=glyphs))) <= 120


def test_nothing_known_is_said():
    assert drawn(stepped(5, 1.0, absent=range(5))) == ["No value is known."]
