"""What the study has measured so far: one comparison a line, so that an interrupted study goes on."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from studies.check.workloads import NAMES, Run

SAME, PLANTED = "same", "planted"  # kinds of comparisons, in pairs
SAME_IN_A_ROW, IN_A_ROW = "same, in a row", "planted, in a row"  # ten runs after ten runs
CALM, LOADED = "calm", "loaded"


@dataclass(frozen=True)
class PairOfRuns:
    """One run of each side, right after each other."""

    base: Run
    head: Run
    is_head_first: bool

    @property
    def cpu(self) -> tuple[float, float]:
        """What is compared."""
        return self.base.cpu, self.head.cpu

    @property
    def in_time(self) -> tuple[Run, Run]:
        """The runs as they came."""
        return (self.head, self.base) if self.is_head_first else (self.base, self.head)


@dataclass(frozen=True)
class Comparison:
    """The pairs of one comparison, or the runs of both sides one after the other, numbered as pairs."""

    state: str  # of the machine
    kind: str
    workload: str
    number: int
    effect: float  # the true logarithm of head / base
    pairs: tuple[PairOfRuns, ...]

    @property
    def key(self) -> tuple[str, str, str, int]:
        """Which one it is."""
        return self.state, self.kind, self.workload, self.number


class Recording:
    """A file of comparisons."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known = {comparison.key: comparison for comparison in _read(path)}

    def __contains__(self, key: tuple[str, str, str, int]) -> bool:
        return key in self._known

    def append(self, comparison: Comparison) -> None:
        """Keep it."""
        with self._path.open("a") as file:
            file.write(json.dumps(asdict(comparison)) + "\n")
        self._known[comparison.key] = comparison

    def of(
        self, kind: str, state: str | None = None, workloads: Collection[str] = tuple(NAMES)
    ) -> list[Comparison]:
        """All of a kind, in one state of the machine or in any, of some workloads."""
        return [
            each
            for each in self._known.values()
            if each.kind == kind and state in (None, each.state) and each.workload in workloads
        ]


def _read(path: Path) -> Iterator[Comparison]:
    lines = path.read_text().splitlines() if path.exists() else []
    for line in lines:
        try:
            words = json.loads(line)
        except ValueError:  # the line in which the study was interrupted
            continue
        pairs = tuple(
            PairOfRuns(Run(**pair["base"]), Run(**pair["head"]), pair["is_head_first"])
            for pair in words.pop("pairs")
        )
        yield Comparison(**words, pairs=pairs)
