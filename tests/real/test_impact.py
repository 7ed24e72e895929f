"""`sonde impact` from the command line to the answer, on the paper's running example."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sonde.core.revisions import RevisionId
from tests.real.repositories import RepositoryMaker
from tests.real.subjects import sonde, write_project
from tests.slow_cases import slow_except

pytestmark = pytest.mark.needs("git", "bwrap", "clang-19", "valgrind")

PROJECT_FILE = """\
repository = "subject"

[build]
command = "make"
outputs = ["pack"]

[options.strong]
words = "--strong"
variable = "strong"

[options.verbose]
words = "--verbose"
variable = "verbose"

[options.quality]
levels = [10, 40]
words = "--quality={value}"
variable = "options.quality"

[benchmarks.pack]
command = "{build}/pack {options}"
metric = "instructions"
runs = 1
"""

MAKEFILE = """\
CFLAGS = -O1
pack: main.o libpack.a
\t$(CC) -o $@ main.o libpack.a
libpack.a: pack.o cold.o
\t$(AR) rcs $@ pack.o cold.o
"""

HEADER = "int iterations_for(int quality, int strong);\nint compress(int iterations);\nint cold(int value);\n"

MAIN = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pack.h"
static int strong, verbose;
static struct { int unused; int quality; } options = { 0, 10 };
int main(int count, char **words)
{
    for (int i = 1; i < count; i++) {
        if (strcmp(words[i], "--strong") == 0)
            strong = 1;
        else if (strcmp(words[i], "--verbose") == 0)
            verbose = 1;
        else if (strncmp(words[i], "--quality=", 10) == 0)
            options.quality = atoi(words[i] + 10);
        else
            return 2;
    }
    int iterations = iterations_for(options.quality, strong);
    if (verbose)
        printf("iterations: %d\\n", iterations);
    printf("%d\\n", compress(iterations) + cold(iterations));
    return 0;
}
"""


def pack(factor: int = 2, limit: str = "", comment: str = "") -> str:
    return f"""\
#include "pack.h"
/* {comment} */
int iterations_for(int quality, int strong)
{{
    int iterations = quality * {factor};
    if (strong)
        iterations *= iterations;
{limit}    return iterations;
}}
int compress(int iterations)
{{
    int result = 1;
    for (int i = 0; i < iterations * 100; i++)
        result = result * 31 + i;
    return result;
}}
"""


def cold(value: int = 1) -> str:
    return f'#include "pack.h"\nint cold(int value) {{ return value ^ {value}; }}\n'


def cold_with(work: str) -> str:
    """Cold code that does something else as well, whose result reaches nothing."""
    return f"""\
#include <string.h>
#include "pack.h"
static char buffer[1 << 20];
int cold(int value)
{{
    {work}
    return value ^ 2;
}}
"""


BY_ITSELF = "for (int i = 0; i < 100000; i++) buffer[i] ^= 1;"
BY_THE_LIBRARY = "memset(buffer, 1, sizeof buffer);"

TERM, OTHER_TERM = "result * 31 + i", "(i ^ 0) + (result * 30 + result)"  # equal to an optimiser
LIMIT = "    if (iterations > 1000000)\n        iterations = 1000000;\n"

# position -> what changes there
(
    FIRST,
    README_ONLY,
    COMMENT,
    FACTOR,
    COLD,
    LIMITED,
    DELETED,
    BROKEN,
    MENDED,
    TURNED,
    LONGER,
    HEATED,
    COOLED,
    LIBRARY,
) = range(14)


@pytest.fixture(scope="module")
def subject(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Mapping[int, RevisionId]]:
    """A project, and the revision at each position."""
    folder = tmp_path_factory.mktemp("impact")
    maker = RepositoryMaker()
    base = {"Makefile": MAKEFILE, "pack.h": HEADER, "main.c": MAIN, "pack.c": pack(), "cold.c": cold()}
    maker.revision({**base, "README": "one\n"}, subject="Begin")
    maker.revision({"README": "two\n"}, subject="Say more")
    maker.revision({"pack.c": pack(comment="a comment\n * of two lines")}, subject="Comment")
    maker.revision({"pack.c": pack(3)}, subject="Iterate more often")
    maker.revision({"cold.c": cold(2)}, subject="Change cold code")
    maker.revision({"pack.c": pack(3, LIMIT)}, subject="Limit the iterations")
    maker.revision({"pack.c": pack(3)}, subject="Drop the limit")
    maker.revision({"pack.c": pack(3) + "}"}, subject="Break the build")
    maker.revision({"pack.c": pack(4)}, subject="Mend the build")
    maker.revision({"pack.c": pack(4).replace(TERM, OTHER_TERM)}, subject="Write a term otherwise")
    maker.revision({"pack.c": pack(40)}, subject="Iterate so often that nothing else counts")
    maker.revision({"cold.c": cold_with(BY_ITSELF)}, subject="Turn a buffer")
    maker.revision({"cold.c": cold(2)}, subject="Leave the buffer alone")
    maker.revision({"cold.c": cold_with(BY_THE_LIBRARY)}, subject="Fill a buffer")
    ids = maker.make(folder / "subject")
    write_project(folder, PROJECT_FILE)
    return folder, {mark - 1: revision for mark, revision in ids.items()}


