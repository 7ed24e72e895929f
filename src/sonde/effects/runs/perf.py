"""Instructions by the processor's own counter, read by `perf stat`.

A run under perf reports nothing else: perf itself is part of what the kernel accounts for, which adds some
milliseconds and, to small benchmarks, more memory than they have.
"""

from __future__ import annotations

from collections.abc import Sequence

from sonde.effects.runs.orders import METER

EVENT = "instructions:u"
FILE = "perf"


def wrap(argv: Sequence[str]) -> tuple[str, ...]:
    """The words that count the instructions of `argv` and all its children."""
    return ("perf", "stat", "-x,", "-e", EVENT, "-o", f"{METER}/{FILE}", "--", *argv)


def read_instructions(text: str) -> float | None:
    """The count in what `perf stat -x,` wrote, or None if the processor did not count all the time.

    A machine with two kinds of cores has a line for each kind, such as `cpu_core/instructions:u/`.
    """
    counts = []
    for line in text.splitlines():
        fields = line.split(",")
        if len(fields) < 5 or "instructions" not in fields[2]:
            continue
        count, share = fields[0], fields[4]
        if count == "<not counted>":
            continue  # this kind of core did not take part
        if not count.isdigit() or float(share) < 99.5:
            return None  # not supported, or scaled up from a part of the time
        counts.append(int(count))
    return float(sum(counts)) if counts else None
