"""How quiet the machine is right now."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

# About 50 ms in CPython. No randomness, no input, hardly any memory: whatever varies comes from the machine.
_BUSY_LOOP = "n = 0\nfor i in range(600_000): n = (n * 31 + i) & 0xFFFF"
_LEAST_RUNS = 5

# The calm and the loaded runs of notes/measuring.md lie on either side of these limits.
_CALM_CPU_VARIATION = 0.05
_CALM_WALL_PER_CPU = 1.5
_CALM_PRESSURE = 0.15


@dataclass(frozen=True)
class BusyRun:
    """What one run of the busy loop took."""

    cpu_seconds: float
    wall_seconds: float


@dataclass(frozen=True)
class Noise:
    """How much equal runs differ now, and what else the machine does."""

    runs: int
    cpu_variation: float  # standard deviation / mean
    wall_variation: float
    wall_per_cpu: float  # median; 1 if the runs never waited
    pressure: (
        float  # share of the time in which some process waited for a processor; 0 if the kernel does not tell
    )
    load: float  # processes that ran or wanted to, over the last minute
    cores: int

    @property
    def is_calm(self) -> bool:
        """Whether times can be trusted as far as this machine allows."""
        return not self.is_loaded and self.cpu_variation <= _CALM_CPU_VARIATION

    @property
    def is_loaded(self) -> bool:
        """Whether other processes get in the way."""
        return self.wall_per_cpu > _CALM_WALL_PER_CPU or self.pressure > _CALM_PRESSURE

    @property
    def verdict(self) -> str:
        """How quiet it is, in one sentence."""
        figures = (
            f"equal runs differ by {self.cpu_variation:.1%} in cpu time "
            f"and {self.wall_variation:.1%} in wall time"
        )
        if self.is_calm:
            return f"calm: {figures}"
        if self.is_loaded:
            return (
                f"loaded: {figures}; processes wait for a CPU {self.pressure:.0%} of the time, with a "
                f"load of {self.load:.1f} on {self.cores} {'core' if self.cores == 1 else 'cores'}"
            )
        return f"unsteady: {figures}, although processes hardly wait for a CPU"

    @property
    def advice(self) -> str:
        """What to do about it, in one sentence; empty if there is nothing to do."""
        if self.is_calm:
            return ""
        if self.is_loaded:
            return "Stop other work on this machine, or measure instructions, which it does not affect."
        return (
            "The speed of the CPU changes (turbo, power saving, or other virtual machines on the "
            "same host): set the governor to performance, or measure instructions."
        )


def measure_noise(seconds: float = 3.0) -> Noise:
    """How much equal runs of a small busy loop differ, over about so many seconds."""
    begin, waited = time.monotonic(), _waited_seconds()
    runs: list[BusyRun] = []
    while time.monotonic() < begin + seconds or len(runs) < _LEAST_RUNS:
        runs.append(_run_once())
    passed = time.monotonic() - begin
    return summarise(
        runs,
        pressure=min(1.0, (_waited_seconds() - waited) / passed),
        load=os.getloadavg()[0],
        cores=len(os.sched_getaffinity(0)),
    )


def summarise(runs: Sequence[BusyRun], pressure: float, load: float, cores: int) -> Noise:
    """The noise that `runs` show; two at the least."""
    cpu = [run.cpu_seconds for run in runs]
    wall = [run.wall_seconds for run in runs]
    return Noise(
        runs=len(runs),
        cpu_variation=statistics.stdev(cpu) / statistics.fmean(cpu),
        wall_variation=statistics.stdev(wall) / statistics.fmean(wall),
        wall_per_cpu=statistics.median(run.wall_seconds / run.cpu_seconds for run in runs),
        pressure=pressure,
        load=load,
        cores=cores,
    )


def waited_seconds_in(pressure: str) -> float:
    """How long some process waited for a processor since the machine started, from /proc/pressure/cpu."""
    for line in pressure.splitlines():
        kind, *fields = line.split()
        if kind == "some":
            return int(dict(field.split("=") for field in fields)["total"]) / 1e6
    return 0.0


def _waited_seconds() -> float:
    try:
        return waited_seconds_in(Path("/proc/pressure/cpu").read_text())
    except OSError:
        return 0.0


def _run_once() -> BusyRun:
    begin = time.monotonic()
    words = [sys.executable, "-I", "-S", "-c", _BUSY_LOOP]
    with subprocess.Popen(words, stdin=subprocess.DEVNULL, env={"PYTHONHASHSEED": "0"}) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return BusyRun(usage.ru_utime + usage.ru_stime, time.monotonic() - begin)
