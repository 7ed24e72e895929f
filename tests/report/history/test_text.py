from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.core.findings.histories import SeriesHistory
from sonde.core.results import Cost, Metric
from sonde.report.glyphs import ASCII, UNICODE
from sonde.report.history.change_table import place, with_interval
from sonde.report.history.common_changes import common_changes
from sonde.report.history.text import MOST_PLOTS, history_json, history_text
from sonde.report.plots.sparkline import sparkline
from sonde.report.revisions import revision_range
from sonde.report.tables import width as width_of
from tests.report.made_histories import STRONG, Step, histories_of, some_series, stepped

ONE_CHANGE = histories_of(stepped(150, 0.0125, [Step(61, 0.0141)]))
FLAT = histories_of(stepped(60, 33.9e6, band=0.0, metric=Metric.INSTRUCTIONS))
WITH_GAPS = histories_of(
    stepped(
        120,
        4.0e6,
        [Step(50, 4.2e6, doubt=3), Step(52, 3.9e6, doubt=1), Step(90, 5.5e6)],
        absent=[*range(20), *range(70, 80)],
        failed=[30, 31, 63],
        metric=Metric.MEMORY,
    ),
    stepped(120, 0.5, absent=range(1, 120), benchmark="unpack", configuration=STRONG),
)


def many(number: int = 24) -> list[SeriesHistory]:
    """One revision changes all that are not flat, another some; each is known more or less exactly."""
    series = []
    for at in range(number):
        steps = [Step(40, 1.0 + 0.05 * (at % 7), doubt=at % 4)] if at % 7 else []
        if at % 5 == 1:
            steps.append(Step(80, 0.6, doubt=2))
        series.append(stepped(100, 1.0, steps, benchmark=f"suite.case_{at}", band=0.001))
    return series


def test_one_change_is_shown_in_a_plot_and_a_table(golden):
    golden("report/history-one-change.txt", history_text(ONE_CHANGE, 110) + "\n")


def test_gaps_failures_and_doubt_are_shown(golden):
    golden("report/history-gaps.txt", history_text(WITH_GAPS, 90) + "\n")


def test_a_flat_history_is_shown(golden):
    golden("report/history-flat.txt", history_text(FLAT, 80) + "\n")


def test_a_terminal_without_unicode_gets_ascii(golden):
    golden("report/history-ascii.txt", history_text(WITH_GAPS, 80, unicode=False) + "\n")


def test_many_series_get_a_line_each_and_the_revisions_that_they_share(golden):
    golden("report/history-many.txt", history_text(histories_of(*many()), 110) + "\n")


def test_the_json_holds_everything(golden):
    few = histories_of(stepped(6, 0.5, [Step(3, 0.75, doubt=1)], measured_every=3, absent=[0], failed=[5]))

    golden("report/history.json", json.dumps(history_json(few), indent=2, ensure_ascii=False) + "\n")


@given(st.integers(1, 20), st.integers(40, 250), st.booleans(), st.data())
@settings(max_examples=30)
def test_every_line_fits(revisions, width, unicode, data):
    series = data.draw(st.lists(some_series(revisions=revisions), min_size=1, max_size=MOST_PLOTS + 2))

    text = history_text(histories_of(*series), width, unicode)

    assert max(map(width_of, text.splitlines())) <= width
    assert unicode or text.isascii()


def test_never_compared_is_not_called_unchanged():
    once = histories_of(stepped(5, 1.0, absent=range(1, 5)))

    assert "Too few points were measured to find a change." in history_text(once, 80)
    assert "No change found." in history_text(FLAT, 80)
    assert "Too few points were measured to judge the other 7." in history_text(
        histories_of(*once.series * 7), 80
    )


def test_the_ways_of_knowing_add_up():
    assert (
        "120 revisions: 12 measured, 26 proven equal, 49 estimated, 3 failed, 30 without the options."
        in history_text(WITH_GAPS, 200)
    )


