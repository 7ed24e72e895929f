"""Where values are assigned, and files that assign others."""

import pytest

from studies.impact.assignments import DOUBLE, NOT, QUARTER, Assignment, find_assignments

SOURCE = """#include <stdbool.h>
#define SET(name, value) name = value
static int before = 3;
struct pair { long a, b; };
int main(int argc, char **argv)
{
    bool is_many = argc > 2;
    long total = 0, *place = &total;
    static int kept = 5;
    double share = 0.5;
    SET(total, 4);
    total +=
        argc * 2;
    struct pair pair = {1, 2};
    pair.a = total;
    *place = argv[0][0];
    return is_many + (int)share + kept + before + (int)pair.b;
}
"""


@pytest.fixture
def source(tmp_path):
    file = tmp_path / "main.c"
    file.write_text(SOURCE)
    return file


@pytest.mark.needs("clang-19")
def test_whole_numbers_that_functions_assign_are_found(source):
    found = find_assignments(source, (), source.parent)

    content = source.read_bytes()
    values = {(each.first_line, content[each.begin : each.end].decode()) for each in found}
    assert values == {(7, "argc > 2"), (8, "0"), (12, "argc * 2"), (15, "total"), (16, "argv[0][0]")}
    assert [each.edits for each in found if each.first_line == 7] == [(NOT,)]
    assert [each.last_line for each in found if each.first_line == 12] == [13]


def test_a_value_becomes_another_one():
    text = b"    x = a + b;\n"
    at = Assignment(1, 1, text.index(b"a"), text.index(b";"), is_truth=False)

    assert at.seeded(text, DOUBLE) == b"    x = 2 * (a + b);\n"
    assert at.seeded(text, QUARTER).startswith(b"    x = ({ __typeof__ (a + b) seeded_ = (a + b); ")
    assert at.edits[0] is QUARTER
