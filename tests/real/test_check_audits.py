"""Audits from the command line to the verdict, on a program that hides a change from `sonde impact`."""

from __future__ import annotations

import pytest

from tests.real.checks import check, costs_nothing, make_history, sonde_here, verdicts

pytestmark = pytest.mark.needs("git", "bwrap", "gcc", "clang-19", "valgrind")

OPTIONS = ("deep", "strong", "verbose", "wide")

PROJECT_FILE = """\
repository = "subject"
branch = "main"

[build]
command = "make"
outputs = ["work"]
inputs = ["*.c", "Makefile"]

[benchmarks.work]
command = "{build}/work {options}"
metric = "instructions"
""" + "".join(f'[options.{name}]\nwords = "--{name}"\nvariable = "{name}"\n' for name in OPTIONS)

MAKEFILE = "work: main.c\n\t$(CC) -O1 -o $@ main.c\n"


def program(unlikely: str = "5", remark: str = "done", plain: int = 1000) -> str:
    """A program whose rounds go through a file: docs/impact.md says that nobody sees what flows there.

    `unlikely` thousands of rounds are made where all four options are on.
    """
    return f"""\
#include <stdio.h>
#include <string.h>
static int deep, strong, verbose, wide;
__attribute__((noinline)) unsigned spin(unsigned rounds) {{
    unsigned s = 1;
    while (rounds--) s = s * 31 + rounds;
    return s;
}}
__attribute__((noinline)) void plan(void)
{{
    FILE *file = fopen("plan", "w");
    fputc(deep && strong && verbose && wide ? '{unlikely}' : '5', file);
    fclose(file);
}}
__attribute__((noinline)) unsigned planned(void)
{{
    FILE *file = fopen("plan", "r");
    unsigned rounds = (fgetc(file) - '0') * {plain};
    fclose(file);
    return rounds;
}}
int main(int count, char **words)
{{
    for (int i = 1; i < count; i++) {{
        if (strcmp(words[i], "--deep") == 0) deep = 1;
        if (strcmp(words[i], "--strong") == 0) strong = 1;
        if (strcmp(words[i], "--verbose") == 0) verbose = 1;
        if (strcmp(words[i], "--wide") == 0) wide = 1;
    }}
    plan();
    printf("%u\\n", spin(planned()));
    if (verbose) puts("{remark}");
    return 0;
}}
"""


HARMLESS, HIDDEN, PLAIN = 1, 2, 3


@pytest.fixture(scope="module")
def subject(tmp_path_factory):
    """A project, and the revision at each position."""
    folder = tmp_path_factory.mktemp("audits")
    ids = make_history(
        folder,
        [
            ("Begin", {"Makefile": MAKEFILE, "main.c": program()}),
            ("Say it otherwise", {"main.c": program(remark="well done")}),
            ("Plan more where four options meet", {"main.c": program("9", "well done")}),
            ("Work less everywhere", {"main.c": program("9", "well done", 700)}),
        ],
        PROJECT_FILE,
    )
    return folder, ids


def outcomes(answer):
    return sorted(each["outcome"] for each in answer["audits"]["cases"])


def cases_of(answer):
    cases = answer["cases"]
    left_out = sum(each["cases"] for each in answer["dropped"])
    assert cases["measured"] + cases["audited"] + left_out == cases["total"] == 2 ** len(OPTIONS)
    return cases


def test_a_change_that_impact_does_not_see_passes_without_audits_and_is_found_by_them(subject):
    folder, ids = subject

    passed = check(folder, ids[HIDDEN], "--audit", "0")
    assert passed["headline"].startswith("NOT SLOWER")  # the changed line is executed, so some are measured
    assert passed["audits"] is None
    number = cases_of(passed)["total"] - cases_of(passed)["measured"]

    found = check(folder, ids[HIDDEN], "--audit", "100", code=1)
    assert found["headline"].startswith("SLOWER")
    assert f"1 of {number} audits found a change that would have been missed" in found["headline"]
    assert found["verdict"] == "slower"
    assert found["is_regression"]
    assert set(verdicts(found)) == {"equal"}
    assert outcomes(found) == ["missed"] + ["unchanged"] * (number - 1)
    (missed,) = (each for each in found["audits"]["cases"] if each["outcome"] == "missed")
    assert missed["configuration"] == dict.fromkeys(OPTIONS, True)
    assert cases_of(found) == {**cases_of(passed), "audited": number}

    said = " ".join(sonde_here(folder, "check", ids[HIDDEN], "--audit", "100", code=1).stdout.split())
    assert (
        "1 AUDIT FOUND A CHANGE THAT WOULD HAVE BEEN MISSED: work with deep,strong,verbose,wide is slower"
        in said
    )


@pytest.mark.slow
def test_an_audit_that_finds_a_change_has_more_measured_and_is_not_forgotten(subject, tmp_path):
    """Whichever cases are drawn first: some number of audits finds it, and impact is believed no more."""
    folder, ids = subject
    here = ("--state", str(tmp_path))
    before = cases_of(check(folder, ids[HIDDEN], "--audit", "0", *here))["measured"]
    for number in range(1, 16):
        found = check(folder, ids[HIDDEN], "--audit", str(number), "--fail-on", "never", *here)
        if found["is_regression"]:
            break

    assert outcomes(found).count("missed") == 1
    assert cases_of(found)["measured"] > before or not found["dropped"]
    assert all(each["step"] == "sample" for each in found["dropped"] if not each["is_proven"])
    again = check(folder, ids[HIDDEN], "--audit", "1", *here, code=1)
    assert outcomes(again) == outcomes(found)
    assert costs_nothing(again)


@pytest.mark.slow
def test_the_tally_grows_with_each_check_and_not_with_the_same_check_again(subject, tmp_path):
    folder, ids = subject
    here = ("--state", str(tmp_path))

    first = check(folder, ids[HARMLESS], *here)
    assert outcomes(first) == ["unchanged"] * 2
    assert first["audits"]["step"] == "impact"
    assert (first["audits"]["so_far"]["missed"], first["audits"]["so_far"]["audited"]) == (0, 2)

    again = check(folder, ids[HARMLESS], *here)
    assert costs_nothing(again)
    assert again["audits"] == first["audits"]

    later = check(folder, ids[HIDDEN], "--audit", "100", *here, code=1)
    number = 2 + len(later["audits"]["cases"])
    assert (later["audits"]["so_far"]["missed"], later["audits"]["so_far"]["audited"]) == (1, number)

    said = " ".join(sonde_here(folder, "check", ids[HARMLESS], *here).stdout.split())
    assert f"1 of {number} audited cases had a change that would have been missed: at most " in said


@pytest.mark.slow
def test_audits_of_what_is_reported_anyway_raise_no_alarm(subject):
    folder, ids = subject

    found = check(folder, ids[PLAIN])

    assert found["headline"].startswith("FASTER")
    assert len(outcomes(found)) > 2  # counts move, and no case is slower: others might be
    assert set(outcomes(found)) == {"reported"}
    assert "audit" not in found["headline"]


@pytest.mark.slow
def test_all_and_named_configurations_leave_nothing_to_audit(subject):
    folder, ids = subject

    for words in (("--all",), ("-c", "deep,strong,verbose,wide", "-c", "default")):
        found = check(folder, ids[HIDDEN], *words, code=1)
        assert found["audits"] is None
        assert found["is_regression"]


def test_there_are_no_audits_for_git_bisect(subject):
    folder, ids = subject

    assert check(folder, ids[HIDDEN], "--git-bisect")["audits"] is None
