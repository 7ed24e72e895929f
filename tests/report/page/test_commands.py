from sonde.report.page.commands import change_command
from tests.report.made_histories import DEFAULT, STRONG, Step, history_of, stepped

HISTORY = history_of(60)


def test_an_exact_change_is_shown():
    series = stepped(60, 1.0, [Step(20, 2.0)], configuration=STRONG)

    assert change_command(series.changes[0], series, HISTORY, DEFAULT) == (
        f"sonde show {HISTORY[18].short}..{HISTORY[20].short} -b pack -c level=9"
    )


def test_a_range_is_narrowed_down():
    series = stepped(60, 1.0, [Step(20, 2.0, 3)])

    assert change_command(series.changes[0], series, HISTORY, DEFAULT, ("--no-sandbox",)) == (
        f"sonde history pack --range {HISTORY[15].short}..{HISTORY[23].short} --exact --no-sandbox"
    )


def test_a_change_of_the_second_revision_begins_with_the_first():
    series = stepped(60, 1.0, [Step(1, 2.0)])

    assert change_command(series.changes[0], series, HISTORY, DEFAULT) == (
        f"sonde show {HISTORY[1].short} -b pack"
    )
