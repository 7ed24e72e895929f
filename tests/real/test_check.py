"""`sonde check` from the command line to the verdict, on a C program whose truth is known."""

from __future__ import annotations

import shutil

import pytest

from sonde.core.events import Event
from sonde.core.findings.comparisons import NarrowingStep
from sonde.core.options import Literal
from sonde.workflows.check.judging import check as check_in_here
from sonde.workflows.check.request import CheckRequest
from sonde.workflows.projects import open_project
from sonde.workflows.targets import MeasuringRequest
from tests.real.checks import check, costs_nothing, make_history, sonde_here, verdicts
from tests.real.subjects import write_project
from tests.slow_cases import slow_except

pytestmark = pytest.mark.needs("git", "bwrap", "gcc", "clang-19", "valgrind")

PROJECT_FILE = """\
repository = "subject"
branch = "main"

[build]
command = "make"
outputs = ["work"]
inputs = ["*.c", "Makefile"]

[options.strong]
words = "--strong"
variable = "strong"

[options.verbose]
words = "--verbose"
variable = "verbose"

[options.deep]
words = "--deep"
variable = "deep"

[benchmarks.work]
command = "{build}/work {options}"
metric = "instructions"
"""

MAKEFILE = "work: main.c\n\t$(CC) -O1 -o $@ main.c\n"


def program(plain: int = 20_000, strong: int = 30_000, comment: str = "") -> str:
    """A program that works for so many rounds, and for so many more if it should work hard."""
    return f"""\
#include <stdio.h>
#include <string.h>
/* {comment} */
static int strong, verbose, deep;
static unsigned spin(unsigned rounds, unsigned s) {{ while (rounds--) s = s * 31 + rounds; return s; }}
__attribute__((noinline)) unsigned hard(unsigned s) {{ return spin({strong}, s); }}
__attribute__((noinline)) unsigned easy(unsigned s) {{ return spin({plain}, s); }}
int main(int count, char **words)
{{
    for (int i = 1; i < count; i++) {{
        if (strcmp(words[i], "--strong") == 0) strong = 1;
        if (strcmp(words[i], "--verbose") == 0) verbose = 1;
        if (strcmp(words[i], "--deep") == 0) deep = 1;
    }}
    unsigned s = easy(1);
    if (strong) s = hard(s);
    if (deep) s ^= 5;
    if (verbose) puts("done");
    printf("%u\\n", s);
    return 0;
}}
"""


# position -> what changes there
FIRST, README_ONLY, COMMENT, SLOWER_STRONG, FASTER = range(5)


@pytest.fixture(scope="module")
def subject(tmp_path_factory):
    """A project, and the revision at each position."""
    folder = tmp_path_factory.mktemp("check")
    ids = make_history(
        folder,
        [
            ("Begin", {"Makefile": MAKEFILE, "main.c": program(), "README": "one\n"}),
            ("Say more", {"README": "two\n"}),
            ("Explain", {"main.c": program(comment="explained")}),
            ("Work harder", {"main.c": program(strong=45_000)}),
            ("Work less", {"main.c": program(plain=12_000, strong=45_000)}),
        ],
        PROJECT_FILE,
    )
    return folder, ids


@pytest.mark.parametrize("position", slow_except([COMMENT], [README_ONLY, COMMENT]))
def test_what_changes_no_code_is_proven_and_nothing_is_run(subject, position):
    folder, ids = subject

    answer = check(folder, ids[position])

    assert answer["headline"].startswith("UNCHANGED, proven")
    assert answer["compared"] == []
    assert answer["spent"]["runs"] == 0
    assert [each["is_proven"] for each in answer["dropped"]] == [True]
    assert costs_nothing(answer) or position == COMMENT


