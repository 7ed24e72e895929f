"""The numbers of a measured run: from the gauge, or where it could not be compiled, from here."""

# pathlib and contextlib take long to import.
# ruff: noqa: PTH123

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# What we touch between reading our own peak and becoming the benchmark, generously.
MARGIN_KIB = 1024
COUNTED = ("voluntary_switches", "minor_faults", "major_faults")  # in the order of the gauge


class Gauge:
    """Measures one run of a benchmark."""

    def __init__(self, order: dict[str, Any]) -> None:
        self.program: str = order["gauge"]
        self.around: list[str] = order["around_gauge"]
        self.addresses = "random" if order["aslr"] else "fixed"
        self.reader = self.writer = -1
        if self.program:
            self.reader, self.writer = os.pipe2(os.O_CLOEXEC)
        else:
            self.pressure_us = _pressure_us()
            self.floor_kib = _peak_kib() + MARGIN_KIB

    def argv(self, argv: list[str]) -> list[str]:
        """The words that run and measure the benchmark."""
        return [*self.around, self.program, "run", self.addresses, *argv] if self.program else argv

    def read(self, result: dict[str, Any], usage: Any) -> tuple[dict[str, float], int]:
        """The numbers of the run that ended like this, and the exit code of the benchmark."""
        return self._of_gauge(result) if self.program else self._of_ours(result, usage)

    def _of_gauge(self, result: dict[str, Any]) -> tuple[dict[str, float], int]:
        os.close(self.writer)
        line = b"" if result["timed_out"] or result["exceeded"] else os.read(self.reader, 4096)
        os.close(self.reader)
        if not line:
            return {}, result["code"] or -9  # the gauge itself was ended
        wall, user, system, memory, switches, status, pressure, *others = map(int, line.split())
        numbers = {
            "wall": wall / 1e9,
            "cpu": (user + system) / 1e6,
            "memory": memory * 1024.0,
            "involuntary_switches": float(switches),
            "pressure": _share(pressure, wall / 1e9),
            "system": system / 1e6,
            **dict(zip(COUNTED, map(float, others), strict=True)),
        }
        return numbers, os.waitstatus_to_exitcode(status)

    def _of_ours(self, result: dict[str, Any], usage: Any) -> tuple[dict[str, float], int]:
        if usage is None:
            return {}, result["code"]
        numbers = {
            "wall": result["seconds"],
            "cpu": usage.ru_utime + usage.ru_stime,
            "involuntary_switches": float(usage.ru_nivcsw),
            "pressure": _share(_pressure_us() - self.pressure_us, result["seconds"]),
            "system": usage.ru_stime,
            "voluntary_switches": float(usage.ru_nvcsw),
            "minor_faults": float(usage.ru_minflt),
            "major_faults": float(usage.ru_majflt),
        }
        if usage.ru_maxrss > self.floor_kib:  # below, it may be our own size
            numbers["memory"] = usage.ru_maxrss * 1024.0
        return numbers, result["code"]


def _share(pressure_us: int, seconds: float) -> float:
    return min(pressure_us / 1e6 / seconds, 1.0) if seconds > 0 else 0.0


def _pressure_us() -> int:
    try:
        with open("/proc/pressure/cpu", "rb") as file:
            return int(file.readline().rpartition(b"total=")[2])
    except (OSError, ValueError):
        return 0  # the kernel does not count it


def _peak_kib() -> int:
    with open("/proc/self/status", "rb") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(b"VmHWM:"))
