"""Instructions by the processor's own counter, read by `perf stat`.

Perf loses the exit code of a command that ends before it begins to wait for it (seen with perf 6.1), so the
gauge runs within it and tells the exit code itself. The gauge measures the benchmark alone, and a counter
costs nothing, so that wall, cpu and memory are those of the benchmark. They are as sound as in a plain run
only if no other lane runs meanwhile, so the executor uses one lane for this meter. The instructions of the
gauge are counted, too: a hundred thousand in each run.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from sonde.effects.runs.instruments import RunFolders, Variables, Words
from sonde.effects.runs.orders import METER

EVENT = "instructions:u"
FILE = "perf"


COUNTING = ("perf", "stat", "-x,", "-e", EVENT)
WORDS = (*COUNTING, "-o", f"{METER}/{FILE}", "--")  # then comes the command


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


@dataclass(frozen=True)
class PerfMeter:
    """Counts the instructions of all processes."""

    writes: bool = True
    programs: Words = ()
    variables: Variables = ()
    around_gauge: Words = WORDS

    def wrap(self, argv: Words, variables: Mapping[str, str]) -> Words:
        """The same words: perf stands around the gauge."""
        return argv

    def attached(self, meter: Path, appears_as: str) -> AbstractContextManager[None]:
        """Nothing."""
        return nullcontext()

    def read(self, scene: RunFolders) -> float | None:
        """The instructions, or None if they were not counted."""
        file = scene.meter / FILE
        return read_instructions(file.read_text()) if file.exists() else None

    def read_complaints(self, meter: Path) -> str:
        """Nothing: perf prints what it has to say beside what the benchmark prints."""
        return ""
