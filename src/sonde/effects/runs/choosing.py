"""Chooses how a metric is measured on this machine, by trying."""

from __future__ import annotations

from sonde.core.errors import MissingTool
from sonde.core.results import Metric
from sonde.effects.runs import perf
from sonde.effects.runs.counter import can_be_made
from sonde.effects.runs.gauging import find_compiler
from sonde.effects.runs.orders import Meter
from sonde.effects.sandbox import Processes, Sandbox, SandboxView

NO_METER = (
    "Instructions cannot be counted here: the processor's counters are not accessible "
    "(`perf stat` fails, or is not installed), and valgrind or a C compiler is missing. "
    "Install the Debian packages valgrind and gcc, or measure the metric cpu."
)


def choose_meter(metric: Metric, processes: Processes, sandbox: Sandbox) -> Meter:
    """The meter for `metric`; raises MissingTool if there is none.

    Counts of different meters cannot be compared, so the choice belongs to what a sample is stored with.
    """
    if metric is not Metric.INSTRUCTIONS:
        return Meter.PLAIN
    if find_compiler() and perf_counts(processes, sandbox):  # within perf, a gauge is needed
        return Meter.PERF
    if not can_be_made():
        raise MissingTool(NO_METER)
    return Meter.VALGRIND


def perf_counts(processes: Processes, sandbox: Sandbox) -> bool:
    """Whether perf gives a real count in this sandbox: in many virtual machines it does not."""
    words, world = (*perf.COUNTING, "--", "true"), SandboxView(allows_counters=True)
    ended = processes.run(words, sandbox=sandbox, world=world, timeout_seconds=30.0)
    return ended.succeeded and bool(perf.read_instructions(ended.output))
