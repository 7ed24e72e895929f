"""The versions of meters: counts of different versions are not the same."""

from __future__ import annotations

from sonde.effects.runs.orders import Meter
from sonde.effects.sandbox import Processes

_QUESTIONS = {Meter.PERF: ("perf", "--version"), Meter.CALLGRIND: ("valgrind", "--version")}


def meter_version(meter: Meter, processes: Processes) -> str:
    """What the meter's program says of its version; empty for the kernel's own accounts."""
    if meter is Meter.PLAIN:
        return ""
    return processes.run(_QUESTIONS[meter], timeout_seconds=30.0).output.strip()
