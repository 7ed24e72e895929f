"""Counting the instructions of a point.

CPU seconds, user and system, of all processes, without a sandbox. Ours is a whole run under Sonde's own tool
for valgrind, with all that is around it; the peers are valgrind's tools on the same command. Most points of a
benchmark whose counts repeat are counted once, and one in ten twice; other tools have to count a point twice
to know that it repeats.
"""

from __future__ import annotations

import os
import random
import resource
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.frame import Row, medians_in_turn
from sonde.core.repeats import STILL_REPEATED
from sonde.core.results import Metric
from sonde.core.subject import Surroundings
from sonde.effects.runs import BUILD, Meter, RunOrder, RunReport, SandboxRuns
from sonde.effects.sandbox import Bare, Processes

ROUNDS = 3
TARGET = 0.30  # of the peer that counts twice
LINES = 20_000
RUNS_A_POINT = 1 + 1 / STILL_REPEATED

SUBJECTS: Mapping[str, tuple[str, ...]] = {
    "gzip -6": ("gzip", "-6", "-c", "{text}"),
    "sort": ("sort", "{text}"),
    "a Python script": ("/usr/bin/python3", "-I", "-c", "print(sum(n % 7 for n in range(100_000)))"),
}
TOOLS: Mapping[str, tuple[str, ...]] = {
    "callgrind": ("--tool=callgrind", "--dump-line=no", "--callgrind-out-file=/dev/null"),
    "cachegrind": ("--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"),
}


def rows() -> Iterable[Row]:
    """Costs of a run, and of a point that is known to repeat."""
    with TemporaryDirectory() as name:
        state, build = Path(name) / "state", Path(name) / "build"
        state.mkdir()
        build.mkdir()
        _write_text(build / "text")
        runs = SandboxRuns(Bare(), state, Processes(), Surroundings())
        for what, words in SUBJECTS.items():
            yield from _rows_of(what, words, runs, build)


def _rows_of(what: str, words: tuple[str, ...], runs: SandboxRuns, build: Path) -> Iterator[Row]:
    ours = tuple(word.replace("{text}", f"{BUILD}/text") for word in words)
    theirs = tuple(word.replace("{text}", str(build / "text")) for word in words)
    measures: dict[str, Callable[[], float]] = {"ours": partial(_cpu_of, partial(_count, runs, ours, build))}
    for tool, flags in TOOLS.items():
        measures[tool] = partial(
            _cpu_of, partial(_start, ("valgrind", "--trace-children=yes", *flags, *theirs))
        )
    medians_in_turn(measures, rounds=1)  # afterwards, all programs are in memory and ours is compiled
    found = medians_in_turn(measures, ROUNDS)
    for tool in TOOLS:
        yield Row(f"a run of {what}", found["ours"], "s", None, tool, found[tool])
    twice = 2 * found["callgrind"]
    yield Row(
        f"a point of {what}", RUNS_A_POINT * found["ours"], "s", TARGET * twice, "callgrind, twice", twice
    )


def _write_text(file: Path) -> None:
    rng = random.Random(1)
    words = [f"word{number}" for number in range(500)]
    file.write_text("\n".join(" ".join(rng.choices(words, k=8)) for _ in range(LINES)))


def _cpu_of(act: Callable[[], object]) -> float:
    """CPU seconds of an act, of this process and of all its children that ended."""
    before = _cpu_so_far()
    act()
    return _cpu_so_far() - before


def _cpu_so_far() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in usages)


def _count(runs: SandboxRuns, words: tuple[str, ...], build: Path) -> None:
    report = runs.run(RunOrder(words, Metric.INSTRUCTIONS, Meter.VALGRIND), build)
    if not isinstance(report, RunReport):
        raise RuntimeError(f"{words[0]} cannot be counted: {report.reason}")


def _start(argv: tuple[str, ...]) -> None:
    environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, env=environment, check=True)
