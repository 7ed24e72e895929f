"""What each source line costs in a run: a profile of machine code, read with the lines of that code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from sonde.core import evidence
from sonde.core.code import SourceLine
from sonde.core.code_lines import CodeLines, FunctionLines


@dataclass(frozen=True)
class LineCosts:
    """The cost of a run by lines, as far as these are known. What libraries did counts for their callers."""

    total: int  # of everything that ran
    lines: Mapping[SourceLine, int]  # of lines that were executed; zero if only before the measured run
    machine: Mapping[
        evidence.ProfiledFunction, int
    ]  # what belongs to no line, by the function that the linker knows

    @property
    def lineless_share(self) -> float:
        """The share of the cost that belongs to no line of the build."""
        return sum(self.machine.values()) / (self.total or 1)


def cost_lines(profile: evidence.Profile, lines: CodeLines) -> LineCosts:
    """The cost of each line that a run has executed; inlined and cloned code counts for its own line.

    A line whose code was merged into that of the next one was executed as well, and costs nothing.
    """
    by_line: defaultdict[tuple[int, int], int] = defaultdict(int)
    machine: dict[evidence.ProfiledFunction, int] = {}
    for function, activity in profile.activities.items():
        left = activity.own + activity.elsewhere
        executed, known = profile.executed.get(function), lines.functions.get(function)
        if executed is not None and known is not None:
            for row, cost in _rows(executed, known):
                if known.files[row] >= 0 and known.lines[row]:
                    by_line[known.files[row], known.lines[row]] += cost
                    left -= cost
        if left > 0 or executed is None:
            machine[function] = max(left, 0)
    found = {SourceLine(lines.files[file], line): cost for (file, line), cost in by_line.items()}
    return LineCosts(profile.total, found, machine)


def _rows(executed: evidence.ExecutedInstructions, known: FunctionLines) -> Iterator[tuple[int, int]]:
    """The rows of a function's lines that were executed, each with its cost."""
    offsets = np.array(known.offsets, np.uint64)
    rows = np.searchsorted(offsets, np.array(executed.offsets, np.uint64), side="right") - 1
    sums: defaultdict[int, int] = defaultdict(int)
    for row, own, elsewhere in zip(rows.tolist(), executed.own, executed.elsewhere, strict=True):
        sums[row] += own + elsewhere
    sums.pop(-1, None)  # before the first row
    for row, cost in sums.items():
        yield row, cost
        merged = row
        while merged and known.offsets[merged - 1] == known.offsets[row]:
            merged -= 1
            yield merged, 0
