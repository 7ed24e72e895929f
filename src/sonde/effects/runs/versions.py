"""The versions of meters: counts of different versions are not the same."""

from __future__ import annotations

from sonde.effects.runs.counter import counter_version
from sonde.effects.runs.orders import Meter
from sonde.effects.sandbox import Processes

_QUESTIONS = {Meter.PERF: ("perf", "--version"), Meter.VALGRIND: ("valgrind", "--version")}


def meter_version(meter: Meter, processes: Processes) -> str:
    """What the meter's program says of its version; empty for the kernel's own accounts."""
    if meter is Meter.PLAIN:
        return ""
    version = processes.run(_QUESTIONS[meter], timeout_seconds=30.0).output.strip()
    return f"{version}, {counter_version()}" if meter is Meter.VALGRIND else version
