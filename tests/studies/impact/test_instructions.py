"""Counts of instructions: what callgrind writes, and what is kept of it."""

import json
from pathlib import Path

import pytest

from studies.impact.instructions import Count, Counts, read_costs

WRITTEN = """version: 1
positions: line
events: Ir

ob=(1) /bin/tool
fl=(1) main.c
fn=(1) main
12 5
+1 7
cfn=(2) work
calls=3 20
14 600
* 2

fn=(2)
20 300
-2 300

fn=(3) walk'2
30 11

fn=(4) walk
30 9
totals: 634
"""


def test_calls_do_not_count_as_own_instructions():
    costs, calls = read_costs(WRITTEN)

    assert costs == {"main": 14, "work": 600, "walk": 20}
    assert calls == {("main", "work"): 600}


def test_hot_functions_have_a_twentieth_of_the_instructions():
    count = Count(1000, {"main": 49, "work": 50, "rest": 901}, (), 0, "")

    assert count.hot({"main", "work", "rest"}) == {"work", "rest"}


def test_what_a_library_does_counts_as_its_callers():
    calls = (
        ("show", "printf", 700),
        ("printf", "strlen", 90),
        ("main", "show", 900),
        ("main", "setlocale", 200),
    )
    count = Count(1000, {"main": 40, "show": 30, "printf": 610}, calls, 0, "")

    assert count.costs({"main", "show"}) == {"main": 40, "show": 730}
    assert count.hot({"main", "show"}) == {"show"}


@pytest.mark.needs("valgrind")
def test_a_count_is_kept_for_the_next_study(tmp_path):
    file = tmp_path / "counts.jsonl"
    first = Counts(file).of(Path("/bin/true"), (), {}, None)
    file.write_text(file.read_text() + '{"key": "cut o')
    entry = json.loads(file.read_text().splitlines()[0])
    file.write_text(json.dumps({**entry, "total": 7}) + "\n" + '{"key": "cut o')

    assert first.status == 0
    assert first.total > 1000
    assert Counts(file).of(Path("/bin/true"), (), {}, None).total == 7
