"""Reads the report of a run: metrics, or a failure in words."""

from __future__ import annotations

import hashlib
import math
import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from sonde.core.results import Account, Failed, Gauges, Metric, Sample, Stage
from sonde.core.subject import USUAL_LIMITS, Limits
from sonde.effects.runs.orders import Meter, RunOrder
from sonde.effects.sandbox import Ended, name_ending
from sonde.effects.sandbox.limiting import name_limit

SHOWN_BYTES = 4000
OUTPUT_LETTERS = 16  # of a digest; two of them are compared, not millions
FULL_DISK = "No space left on device"

_PLAIN = (Metric.WALL, Metric.CPU, Metric.MEMORY)


@dataclass(frozen=True)
class RunReport:
    """What one run took."""

    metrics: tuple[tuple[Metric, float], ...]
    gauges: Gauges
    left_behind: int = 0  # processes that the benchmark left, and that had to be ended
    output: str = ""  # a digest of what it printed

    def sample(self, number: int, taken_at: float) -> Sample:
        """It as the run of a measurement with this number."""
        return Sample.of(number, dict(self.metrics), taken_at, self.gauges, self.output)


def read_report(
    report: dict[str, Any], order: RunOrder, counted: float | str | None, limits: Limits = USUAL_LIMITS
) -> RunReport | Failed:
    """The metrics of a run, or why it has none.

    `counted` is what the meter counted, or why it could not; None if it does not count, or does not say why.
    """
    failed = read_failure(report, order, counted, limits)
    if failed is not None:
        return failed
    numbers: dict[str, float] = report["numbers"]
    values: dict[Metric, float] = {}
    if order.meter is not Meter.VALGRIND:  # under which times and memory are not the benchmark's own
        values = {metric: numbers[metric.value] for metric in _PLAIN if metric.value in numbers}
    ended = _ended(report["run"])
    if isinstance(counted, int | float):
        values[Metric.INSTRUCTIONS] = counted
    if order.metric is Metric.PRINTED:
        printed = find_number(order.pattern, ended.output)
        if isinstance(printed, str):
            return _failed(printed, ended)
        values[Metric.PRINTED] = printed
    if order.metric not in values:
        return _failed(_missing(order.metric), ended)
    gauges = Gauges(int(numbers["involuntary_switches"]), numbers["pressure"], _account(numbers, order))
    return RunReport(
        tuple(values.items()), gauges, report["left_behind"], digest_output(ended, order.pattern)
    )


def _account(numbers: Mapping[str, float], order: RunOrder) -> Account | None:
    """What the kernel tells; nothing under valgrind, whose own account it would be."""
    if order.meter is Meter.VALGRIND or "minor_faults" not in numbers:
        return None
    switches, minor, major = (
        int(numbers[name]) for name in ("voluntary_switches", "minor_faults", "major_faults")
    )
    return Account(numbers["system"], switches, minor, major)


def read_failure(
    report: dict[str, Any], order: RunOrder, seen: object, limits: Limits = USUAL_LIMITS
) -> Failed | None:
    """The step that failed, or what the instrument says where it saw nothing: then `seen` is a sentence."""
    if report["failed"] is not None:
        return _failure(report["failed"], order, limits)
    return _failed(seen, _ended(report["run"])) if isinstance(seen, str) else None


def find_number(pattern: str, output: str) -> float | str:
    """The number that the last match of `pattern` holds, or why there is none."""
    matches = deque(re.finditer(pattern, output, re.MULTILINE), maxlen=1)
    if not matches:
        return f"The pattern {pattern!r} was not found in the output."
    text = matches[0].group(1) or ""
    try:
        number = float(text)
    except ValueError:
        return f"The pattern {pattern!r} found {text!r}, which is not a number."
    return (
        number if math.isfinite(number) else f"The pattern {pattern!r} found {text!r}, which is not finite."
    )


def digest_output(ended: Ended, pattern: str = "") -> str:
    """Equal for runs that print the same, as far as that is kept; blind to numbers that `pattern` finds."""
    if pattern:
        printed = _without_numbers(pattern, ended.output).encode()
    else:
        printed = b"%d\0%s%s" % (ended.size_bytes, ended.head, ended.tail)
    return hashlib.sha256(printed).hexdigest()[:OUTPUT_LETTERS]


def _without_numbers(pattern: str, output: str) -> str:
    parts, at = [], 0
    for match in re.finditer(pattern, output, re.MULTILINE):
        begin, end = match.span(1)
        if begin >= at:
            parts.append(output[at:begin])
            at = end
    return "".join([*parts, output[at:]])


def _missing(metric: Metric) -> str:
    if metric is Metric.MEMORY:
        return (
            "The peak memory is too small to distinguish from Sonde's own. Install a C compiler "
            "(package gcc)."
        )
    return f"The run ended well, but its {metric.value} could not be counted."


def _failure(step: dict[str, Any], order: RunOrder, limits: Limits) -> Failed:
    ended = _ended(step)
    limit = name_limit(ended, limits)
    failed = _failed(_reason(step, ended, order, limit), ended)
    if limit:
        return replace(failed, is_lasting=False)
    if ended.timed_out:
        return replace(failed, timed_out_after=order.timeout_seconds)
    return replace(failed, is_lasting=failed.is_lasting and step.get("how") != "port in use")


def _failed(reason: str, ended: Ended) -> Failed:
    return Failed(Stage.RUN, reason, ended.last_output(SHOWN_BYTES), is_lasting=FULL_DISK not in ended.output)


def _reason(step: dict[str, Any], ended: Ended, order: RunOrder, limit: str) -> str:
    name = {"run": "benchmark"}.get(step["step"], step["step"])
    if ended.exceeded:
        return f"The {name} was ended: {limit}."
    if order.server is not None and name == "server":
        port, seconds = order.server.port, order.server.timeout_seconds
        return {
            "port in use": f"Port {port} is already in use, so the server was not started.",
            "ended": f"The server ended with {name_ending(ended.code)} before it answered on port {port}.",
            "never answered": f"The server did not answer on port {port} within {seconds:g} s.",
        }[step["how"]]
    if ended.timed_out:
        slow = ", under valgrind, which is 3 to 30 times slower" if _is_slow(name, order) else ""
        return f"The {name} did not end within {order.timeout_seconds:g} s{slow}."
    told = f": {limit}" if limit else ""
    return f"The {name} ended with {name_ending(ended.code)}{told}."


def _is_slow(name: str, order: RunOrder) -> bool:
    return name == "benchmark" and order.meter is Meter.VALGRIND


def _ended(step: dict[str, Any]) -> Ended:
    return Ended(
        code=step["code"],
        timed_out=step["timed_out"],
        seconds=step["seconds"],
        head=step["head"],
        tail=step["tail"],
        size_bytes=step["size_bytes"],
        left_behind=0,
        exceeded=step["exceeded"],
    )