def ask(subject: tuple[Path, Mapping[int, RevisionId]], position: int, *words: str) -> dict[str, Any]:
    folder, ids = subject
    answer: dict[str, Any] = json.loads(sonde(folder, "impact", ids[position], "--json", *words).stdout)
    return answer


def test_a_changed_factor_reaches_hot_code_through_the_options_that_take_part(subject: Any) -> None:
    found = ask(subject, FACTOR)

    assert found["relevant"]
    assert found["related_options"] == ["strong", "quality"]
    assert [each["name"] for each in found["hot"]] == ["compress"]
    assert (len(found["configurations"]), found["configurations_total"]) == (4, 8)
    steps = [(step["file"], step["routine"]) for step in found["interactions"][0]["path"]]
    assert steps[0] == ("pack.c", "iterations_for")
    assert steps[-1] == ("pack.c", "compress")
    assert ("main.c", "main") in steps
    assert found["points_to"]


def test_what_the_compiler_makes_equal_cannot_reach_hot_code(subject: Any) -> None:
    found = ask(subject, TURNED)

    assert not found["relevant"]
    assert found["verdict"] == "The change cannot reach hot code: both builds execute the same code."
    assert found["configurations_total"] == 8
    assert ask(subject, TURNED, "--hot", "compress")["relevant"]  # which builds nothing but bitcode


@pytest.mark.parametrize("position", slow_except([HEATED], [HEATED, LIBRARY]))
def test_code_that_the_change_itself_makes_hot_is_reached(subject: Any, position: int) -> None:
    found = ask(subject, position)

    assert found["relevant"]
    assert "cold" in [each["name"] for each in found["hot"]]


@pytest.mark.slow
def test_hot_code_can_be_named(subject: Any) -> None:
    assert ask(subject, FACTOR, "--hot", "compress")["related_options"] == ["strong", "quality"]
    assert not ask(subject, FACTOR, "--hot", "cold")["relevant"]  # the value is not decisive there
    lines = ask(subject, FACTOR, "--hot", "pack.c:13-14")
    assert lines["relevant"]


@pytest.mark.parametrize("position", slow_except([COLD], [README_ONLY, COMMENT, COLD]))
def test_what_cannot_reach_hot_code_is_told_so(subject: Any, position: int) -> None:
    found = ask(subject, position, "--hot", "compress")

    assert not found["relevant"]
    assert found["interactions"] == found["configurations"] == found["related_options"] == []
    assert found["configurations_total"] == 8


def test_a_change_that_only_deletes_is_found_in_the_old_program(subject: Any) -> None:
    found = ask(subject, DELETED, "--hot", "compress")

    assert found["relevant"]
    assert any(each["deletion"] for each in found["interactions"])
    assert not ask(subject, DELETED, "--hot", "compress", "--paper")["relevant"]


@pytest.mark.slow
def test_a_base_that_does_not_build_is_passed_over(subject: Any) -> None:
    folder, ids = subject
    found = ask(subject, MENDED, "--hot", "compress")

    assert found["base"]["id"] == ids[DELETED]
    assert found["relevant"]
    assert any("does not build" in warning for warning in found["warnings"])
    failed = sonde(folder, "impact", ids[BROKEN], codes=(3,))
    assert "pack.c" in failed.stderr


def test_the_answer_is_told_in_words_and_as_sarif(subject: Any, tmp_path: Path) -> None:
    folder, ids = subject
    file = tmp_path / "impact.sarif"
    text = sonde(folder, "impact", ids[FACTOR], "--hot", "compress", "--sarif", str(file)).stdout

    assert "The change can reach hot code." in text
    assert "pack.c:5" in text
    assert "sonde measure" in text
    assert json.loads(file.read_text())["runs"][0]["results"][0]["codeFlows"]


@pytest.mark.slow
def test_options_are_suggested_from_comparisons_with_literals(subject: Any) -> None:
    folder, _ = subject
    found = json.loads(sonde(folder, "impact", "--suggest-options", "--json").stdout)["suggestions"]

    assert {(each["words"][0], each["variable"]) for each in found} >= {
        ("--strong", "strong"),
        ("--verbose", "verbose"),
    }


@pytest.mark.slow
def test_a_hot_function_that_does_not_exist_is_an_error(subject: Any) -> None:
    folder, ids = subject
    told = sonde(folder, "impact", ids[FACTOR], "--hot", "compres", codes=(2,)).stderr

    assert "compres" in told
    assert "Did you mean 'compress'?" in told


@pytest.mark.slow
def test_a_second_question_compiles_nothing(subject: Any) -> None:
    ask(subject, FACTOR, "--hot", "compress")

    assert ask(subject, FACTOR, "--hot", "compress")["spent"]["builds"] == 0
