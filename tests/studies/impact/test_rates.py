"""Tables of answers beside the truth."""

from studies.impact.rates import Judged, table_of_rates, table_of_sizes


def judged(is_regression: bool, is_relevant: bool, is_seen: bool = False, chosen: int = 2) -> Judged:
    return Judged("made-up", is_regression, is_relevant, is_seen, ("level",), 3, chosen * is_relevant, 8)


def test_a_regression_that_is_not_found_lowers_recall():
    answers = [judged(True, True, True), judged(True, False), judged(False, True), judged(True, True)]

    row = table_of_rates([("tool", answers, "as printed")]).splitlines()[2]

    assert row == "| tool | 4 | 3 | 3 | 2 | 0.67 | 0.67 | 2 | 1 | 0.50 | as printed |"


def test_without_regressions_there_is_no_recall():
    row = table_of_rates([("tool", [judged(False, False)], "")]).splitlines()[2]

    assert row == "| tool | 1 | 0 | 0 | 0 | – | – | 0 | 0 | – |  |"


def test_only_relevant_changes_have_sizes():
    answers = [judged(True, True, chosen=2), judged(False, False), judged(True, True, chosen=6)]

    rows = table_of_sizes([("tool", answers)]).splitlines()[2:]

    assert rows == [
        "| tool | made-up | level | 1 / 3 | 2 / 8 = 0.25 |",
        "| tool | made-up | level | 1 / 3 | 6 / 8 = 0.75 |",
        "| mean of 2 |  |  |  | **0.50** |",
    ]