def test_a_regression_in_one_option_is_found_in_few_cases_and_the_option_is_named(subject):
    folder, ids = subject

    answer = check(folder, ids[SLOWER_STRONG], code=1)

    assert set(verdicts(answer)) == {"slower"}
    assert all(each["configuration"]["strong"] for each in answer["compared"])
    assert answer["cases"]["measured"] <= 3
    assert answer["cases"]["total"] == 8
    assert [each["term"] for each in answer["patterns"]] == [["strong"]]
    assert "strong is on" in answer["headline"]
    assert "strong" in answer["related_options"]
    left = sum(each["cases"] for each in answer["dropped"])
    assert left + answer["cases"]["measured"] + answer["cases"]["audited"] == 8
    again = check(folder, ids[SLOWER_STRONG], code=1)
    assert costs_nothing(again)
    assert again["compared"] == answer["compared"]


def test_a_speed_up_is_told_and_fails_only_where_changes_should(subject):
    folder, ids = subject

    answer = check(folder, ids[FASTER])

    assert set(verdicts(answer)) == {"faster"}
    assert answer["headline"].startswith("FASTER")
    check(folder, ids[FASTER], "--fail-on", "change", code=1)


@pytest.mark.slow
def test_all_cases_are_measured_where_that_is_wanted(subject):
    folder, ids = subject

    answer = check(folder, ids[SLOWER_STRONG], "--all", code=1)

    assert verdicts(answer) == ["equal"] * 4 + ["slower"] * 4
    for each in answer["compared"]:  # it prints what came of its rounds
        assert each["is_output_same"] is not each["configuration"]["strong"]
    assert answer["dropped"] == []
    assert [each["term"] for each in answer["patterns"]] == [["strong"]]


@pytest.mark.slow
def test_a_threshold_decides_what_counts(subject):
    folder, ids = subject

    assert set(verdicts(check(folder, ids[SLOWER_STRONG], "--threshold", "90%"))) == {"equal"}


class Silent:
    """Notices nothing."""

    def notice(self, event: Event) -> None:
        pass


def test_without_clang_a_sample_is_measured_and_a_warning_says_so(subject, tmp_path, monkeypatch):
    folder, ids = subject
    find = shutil.which
    monkeypatch.setattr(
        shutil, "which", lambda name, *a, **k: None if name.startswith("clang") else find(name, *a, **k)
    )
    project = open_project(folder, tmp_path / "state")

    found = check_in_here(project, MeasuringRequest(), CheckRequest(ids[SLOWER_STRONG]), True, Silent())

    assert any(
        "could not determine the options involved: clang is not installed" in each for each in found.warnings
    )
    assert [each.term for each in found.patterns] == [frozenset({Literal("strong", True)})]
    assert {each.step for each in found.dropped} <= {NarrowingStep.SELECT, NarrowingStep.SAMPLE}
    assert found.related_options is None


@pytest.mark.slow
def test_a_program_without_symbols_is_measured_all_the_same(subject, tmp_path):
    folder, ids = subject
    text = PROJECT_FILE.replace('"make"', '"make CC=\\"gcc -s\\""').replace(
        '"subject"', f'"{folder}/subject"'
    )
    for option in ("strong", "verbose", "deep"):
        text = text.replace(f'variable = "{option}"\n', "")
    write_project(tmp_path, text)

    answer = check(tmp_path, ids[SLOWER_STRONG], "-c", "default", "-c", "strong", code=1)

    assert verdicts(answer) == ["equal", "slower"]
    assert any("no symbols" in each for each in answer["warnings"])


@pytest.mark.slow
def test_all_of_a_huge_space_is_refused(subject, tmp_path):
    folder, ids = subject
    more = "".join(f'[options.o{n}]\nwords = "o{n}"\n' for n in range(30))
    text = PROJECT_FILE.replace('"subject"', f'"{folder}/subject"').replace(
        "[options.strong]", f"{more}\n[options.strong]"
    )
    write_project(tmp_path, f'constraints = ["o1 excludes o2"]\n{text}')

    told = sonde_here(tmp_path, "check", ids[SLOWER_STRONG], "--all", code=2).stderr

    assert "--all cannot measure" in told
    assert "-c" in told
