"""Whether a revision is slower, as Markdown."""

from __future__ import annotations

import re

import pytest

from sonde.report.check.markdown import check_markdown
from tests.golden_files import GoldenFiles
from tests.report.made_checks import KINDS, MANY, ODD_NAMES, SLOWER

OPENING = re.compile(r"(?<!\\)[*_`<\[]")


@pytest.mark.parametrize("kind", KINDS)
def test_the_summary_of_a_job_reads_as_it_should(golden: GoldenFiles, kind: str) -> None:
    golden(f"report/check-{kind}.md", check_markdown(KINDS[kind]) + "\n")


@pytest.mark.parametrize("kind", KINDS)
def test_every_row_of_the_table_has_the_same_number_of_cells(kind: str) -> None:
    rows = [line for line in check_markdown(KINDS[kind]).splitlines() if line.startswith("|")]

    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} <= {8}


def test_changed_rows_come_first_then_what_was_skipped_then_the_cost() -> None:
    text = check_markdown(SLOWER)

    places = [text.index(word) for word in ("| slower", "| faster", "no change", "Proven", "Measured ")]
    assert places == sorted(places)


def test_names_cannot_be_taken_for_markup() -> None:
    assert OPENING.findall(check_markdown(ODD_NAMES)) == []


def test_a_long_table_is_cut_and_says_so() -> None:
    text = check_markdown(MANY)

    assert text.count("\n| slower") == 50
    assert "and 4 more" in text
