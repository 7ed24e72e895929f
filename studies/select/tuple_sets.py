"""The tuples that the study works on: files that were recorded, or that `sonde select --train` wrote."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from sonde.effects.recordings.selection_tuples import SelectionTuple, read_selection_tuples
from sonde.effects.recordings.tables import read_table
from sonde.methods.selection.examples import Example
from sonde.methods.selection.indicators import INDICATORS
from sonde.methods.selection.truth import instruction_threshold
from sonde.workflows.replay.select import example_of
from sonde.workflows.select.learners import NEEDED

COLUMNS = tuple(dict.fromkeys(name for sets in NEEDED.values() for names in sets.values() for name in names))
UNKNOWN_SECONDS = 1.0  # what stands for the time of a run that nobody took

Pair = tuple[str, str, str]  # child, parent, benchmark


@dataclass(frozen=True)
class TupleSet:
    """The tuples of one project, in the order of their files."""

    name: str
    tuples: tuple[SelectionTuple, ...]
    hops: Mapping[Pair, int]  # revisions from the parent to the child; without an entry one
    seconds: Mapping[str, float]  # that a run of each benchmark takes; empty: nobody knows
    tells_same_builds: bool  # whether `same` is about builds; else about proofs of any kind

    @property
    def most_hops(self) -> int:
        """How far apart the revisions of a pair are at most."""
        return max(self.hops.values(), default=1)

    @property
    def order(self) -> tuple[str, ...]:
        """All revisions, the oldest first, if the children in the file are so."""
        found: dict[str, None] = {}
        for each in self.tuples:
            found |= {each.parent: None, each.child: None} if each.parent not in found else {each.child: None}
        return tuple(found)

    @property
    def noise_threshold(self) -> float:
        """The smallest change that counts, as proven tuples tell."""
        examples = self.pairs(0.0, 1)
        return instruction_threshold(each.effect for each in examples if each.is_proven)

    def pairs(self, threshold: float, most_hops: int) -> list[Example]:
        """As learners see them; a hit changes by more than the threshold."""
        return [each for each in self._examples(threshold) if each.hops <= most_hops]

    def _examples(self, threshold: float) -> Iterable[Example]:
        for each in self.tuples:
            hops = self.hops.get((each.child, each.parent, each.benchmark), 1)
            seconds = self.seconds.get(each.benchmark, UNKNOWN_SECONDS)
            yield replace(example_of(each, threshold), hops=hops, seconds=seconds)


def read_tuple_set(files: Sequence[Path], seconds: Path | None = None) -> TupleSet:
    """The tuples of files of one project; raises RecordingError."""
    tuples = [each for file in files for each in read_selection_tuples(file, COLUMNS, tuple(INDICATORS))]
    hops: dict[Pair, int] = {}
    has_hops = False
    for file in files:
        rows = (row for _, row in read_table(file))
        head = next(rows)
        if "hops" in head and "parent" in head:
            has_hops = True
            places = [head.index(name) for name in ("child", "parent", "bench", "hops")]
            for row in rows:
                child, parent, benchmark, number = (row[at].strip() for at in places)
                hops[child, parent, benchmark] = int(number)
    known = _times(seconds) if seconds is not None else _own_times(tuples)
    return TupleSet(" + ".join(file.stem for file in files), tuple(tuples), hops, known, not has_hops)


def _own_times(tuples: Iterable[SelectionTuple]) -> Mapping[str, float]:
    """The median time of each benchmark: where no run was needed, a file has no time but a one."""
    taken: defaultdict[str, list[float]] = defaultdict(list)
    for each in tuples:
        if each.seconds != UNKNOWN_SECONDS:
            taken[each.benchmark].append(each.seconds)
    return {benchmark: median(times) for benchmark, times in taken.items()}


def _times(file: Path) -> Mapping[str, float]:
    """The median time of each benchmark, from a table with the columns bench and wall_s."""
    rows = (row for _, row in read_table(file))
    head = next(rows)
    taken: defaultdict[str, list[float]] = defaultdict(list)
    benchmark, seconds = head.index("bench"), head.index("wall_s")
    for row in rows:
        if row[seconds]:
            taken[row[benchmark]].append(float(row[seconds]))
    return {name: median(times) for name, times in taken.items()}
