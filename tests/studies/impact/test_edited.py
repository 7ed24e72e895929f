"""Edits of lines of real programs."""

from __future__ import annotations

import pytest

from studies.impact.edited.edits import edits


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("\tif (count < limit)", [("a comparison", "\tif (count <= limit)")]),
        ("  while (a && b)", [("a condition", "  while (a || b)")]),
        ("  return 3;", [("a number", "  return 7;")]),
        (
            "  total = first + 1;",
            [
                ("a number", "  total = first + 3;"),
                ("a sign", "  total = first - 1;"),
                ("a deletion", "  ;"),
            ],
        ),
        ("  flush(out);", [("a deletion", "  ;"), ("a repeated call", "  flush(out); flush(out);")]),
        ("    if value >= 10 and more:", [("a number", "    if value >= 21 and more:")]),
    ],
)
def test_each_part_of_a_line_is_edited(line, expected):
    found = [(each.kind, each.line) for each in edits(line)]

    assert all(each in found for each in expected)


@pytest.mark.parametrize(
    "line",
    ["", "}", "int x;", "/* if (a < 1) */", "#define SIZE 10", "case 3:", '  "a text of 10 words"', "else"],
)
def test_what_is_no_statement_stays(line):
    assert edits(line) == ()


def test_a_number_within_a_text_stays():
    assert [each.kind for each in edits('  printf("%d of 10", 4);')] == [
        "a number",
        "a deletion",
        "a repeated call",
    ]
