"""Small programs of some 50 ms, with as much work as one requests: three usual ones, and two hard ones."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from sonde.effects.executors.holding import held_on

PROGRAMS = Path(__file__).parent / "programs"
NAMES = {
    "compress": "a compressor on 256 kB of text",
    "sort": "lines sorted by qsort",
    "script": "a Python script",
}
HARD = {
    "memory": "reads and writes all over 16 MB",
    "calls": "small system calls and short processes",
}
AIM_SECONDS = 0.05
PROBE_STEPS = {"compress": 1_000, "sort": 4_000, "script": 20_000, "memory": 50_000, "calls": 20_000}
PROBE_RUNS = 15
PROBE_PAIRS = 41
VARIABLES = {"PYTHONHASHSEED": "0"}  # of all runs, as Sonde sets it


@dataclass(frozen=True)
class Run:
    """What one run took, in seconds."""

    cpu: float
    wall: float


@dataclass(frozen=True)
class Workload:
    """A program, and how many steps make some 50 ms."""

    name: str
    program: Path
    steps: int
    steps_of_start: float  # what the start of the program takes, as so many steps

    def steps_with(self, more: float) -> int:
        """The steps that make the whole run take a share more."""
        return round(self.steps + more * (self.steps + self.steps_of_start))


def make_program(name: str, folder: Path) -> Path:
    """The program, compiled there, or a copy of the script."""
    program = folder / name
    if not program.exists():
        folder.mkdir(parents=True, exist_ok=True)
        source = source_of(name)
        if source.suffix == ".py":
            shutil.copy(source, program)
            program.chmod(0o755)
        else:
            subprocess.run(["gcc", "-O1", "-static", "-o", str(program), str(source)], check=True)
    return program


def source_of(name: str) -> Path:
    """The file that it is made from."""
    script = PROGRAMS / f"{name}.py"
    return script if script.exists() else PROGRAMS / f"{name}.c"


def run_once(program: Path, steps: int) -> Run:
    """One run, by the accounts of the kernel."""
    return _await(_begin(program, steps))


def run_both(program: Path, steps: tuple[int, int]) -> tuple[Run, Run]:
    """Two runs at the same time, begun in this order; the wall time of the first may be that of both."""
    first, second = (_begin(program, each) for each in steps)
    return _await(first), _await(second)


@dataclass(frozen=True)
class _Begun:
    process: int
    at: float
    name: str


def _begin(program: Path, steps: int) -> _Begun:
    at = time.monotonic()
    return _Begun(
        os.posix_spawn(program, [program.name, str(steps)], VARIABLES), at, f"{program.name} {steps}"
    )


def _await(begun: _Begun) -> Run:
    _, status, usage = os.wait4(begun.process, 0)
    wall = time.monotonic() - begun.at
    if status:
        raise RuntimeError(f"{begun.name} ended with status {status}")
    return Run(usage.ru_utime + usage.ru_stime, wall)


def sized(name: str, folder: Path) -> Workload:
    """The workload with its steps, by some runs.

    What share of a run its start takes is told side by side, for what is planted has to be exact: runs at
    other times are slower or faster by much more than that.
    """
    program, probe = make_program(name, folder), PROBE_STEPS[name]
    start, whole = (min(run_once(program, steps).cpu for _ in range(PROBE_RUNS)) for steps in (0, probe))
    steps = round((AIM_SECONDS - start) / (whole - start) * probe)
    with held_on(min(os.sched_getaffinity(0))):
        both = [run_both(program, (0, steps)) for _ in range(PROBE_PAIRS)]
    share = median(only_start.cpu / run.cpu for only_start, run in both)
    return Workload(name, program, steps, steps * share / (1 - share))


class Load:
    """Busy processes beside the runs, one a processor and one that comes and goes."""

    def __init__(self, folder: Path, is_wanted: bool) -> None:
        self._program = make_program("busy", folder)
        self._is_wanted = is_wanted
        self.processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Load:
        if self._is_wanted:
            steady = [[str(self._program)]] * (os.cpu_count() or 1)
            self.processes = [
                subprocess.Popen(words) for words in (*steady, [str(self._program), "unsteady"])
            ]
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            process.kill()
            process.wait()
