"""Sonde's own cost of a run, apart from the subject.

The subject is `/bin/true`. Our figure is the time of a whole run (fresh folders, sandbox, measuring, the end
of all that is left behind, removal of the folders) less the wall time that the run reports of the subject.
The peers only start a process and wait for its end; theirs is the whole time, the subject's included.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.frame import Row, medians_in_turn, seconds_of
from sonde.core.results import Metric
from sonde.core.subject import Surroundings
from sonde.effects.runs import BUILD, SCRATCH, RunOrder, RunReport, SandboxRuns
from sonde.effects.sandbox import Bare, Mount, Processes, Sandbox, SandboxView, Unavailable, find_sandbox
from sonde.effects.sandbox.processes import PYTHON

ROUNDS = 50

_SUBJECT = ("/bin/true",)
_INTERPRETER = (PYTHON, "-I", "-S", "-c", "pass")  # what measures inside the sandbox is a program in Python


def rows() -> Iterable[Row]:
    """Costs without and with sandbox."""
    with TemporaryDirectory() as name:
        yield from _rows_in(Bare(), "without sandbox", 30.0, Path(name))
        sandbox = find_sandbox()
        if not isinstance(sandbox, Unavailable):
            yield from _rows_in(sandbox, "with sandbox", 150.0, Path(name))


def _rows_in(sandbox: Sandbox, words: str, target_ms: float, state: Path) -> Iterator[Row]:
    build, scratch = state / "build", state / "peer"
    for folder in (build, scratch):
        folder.mkdir(exist_ok=True)
    runs = SandboxRuns(sandbox, state, Processes(), Surroundings())
    world = SandboxView((Mount(build, BUILD), Mount(scratch, SCRATCH, writable=True)))
    around = "bwrap with the same system around " if sandbox.is_isolated else ""
    peers = {
        f"{around}`/bin/true`": sandbox.wrap(world, _SUBJECT),
        f"{around}`python -I -S -c pass`": sandbox.wrap(world, _INTERPRETER),
    }
    measures = {"ours": partial(_own_seconds, runs, build)}
    measures |= {name: partial(seconds_of, partial(_start, argv)) for name, argv in peers.items()}
    medians_in_turn(measures, rounds=1)  # afterwards, all programs are in memory
    found = medians_in_turn(measures, ROUNDS)
    for name in peers:
        yield Row(f"a run {words}", found["ours"] * 1e3, "ms", target_ms, name, found[name] * 1e3)


def _own_seconds(runs: SandboxRuns, build: Path) -> float:
    begin = time.perf_counter()
    report = runs.run(RunOrder(_SUBJECT, Metric.WALL), build)
    seconds = time.perf_counter() - begin
    if not isinstance(report, RunReport):
        raise RuntimeError(f"/bin/true cannot be run: {report.reason}")
    return seconds - dict(report.metrics)[Metric.WALL]


def _start(argv: tuple[str, ...]) -> None:
    subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, env={}, check=True)
