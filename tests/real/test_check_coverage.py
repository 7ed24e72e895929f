"""`sonde check` on optimised programs: no changed line that a case executes is left out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.real.repositories import RepositoryMaker
from tests.real.subjects import sonde, write_project

pytestmark = pytest.mark.needs("git", "bwrap", "valgrind")

MAIN = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int strong, check;
static unsigned mixed(unsigned sum, unsigned value)
{
    sum ^= value;
    return (sum * 16777619u) ^ (sum >> 13);
}
static unsigned packed(unsigned rounds)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < rounds; i++)
        sum = mixed(sum, i);
    return sum;
}
static unsigned verified(unsigned sum)
{
    for (unsigned i = 0; i < 1000; i++)
        sum = mixed(sum, i * 3);
    return sum;
}
static unsigned repaired(unsigned sum)
{
    return sum % 7;
}
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--strong"))
            strong = 1;
        else if (!strcmp(argv[i], "--check"))
            check = 1;
        else if (!strcmp(argv[i], "--repair"))
            return repaired(i);
    }
    unsigned sum = packed(strong ? 8000 : 2000);
    if (check)
        sum = verified(sum);
    printf("%u\\n", sum);
    return 0;
}
"""
PROJECT_FILE = """\
repository = "subject"

[build]
command = "cc -O2 main.c -o pack"
outputs = ["pack"]

[options.strong]
words = "--strong"
variable = "strong"

[options.check]
words = "--check"
variable = "CHECK"

[options.quiet]
words = "--quiet"

[benchmarks.run]
command = "{build}/pack {options}"
metric = "instructions"
"""

EDITS = {
    "under an option": ("i < 1000", "i < 1500"),
    "under an option whose variable is named wrongly": ("i < 1000", "i < 1500"),
    "not executed": ("sum % 7", "sum % 11"),
    "in all cases": ("rounds; i++)", "rounds + 300; i++)"),
}


def check(folder: Path, edit: str, variable: str, code: int) -> dict[str, Any]:
    """What `sonde check` says of an edit."""
    maker = RepositoryMaker()
    old, new = EDITS[edit]
    assert MAIN.count(old) == 1
    maker.revision({"main.c": MAIN})
    maker.revision({"main.c": MAIN.replace(old, new)})
    maker.make(folder / "subject")
    write_project(folder, PROJECT_FILE.replace("CHECK", variable))
    found: dict[str, Any] = json.loads(sonde(folder, "check", "--json", codes=(code,)).stdout)
    return found


def measured(found: dict[str, Any], option: str) -> bool:
    return any(each["configuration"][option] is True for each in found["compared"])


@pytest.mark.needs("clang-19")
def test_inlined_code_under_an_option_is_measured_with_it(tmp_path):
    found = check(tmp_path, "under an option", "check", code=1)

    assert {each["configuration"]["check"] for each in found["compared"] if each["verdict"] == "slower"} == {
        True
    }
    assert found["not_executed"] == []


@pytest.mark.slow
@pytest.mark.needs("clang-19")
def test_a_wrong_variable_in_the_project_file_hides_nothing_that_profiles_show(tmp_path):
    found = check(tmp_path, "under an option whose variable is named wrongly", "strong", code=1)

    assert measured(found, "check")


@pytest.mark.slow
@pytest.mark.needs("clang-19")
def test_each_value_under_which_changed_code_is_executed_is_measured(tmp_path):
    found = check(tmp_path, "in all cases", "check", code=1)

    assert all(measured(found, option) for option in ("strong", "check", "quiet"))


@pytest.mark.slow
def test_code_that_no_benchmark_executes_is_named(tmp_path):
    found = check(tmp_path, "not executed", "check", code=0)

    assert found["not_executed"] or found["headline"].startswith("UNCHANGED")
    for each in found["not_executed"]:
        assert each["file"] == "main.c"
        assert 24 <= each["first_line"] <= each["last_line"] <= 26