def test_the_cost_is_told_in_words():
    nothing = replace(FLAT, ending="every revision is known", spent=Cost())

    assert history_text(ONE_CHANGE, 110).endswith(
        "The budget of 120 runs is spent. It took 44 builds and 120 runs, 30 min 34 s of work."
    )
    assert history_text(nothing, 110).endswith(
        "Every revision is known. No build or run was needed: all results were already stored."
    )


@pytest.mark.parametrize(
    ("after", "text"),
    [
        (1.12, "+12.0 % (10.9 to 13.1)"),
        (0.9, "-10.0 % (-10.9 to -9.1)"),
        (1.001, "+0.1 % (-0.9 to 1.1)"),
        (3.0, "+200 % (197 to 203)"),
        (53.0, "x53 (52.5 to 53.5)"),
    ],
)
def test_a_change_is_told_with_its_interval(after, text):
    (change,) = stepped(9, 1.0, [Step(4, after)]).changes

    assert with_interval(change) == text


def test_a_range_of_revisions_is_one_that_git_understands():
    series = stepped(9, 1.0, [Step(4, 2.0, doubt=1)])
    history = histories_of(series).history

    (change,) = series.changes
    assert place(change) == "3 revisions apart"
    assert (
        revision_range(change.earliest, change.latest, history) == f"{history[2].short}..{history[5].short}"
    )


def test_a_range_names_no_author():
    """Whoever wrote its likeliest revision may have nothing to do with it."""
    ranges = histories_of(stepped(9, 1.0, [Step(4, 2.0, doubt=1)]))
    author, subject = ranges.history[4].author, ranges.history[4].subject

    for histories in (ranges, histories_of(*(ranges.series * (MOST_PLOTS + 1)))):
        text = history_text(histories, 120)
        assert "+100 %" in text
        assert author not in text
        assert subject not in text
    told: dict[str, Any] = history_json(ranges)
    (change,) = told["series"][0]["changes"]
    assert (change["revision"], change["author"], change["subject"]) == (None, None, None)
    assert change["between"] == [ranges.history[2].id, ranges.history[5].id]


def test_a_step_that_its_noise_hides_is_not_called_exact():
    (series,) = ONE_CHANGE.series
    (change,) = series.changes
    unclear = replace(series, changes=(replace(change, effect_low=-0.01),))

    text = history_text(replace(ONE_CHANGE, series=(unclear,)), 120)

    assert "within noise" in text
    assert ONE_CHANGE.history[61].author not in text


def test_changes_known_as_ranges_are_gathered_at_one_revision():
    first, second = common_changes(many(), at_most=5)

    assert (first.position, first.series) == (40, 20)
    assert first.exact == sum(1 for at in range(24) if at % 7 and at % 4 == 0)
    assert (second.position, second.series, second.exact) == (80, 5, 0)


@given(st.lists(some_series(revisions=60), max_size=8))
def test_each_change_is_gathered_once_and_within_its_range(series):
    found = common_changes(series, at_most=1000)

    assert sum(len(each.changes) for each in found) == sum(len(each.changes) for each in series)
    for common in found:
        assert all(change.earliest <= common.position <= change.latest for change in common.changes)
    assert [each.series for each in found] == sorted((each.series for each in found), reverse=True)


def test_a_short_spell_stays_visible_in_a_sparkline():
    spell = stepped(3000, 1.0, [Step(1500, 2.0), Step(1503, 1.0)])

    assert sparkline(spell.estimates, 9, UNICODE.levels) == "▁▁▁▁█▁▁▁▁"
    assert sparkline(spell.estimates, 9, ASCII.levels) == "____^____"


def test_a_sparkline_of_a_flat_series_is_flat_and_a_gap_is_blank():
    assert set(sparkline(stepped(50, 1.0).estimates, 30, UNICODE.levels)) == {"▅"}
    assert sparkline(stepped(4, 1.0, absent=[1]).estimates, 30, UNICODE.levels) == "▅ ▅▅"
    assert sparkline(stepped(4, 1.0, absent=range(4)).estimates, 30, UNICODE.levels) == ""
