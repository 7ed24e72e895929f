"""Instructions by the processor's own counter, read by `perf stat`.

Perf loses the exit code of a command that ends before it begins to wait for it (seen with perf 6.1), so the
gauge runs within it and tells the exit code itself. The gauge measures the benchmark alone, and a counter
costs nothing, so that wall, cpu and memory are those of the benchmark. They are as sound as in a plain run
only if no other lane runs meanwhile, so the executor uses one lane for this meter. The instructions of the
gauge are counted, too: a hundred thousand in each run.
"""

from __future__ import annotations

from sonde.effects.runs.orders import METER

EVENT = "instructions:u"
FILE = "perf"


WORDS = ("perf", "stat", "-x,", "-e", EVENT, "-o", f"{METER}/{FILE}", "--")  # then comes the command


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
