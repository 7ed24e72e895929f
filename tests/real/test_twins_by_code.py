"""Builds of equal code are twins where instructions are counted, and nowhere else."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from typing import Any

import pytest

from tests.real.repositories import RepositoryMaker
from tests.real.subjects import sonde, write_project

pytestmark = pytest.mark.needs("git", "bwrap", "cc", "valgrind")

SOURCE = """\
#include <stdio.h>
static const int weights[] = {{3, 1, {weight}, 7}};
int main(void) {{
    long sum = 0;
    for (int turn = 0; turn < {turns}; turn++) sum += turn ^ weights[turn & 3];
    printf("%ld\\n", sum);
    return 0;
}}
"""

# The build-id makes the bytes differ, whatever the code is.
PROJECT = """\
repository = "subject"

[build]
command = "cc -O1 {flags} -Wl,--build-id=0x$(cat src/id) -o work src/work.c"
outputs = ["work"]
inputs = ["src/**"]

[benchmarks.work]
command = "{{build}}/work"
metric = "{metric}"
runs = 1
"""

FIRST = {"src/work.c": SOURCE.format(weight=4, turns=1000), "src/id": "11\n"}
RENUMBERED = {"src/id": "12\n"}
COMMENTED = {"src/work.c": "/* a comment */\n" + SOURCE.format(weight=4, turns=1000), "src/id": "13\n"}
REWEIGHTED = {"src/work.c": SOURCE.format(weight=5, turns=1000)}
LONGER = {"src/work.c": SOURCE.format(weight=5, turns=2000)}


def subject(folder, *revisions: Mapping[str, str]) -> None:
    maker = RepositoryMaker()
    for files in revisions:
        maker.revision(files)
    maker.make(folder / "subject")


def project(folder, metric: str = "instructions", flags: str = "") -> None:
    write_project(folder, PROJECT.format(metric=metric, flags=flags))


def measure(folder, *words: str) -> dict[str, Any]:
    return dict(json.loads(sonde(folder, "measure", "--json", *words).stdout))


def reasons(answer: dict[str, Any]) -> list[str | None]:
    return [point.get("twin", {}).get("reason") for point in answer["points"]]


def test_equal_code_is_counted_once(tmp_path):
    subject(tmp_path, FIRST, RENUMBERED, COMMENTED, REWEIGHTED, LONGER)
    project(tmp_path)

    answer = measure(tmp_path)

    assert reasons(answer) == [None, "same code", "same code", None, None]
    assert answer["spent"]["runs"] == 3
    again = measure(tmp_path)
    assert reasons(again) == reasons(answer)
    assert again["spent"]["runs"] == again["spent"]["builds"] == 0
    first = answer["points"][0]["revision"]
    assert f"[same code as {first[:8]}]" in sonde(tmp_path, "show").stdout


def test_equal_code_whose_texts_lie_elsewhere_is_counted_again(tmp_path):
    files = {
        "src/main.c": "int one(const char *);\nint main(int n, char **word) { return one(word[0]) == n; }\n",
        "src/one.c": '#include <string.h>\nint one(const char *word) { return strcmp(word, "keyword"); }\n',
        "src/other.c": 'const char *other(void) { return "another text"; }\n',
    }
    orders = ["main.c one.c other.c", "main.c other.c one.c", "main.c one.c other.c"]
    linked = [{"src/order": order, "src/id": f"{at}1\n"} for at, order in enumerate(orders)]
    subject(tmp_path, *(files | each for each in linked))
    text = PROJECT.format(metric="instructions", flags="")
    old, new = "$(cat src/id) -o work src/work.c", "$(cat src/id) -o work $(cd src && realpath $(cat order))"
    write_project(tmp_path, text.replace(old, new))

    assert reasons(measure(tmp_path)) == [None, None, "same code"]


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["cpu", "wall", "memory"])
def test_equal_code_is_no_proof_for_other_metrics(tmp_path, metric):
    subject(tmp_path, FIRST, RENUMBERED)
    project(tmp_path, metric=metric)

    assert reasons(measure(tmp_path)) == [None, None]


@pytest.mark.slow
def test_a_build_that_cannot_be_read_is_measured_all_the_same(tmp_path):
    subject(tmp_path, FIRST, RENUMBERED)
    project(tmp_path, flags="-s")

    answer = measure(tmp_path)

    assert reasons(answer) == [None, None]
    assert answer["spent"]["runs"] == 2


@pytest.mark.slow
def test_a_history_counts_what_was_built_before_as_proven(tmp_path):
    subject(tmp_path, FIRST, RENUMBERED, COMMENTED, LONGER)
    project(tmp_path)
    measure(tmp_path)

    answer = json.loads(sonde(tmp_path, "history", "--json", "--budget", "100%").stdout)

    known = [one["known"] for one in answer["series"][0]["estimates"]]
    assert known == ["measured", "proven equal", "proven equal", "measured"]


@pytest.mark.slow
def test_what_was_measured_before_code_was_known_is_found_again(tmp_path):
    subject(tmp_path, FIRST, RENUMBERED)
    project(tmp_path)
    first = measure(tmp_path)
    _pretend_an_old_store(tmp_path)
    measured_by_bytes = measure(tmp_path)
    assert measured_by_bytes["spent"]["builds"] == 0

    again = measure(tmp_path)

    assert again["spent"]["runs"] == 0
    assert reasons(again) == [None, None]
    before, after = ([point["value"] for point in answer["points"]] for answer in (first, again))
    assert after == pytest.approx(before, rel=1e-4)


def _pretend_an_old_store(folder) -> None:
    """Take away what the first schema did not have."""
    with sqlite3.connect(folder / ".sonde" / "store.sqlite") as connection:
        for table in ("samples", "points", "snapshots"):
            connection.execute(f"DELETE FROM {table}")
        connection.execute("UPDATE builds SET code = NULL")
    connection.close()


@pytest.mark.slow
def test_runs_are_added_though_a_build_came_out_with_other_bytes(tmp_path):
    subject(tmp_path, FIRST)
    text = PROJECT.format(metric="instructions", flags="")
    write_project(tmp_path, text.replace("$(cat src/id)", "$(date +%N)$(date +%N)"))
    measure(tmp_path)
    sonde(tmp_path, "prune", "--limit", "0")

    answer = measure(tmp_path, "--runs", "3")

    assert answer["spent"]["runs"] == 2
    assert len(answer["points"][0]["samples"]) == 3
