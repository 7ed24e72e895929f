"""Hot code by line: what is inlined has its own cost, with and without debug information of the build."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.real.repositories import RepositoryMaker
from tests.real.subjects import sonde, write_project
from tests.slow_cases import slow_except

pytestmark = pytest.mark.needs("git", "bwrap", "clang-19", "valgrind")

HEADER = """\
unsigned first_value(int level);
static inline unsigned mixed(unsigned sum, unsigned value)
{
    sum ^= value;
    sum *= 16777619u;
    return sum ^ (sum >> 13);
}
"""
TABLES = '#include "pack.h"\nunsigned first_value(int level)\n{\n    return level * 3 + 7;\n}\n'
MAIN = """\
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include "pack.h"
static int strong, check, level = 1;
static unsigned spread(unsigned rounds)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < rounds; i++)
        sum = mixed(sum, i);
    return sum;
}
static unsigned verified(unsigned rounds)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < rounds; i++)
        sum += i * i;
    return sum;
}
static unsigned rounds_of(void)
{
    unsigned rounds = 2000;
    if (strong)
        rounds *= FACTOR;
    return rounds + first_value(level);
}
int main(int argc, char **argv)
{
    for (int letter; (letter = getopt(argc, argv, "scl:")) != -1;)
        switch (letter) {
        case 's': strong = 1; break;
        case 'c': check = 1; break;
        case 'l': level = atoi(optarg); break;
        }
    unsigned result = spread(rounds_of());
    if (check)
        result += verified(9000);
    printf("%u\\n", result);
    return 0;
}
"""
PROJECT_FILE = """\
repository = "subject"

[build]
command = "COMMAND"
outputs = ["pack"]

[options.strong]
words = "-s"
variable = "strong"

[options.check]
words = "-c"
variable = "check"

[options.level]
levels = [1, 5]
words = "-l {value}"
variable = "level"

[benchmarks.run]
command = "{build}/pack {options}"
metric = "instructions"
"""
BUILDS = {
    "optimised": "cc -O2 main.c tables.c -o pack",
    "with debug information": "cc -O1 -g main.c tables.c -o pack",
    "link-time optimisation": "cc -O2 -flto main.c tables.c -o pack",
    "several steps": "cc -O3 -c main.c && cc -O3 -c tables.c && cc -o pack main.o tables.o",
    "clang": "clang-19 -O2 main.c tables.c -o pack",
}


def project(folder: Path, command: str) -> Path:
    maker = RepositoryMaker()
    maker.revision({"main.c": MAIN.replace("FACTOR", "4"), "pack.h": HEADER, "tables.c": TABLES})
    maker.revision({"main.c": MAIN.replace("FACTOR", "5")})
    maker.make(folder / "subject")
    write_project(folder, PROJECT_FILE.replace("COMMAND", command))
    return folder


def answer(folder: Path) -> dict[str, Any]:
    """What `sonde impact` says of the last revision."""
    found: dict[str, Any] = json.loads(sonde(folder, "impact", "--json").stdout)
    return found


@pytest.mark.parametrize("how", slow_except(["optimised"], BUILDS))
def test_inlined_functions_are_hot_by_their_lines(tmp_path, how):
    found = answer(project(tmp_path, BUILDS[how]))

    hot = {each["name"] for each in found["hot"]}
    assert "mixed" in hot
    related = {each["option"] for each in found["options"] if each["role"] == "related"}
    assert related == {"strong", "level"}
    assert found["warnings"] == []
    assert all(each["strong"] for each in found["configurations"])
