"""`sonde check` by CPU time, through the product: no false alarm, and what is slower is found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sonde.core.findings.comparisons import Check, Verdict
from sonde.methods.comparison.disturbances import MOST_REPEATED
from sonde.methods.comparison.rules import ComparisonRules
from sonde.workflows.api import Silence
from sonde.workflows.check.judging import check
from sonde.workflows.check.request import CheckRequest
from sonde.workflows.projects import open_project
from sonde.workflows.targets import MeasuringRequest
from tests.real.checks import BUILDS, PROJECT_FILE, make_history
from tests.real.test_select_python import interpreter

pytestmark = pytest.mark.needs("git", "bwrap")

TIMED = PROJECT_FILE.replace('metric = "printed"\npattern = "took ([0-9.]+)"', 'metric = "cpu"')

# What is called slower by chance with this rule is so once in 100,000 checks.
STRICT = ComparisonRules(false_discoveries=1e-5, most_pairs=30)


def ask(folder: Path, revision: str, rules: ComparisonRules | None = None) -> Check:
    return check(
        open_project(folder),
        MeasuringRequest(),
        CheckRequest(revision, rules=rules or ComparisonRules()),
        True,
        Silence(),
    )


def looping(rounds: int, remark: str = "") -> str:
    return f"#!/bin/sh\n# {remark}\ni=0\nwhile [ $i -lt {rounds} ]; do i=$((i+1)); done\n"


@pytest.fixture(scope="module")
def shell(tmp_path_factory) -> Path:
    """A program that does as much as before at the second revision, and three times as much at the third."""
    folder: Path = tmp_path_factory.mktemp("times")
    make_history(
        folder,
        [
            ("Begin", {"src/work.sh": looping(15_000), "src/build.sh": BUILDS}),
            ("Explain", {"src/work.sh": looping(15_000, "explained")}),
            ("Do more", {"src/work.sh": looping(45_000, "explained")}),
        ],
        TIMED,
    )
    return folder


@pytest.mark.slow
def test_as_much_work_as_before_is_no_alarm(shell):
    found = ask(shell, "main~1", STRICT)

    (compared,) = found.compared
    assert compared.verdict in (Verdict.EQUAL, Verdict.INCONCLUSIVE)
    assert compared.ratio is None or compared.ratio.pairs <= (1 + MOST_REPEATED) * STRICT.most_pairs
    assert compared.is_output_same is True


def test_three_times_the_work_is_found(shell):
    found = ask(shell, "main")

    (compared,) = found.compared
    assert compared.verdict is Verdict.SLOWER
    assert compared.ratio is not None
    assert compared.ratio.low > 0


SUMS = """\
def step(n):
    return n * 2

def run():
    return sum(step(each) for each in range({rounds}))

def unused(n):
    return {unused}
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory) -> Path:
    """A package in Python: at the second revision, what nobody runs differs; at the third, it does more."""
    folder: Path = tmp_path_factory.mktemp("python")
    program, readable = interpreter()
    (folder / "bench.py").write_text("import pack.sums\n\nprint(pack.sums.run())\n")
    project = f"""\
repository = "subject"
branch = "main"

[build]
outputs = ["pack"]

[environment]
readable = {json.dumps(readable)}

[benchmarks.sums]
command = "env PYTHONPATH={{build}} {program} bench.py"
inputs = ["bench.py"]
metric = "cpu"
"""
    package = {"pack/__init__.py": "", "pack/sums.py": SUMS.format(rounds=100_000, unused="n")}
    make_history(
        folder,
        [
            ("Begin", package),
            ("Change what nobody runs", {"pack/sums.py": SUMS.format(rounds=100_000, unused="-n")}),
            ("Sum more", {"pack/sums.py": SUMS.format(rounds=300_000, unused="-n")}),
        ],
        project,
    )
    return folder


@pytest.mark.slow
@pytest.mark.needs("strace", "valgrind")
def test_what_no_benchmark_in_python_runs_is_not_measured(python):
    found = ask(python, "main~1")

    assert found.compared == ()
    assert [each.cases for each in found.dropped] == [1]
    assert found.warnings == ()


@pytest.mark.needs("strace", "valgrind")
def test_a_benchmark_in_python_that_does_more_is_found_and_prints_something_else(python):
    found = ask(python, "main")

    (compared,) = found.compared
    assert compared.verdict is Verdict.SLOWER
    assert compared.is_output_same is False


WALK = """\
#include <stdio.h>
#include <stdlib.h>
enum {{ SIZE = 1 << 23 }};
static int next[SIZE];
int main(void) {{
    volatile unsigned given = STEP;
    unsigned at = 0, sum = 0, step = given;
    for (unsigned n = 0; n < SIZE; n++) next[n] = (n + step) % SIZE;
    for (int n = 0; n < 4000000; n++) {{ at = next[at]; sum += at; }}
    printf("done\\n");
    return sum == 1;
}}
""".replace("{{", "{").replace("}}", "}")


@pytest.fixture(scope="module")
def walking(tmp_path_factory) -> Path:
    """A program that walks through memory; at the second revision by large steps, in as many instructions."""
    folder: Path = tmp_path_factory.mktemp("walking")
    builds = "cc -O1 -o work src/work.c"
    make_history(
        folder,
        [
            ("Begin", {"src/work.c": WALK.replace("STEP", "1"), "src/build.sh": builds}),
            ("Stride", {"src/work.c": WALK.replace("STEP", "4099"), "src/build.sh": builds}),
        ],
        TIMED,
    )
    return folder


@pytest.mark.slow
@pytest.mark.needs("cc", "valgrind")
def test_what_takes_longer_without_more_instructions_is_no_regression(walking):
    found = ask(walking, "main", ComparisonRules(most_pairs=12))

    (compared,) = found.compared
    assert compared.verdict is Verdict.NO_MORE_WORK
    assert compared.work is not None
    assert compared.work.head == pytest.approx(compared.work.base, rel=0.001)
    assert not found.regressions


@pytest.mark.slow
@pytest.mark.needs("cc", "valgrind")
def test_what_was_counted_is_not_counted_again(walking):
    ask(walking, "main", ComparisonRules(most_pairs=12))

    assert ask(walking, "main", ComparisonRules(most_pairs=12)).cost.runs == 0
