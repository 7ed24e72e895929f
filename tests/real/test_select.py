"""`sonde select` from the command line to the answer, on a C program whose truth is known."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from typing import Any

import pytest

from tests.real.repositories import RepositoryMaker
from tests.real.sandboxes import living, wait_until
from tests.real.subjects import SONDE, sonde, write_project
from tests.slow_cases import slow_except

pytestmark = pytest.mark.needs("git", "bwrap", "gcc", "valgrind")

PROJECT_FILE = """\
repository = "subject"

[build]
command = "gcc -O1 -o work main.c sums.c"
outputs = ["work"]
inputs = ["*.c"]

[options.twice]
words = "twice"

[benchmarks.sum]
command = "{build}/work sum {options}"
metric = "instructions"
runs = 1

[benchmarks.mix]
command = "{build}/work mix {options}"
metric = "instructions"
runs = 1
"""

MAIN = """\
#include <string.h>
#include <stdio.h>
unsigned sum(unsigned rounds);
unsigned mix(unsigned rounds);
unsigned again(unsigned rounds);
int main(int count, char **words)
{
    unsigned rounds = 2000;
    unsigned result = strcmp(words[1], "sum") == 0 ? sum(rounds) : mix(rounds);
    if (count > 2)
        result += again(rounds);
    printf("%u\\n", result);
    return 0;
}
"""


def sums(
    step: int = 3, table: str = "1, 2, 3, 5", again: int = 7, before: str = "", comment: str = ""
) -> str:
    return f"""\
{before}
__attribute__((aligned(4096))) static const unsigned table[4] = {{{table}}};
/* {comment} */
unsigned sum(unsigned rounds) {{ unsigned s = 0; while (rounds--) s = s * {step} + rounds; return s; }}
unsigned mix(unsigned rounds) {{ unsigned s = 1; while (rounds--) s ^= s * table[s & 3] + rounds; return s; }}
unsigned again(unsigned rounds) {{ unsigned s = 1; while (rounds--) s = s * {again} + 1; return s; }}
"""


# position -> what changes there
FIRST, README_ONLY, COMMENT, MOVED, SUM, TABLE, AGAIN, BROKEN, MENDED, STRIPPED = range(10)


@pytest.fixture(scope="module")
def subject(tmp_path_factory):
    """A project, and the revision at each position."""
    folder = tmp_path_factory.mktemp("select")
    unused = "unsigned unused(unsigned x) { return x * 12345 + 17; }"
    later = sums(step=11, table="1, 2, 3, 7", again=9, before=unused)
    maker = RepositoryMaker()
    maker.revision({"main.c": MAIN, "sums.c": sums(), "README": "one\n"}, subject="Begin")
    maker.revision({"README": "two\n"}, subject="Say more in the README")
    maker.revision({"sums.c": sums(comment="three lines\n\n\n")}, subject="Explain")
    maker.revision({"sums.c": sums(before=unused)}, subject="Add a function that nobody calls")
    maker.revision({"sums.c": sums(step=11, before=unused)}, subject="Sum by elevens")
    maker.revision({"sums.c": sums(step=11, table="1, 2, 3, 7", before=unused)}, subject="Change the table")
    maker.revision({"sums.c": later}, subject="Do it again by nines")
    maker.revision({"sums.c": later + "int oops(\n"}, subject="Break the build")
    maker.revision({"sums.c": later}, subject="Mend the build")
    maker.revision({"main.c": f'__asm__(".ident \\"x\\"");\n{MAIN}'}, subject="Leave a mark")
    ids = maker.make(folder / "subject")
    write_project(folder, PROJECT_FILE)
    return folder, {mark - 1: revision for mark, revision in ids.items()}


def answer_of(subject, position: int, *words: str) -> dict[str, Any]:
    folder, revisions = subject
    found: dict[str, Any] = json.loads(sonde(folder, "select", revisions[position], *words, "--json").stdout)
    return found


def decisions(answer: dict[str, Any]) -> dict[tuple[str, bool], str]:
    return {
        (each["benchmark"], each["configuration"]["twice"]): f"{each['decision']} {each['basis']}"
        for each in answer["selected"]
    }


BOTH = ("-c", "default", "-c", "twice")
PROVEN = {(name, twice): "skip proven" for name in ("sum", "mix") for twice in (False, True)}


def test_a_revision_with_the_same_inputs_is_proven_without_a_build(subject):
    answer = answer_of(subject, README_ONLY, *BOTH)

    assert decisions(answer) == PROVEN
    assert answer["spent"]["builds"] == answer["spent"]["runs"] == 0
    assert {each["why"] for each in answer["selected"]} == {"the build inputs are the same: proven"}


def test_a_comment_and_a_function_that_nobody_calls_change_nothing(subject):
    for position in (COMMENT, MOVED):
        assert decisions(answer_of(subject, position, *BOTH)) == PROVEN, position


def test_a_changed_function_concerns_who_runs_it(subject):
    answer = answer_of(subject, SUM, *BOTH)

    assert decisions(answer) == PROVEN | {("sum", False): "run changed", ("sum", True): "run changed"}
    (first, *_) = answer["selected"]
    (touched,) = first["functions"]
    assert touched["name"] == "sum"
    assert 0 < touched["share"] < 1
    assert answer["functions"]["masked"] == 1


def test_a_changed_constant_concerns_who_reads_it(subject):
    answer = answer_of(subject, TABLE, *BOTH)

    assert decisions(answer) == PROVEN | {("mix", False): "run changed", ("mix", True): "run changed"}
    assert answer["functions"]["masked"] == 0
    assert [each["constants"] for each in answer["selected"] if each["benchmark"] == "mix"] == [["table"]] * 2


def test_a_proof_is_for_the_configuration_that_was_profiled(subject):
    answer = answer_of(subject, AGAIN, *BOTH)

    assert decisions(answer) == PROVEN | {("sum", True): "run changed", ("mix", True): "run changed"}


def test_a_profile_is_taken_once_and_carried_over(subject):
    answer_of(subject, SUM, *BOTH)
    again, later = answer_of(subject, SUM, *BOTH), answer_of(subject, AGAIN, "-b", "sum")

    assert again["spent"]["builds"] == again["spent"]["runs"] == 0
    assert later["spent"]["runs"] <= 1  # at the base, if at all; the build of the base is known by code


def test_a_revision_that_does_not_build_is_an_error_that_shows_what_was_said(subject):
    folder, revisions = subject

    ended = sonde(folder, "select", revisions[BROKEN], codes=(3,))

    assert "does not build" in ended.stderr
    assert "oops" in ended.stderr


def test_a_base_that_does_not_build_gives_way_to_one_that_does(subject):
    answer = answer_of(subject, MENDED)

    assert decisions(answer) == {key: "skip proven" for key in PROVEN if not key[1]}
    assert answer["base"]["id"] == subject[1][AGAIN]
    assert "does not build" in answer["warnings"][0]


@pytest.mark.parametrize(
    ("words", "said"),
    slow_except(
        [("HEAD~9",), ("-b", "sun")],
        [
            (("nowhere",), "nowhere"),
            (("HEAD", "--base", "HEAD"), "compared with itself"),
            (("HEAD~9",), "has no parent"),
            (("--catch", "120%"), "--catch"),
            (("--learner", "oracle"), "no learner"),
            (("-b", "sun"), "Did you mean 'sum'?"),
            (("--train", "--evaluate"), "either --train or --evaluate"),
            (("HEAD", "--train"), "--range"),
            (("--range", "HEAD~3.."), "--range needs"),
            (("--hops", "3"), "need --train"),
            (("HEAD~2..HEAD",), "HEAD --base HEAD~2"),
            (("--train", "--range", "HEAD~1.."), "no examples to learn from"),
            (("--evaluate",), "--train"),
        ],
    ),
)
def test_mistakes_are_explained(subject, words, said):
    assert said in sonde(subject[0], "select", *words, codes=(2,)).stderr


@pytest.mark.slow
def test_what_is_measured_teaches_a_rule_that_decides(subject, tmp_path):
    folder, _ = subject
    state = ("--state", str(tmp_path / "state"))
    sonde(folder, "measure", "HEAD", *state)
    table = tmp_path / "tuples.csv"

    trained = json.loads(sonde(folder, "select", "--train", "--tuples", str(table), "--json", *state).stdout)
    answer = json.loads(sonde(folder, "select", "HEAD~5", "--learner", "greedy", "--json", *state).stdout)
    evaluated = json.loads(sonde(folder, "select", "--evaluate", "--folds", "3", "--json", *state).stdout)
    replayed = json.loads(sonde(folder, "replay", "select", str(table), "--folds", "3", "--json").stdout)

    assert trained["proven_hits"] == 0
    assert trained["hits"] >= 1
    assert trained["examples"] == evaluated["tuples"] == replayed["tuples"]
    assert {each["basis"] for each in answer["selected"]} <= {"predicted", "proven"}
    assert evaluated["hits"] == trained["hits"]


@pytest.mark.slow
def test_a_stripped_program_is_an_error_that_says_what_to_do(subject, tmp_path):
    folder, revisions = subject
    text = PROJECT_FILE.replace("gcc -O1", "gcc -s -O1").replace('"subject"', f'"{folder}/subject"')
    write_project(tmp_path, text)

    ended = sonde(tmp_path, "select", revisions[SUM], codes=(2,))

    assert "no symbols" in ended.stderr
    assert "strip" in ended.stderr


@pytest.mark.slow
def test_it_can_be_interrupted_and_goes_on(subject, tmp_path):
    folder, revisions = subject
    words = [*SONDE, "select", revisions[AGAIN], *BOTH, "--state", str(tmp_path / "state")]
    process = subprocess.Popen(
        words, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "CI": "1"}
    )
    wait_until((tmp_path / "state").exists)
    process.send_signal(signal.SIGINT)
    process.communicate()

    assert process.returncode in (0, 130)
    wait_until(lambda: not living(str(tmp_path)))
    ended = sonde(folder, "select", revisions[AGAIN], *BOTH, "--json", "--state", str(tmp_path / "state"))
    assert decisions(json.loads(ended.stdout))["sum", True] == "run changed"
