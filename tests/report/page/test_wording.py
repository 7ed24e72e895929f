from hypothesis import given

from sonde.report.page.wording import date_text, scope_text, series_sentence
from tests.report.made_histories import Step, history_of, some_series, stepped


def test_the_scope_names_both_ends():
    assert scope_text(history_of(3)) == "3 revisions, b6589fc6 (2023-11-14) to da4b9237 (2023-11-16)"


def test_a_series_is_one_sentence():
    series = stepped(50, 1.0, [Step(10, 2.0), Step(20, 2.5), Step(30, 1.0), Step(40, 1.01)])

    assert series_sentence(series, history_of(50)) == (
        "From 1 s to 1.01 s: +100 % at b1d57811, +25.0 % at 91032ad7, -60.0 % at 22d200f8 "
        "and 1 smaller change."
    )


def test_a_series_without_a_change_says_its_value():
    assert series_sentence(stepped(50, 1.0), history_of(50)) == "About 1 s. No change found."


@given(some_series())
def test_every_series_has_a_sentence(series):
    assert series_sentence(series, history_of(len(series.estimates))).endswith(".")


def test_a_date_is_a_day():
    assert date_text(history_of(1)[0]) == "2023-11-14"
