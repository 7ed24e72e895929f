"""What was measured: one line a configuration, one column a step, and how noisy it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from sonde.methods.pinpointing.search import Heard
from sonde.methods.pinpointing.shared_steps.alphabet import Alphabet
from sonde.methods.pinpointing.shared_steps.arrays import Array, Flags, Integers

NOISE_UNKNOWN = 1e-6  # relative; equal values of a program that counts are equal to more digits than that


SPIKE_STEPS = 4  # within so many steps
SPIKE_WEIGHT = 1e-3  # of a value that cannot be repeated and that its neighbours contradict


@dataclass(frozen=True, eq=False)
class Table:
    """The sheet at one moment, ready for sums over stretches of steps.

    Sums run over the columns before the one that they stand at, so that the sum over columns i to j is
    `weights[:, j] - weights[:, i]`. A weight is one over the variance of a point's mean.
    """

    steps: Integers  # one a column, in increasing order
    weights: Array  # configurations x (columns + 1)
    totals: Array  # of weight times mean log value, less the line's own mean
    squares: Array  # of weight times the square of that
    points: Integers  # that were measured
    counts: Integers  # of runs
    held: Flags  # configurations x literals
    level: Array  # typical value of each configuration
    best_level: Array  # the lowest one among the configurations that have no further literals than it has

    def column(self, step: int) -> int:
        """The first column that is not before `step`."""
        return int(np.searchsorted(self.steps, step))


def _spikes(lines: Integers, columns: Integers, steps: Integers, means: Array, deviation: float) -> Flags:
    """Points whose neighbours on both sides agree with each other and not with them."""
    order = np.lexsort((columns, lines))
    line, step, mean = lines[order], steps[columns[order]], means[order]
    is_spike = np.zeros(len(order), dtype=bool)
    if len(order) > 2:
        same = (line[2:] == line[:-2]) & (step[2:] - step[:-2] <= SPIKE_STEPS)
        agree = np.abs(mean[2:] - mean[:-2]) < 3 * deviation
        apart = np.minimum(np.abs(mean[1:-1] - mean[2:]), np.abs(mean[1:-1] - mean[:-2])) > 5 * deviation
        is_spike[order[1:-1]] = same & agree & apart
    return is_spike


class Sheet:
    """Takes down what was heard. Lines are added as configurations come up."""

    def __init__(self, alphabet: Alphabet, lowest: Integers, steps: int, noise_floor: float) -> None:
        self._alphabet = alphabet
        self._grounded = alphabet.literal_indices(lowest)
        self._floor = noise_floor
        self.steps = steps
        self.lines: list[Integers] = []
        self._line_of: dict[bytes, int] = {}
        self._values: list[dict[int, tuple[float, ...]]] = []  # log values
        self._failed: set[tuple[int, int]] = set()
        self._closed: set[int] = set()  # steps that fail in every configuration
        self.is_repeatable = True
        self._table: Table | None = None
        self._scatter: float | None = None
        self._repeats_deviate: float | None = None

    def line(self, row: Integers) -> int:
        """The number of a configuration's line."""
        key = row.tobytes()
        if key not in self._line_of:
            self._line_of[key] = len(self.lines)
            self.lines.append(row)
            self._values.append({})
        return self._line_of[key]

    def known_line(self, row: Integers) -> int | None:
        """The number of a configuration's line if it has one."""
        return self._line_of.get(row.tobytes())

    def hear(self, answers: Sequence[Heard]) -> None:
        """Take note of what was measured."""
        for heard in answers:
            line = self.line(self._alphabet.row(heard.configuration))
            if heard.values:
                self._values[line][heard.step] = tuple(log(value) for value in heard.values)
                self.is_repeatable = self.is_repeatable and heard.is_repeatable
            else:
                self._failed.add((line, heard.step))
                if heard.is_whole_revision:
                    self._closed.add(heard.step)
        self._table = self._scatter = self._repeats_deviate = None

    def runs(self, row: Integers, step: int) -> int:
        """How many runs of a point there were."""
        line = self.known_line(row)
        return 0 if line is None else len(self._values[line].get(step, ()))

    def is_open(self, row: Integers, step: int) -> bool:
        """Whether a point is not known to fail."""
        line = self.known_line(row)
        return step not in self._closed and (line is None or (line, step) not in self._failed)

    def is_hopeless(self, row: Integers) -> bool:
        """Whether a configuration failed several times and never ran."""
        line = self.known_line(row)
        if line is None or self._values[line]:
            return False
        return sum(at == line for at, _ in self._failed) >= 3

    def measured(self, line: int) -> dict[int, tuple[float, ...]]:
        """The log values of a configuration, by step."""
        return self._values[line]

    def has_values(self) -> bool:
        """Whether anything was measured."""
        return any(self._values)

    @property
    def repeat_deviation(self) -> float:
        """Deviation of a run from others of the same point, as log."""
        if self._repeats_deviate is None:
            squares, freedom = 0.0, 0
            for values in self._repeats():
                mean = sum(values) / len(values)
                squares += sum((value - mean) ** 2 for value in values)
                freedom += len(values) - 1
            self._repeats_deviate = sqrt(squares / freedom) if freedom else 0.0
        return self._repeats_deviate

    @property
    def point_deviation(self) -> float:
        """Deviation of a point's mean that no repetition can lower, as log."""
        if self.is_repeatable:
            return self._floor
        return max(self._floor, self._neighbours())

    @property
    def deviation(self) -> float:
        """Of a single run, from whatever source."""
        if self._scatter is None:
            self._scatter = max(NOISE_UNKNOWN, sqrt(self.repeat_deviation**2 + self.point_deviation**2))
        return self._scatter

    def _neighbours(self) -> float:
        """A typical difference of neighbouring steps where nothing can be repeated; equal ones say nothing."""
        differences = []
        for values in self._values:
            steps = sorted(values)
            differences += [
                abs(values[after][0] - values[before][0])
                for before, after in zip(steps, steps[1:], strict=False)
                if after - before <= 2 and values[after] != values[before]
            ]
        return float(np.median(differences)) / (0.6745 * sqrt(2)) if len(differences) >= 5 else 0.0

    def _repeats(self) -> Iterator[tuple[float, ...]]:
        for values in self._values:
            yield from (samples for samples in values.values() if len(samples) > 1)

    def table(self) -> Table:
        """Sums over everything measured so far."""
        if self._table is None:
            self._table = self._make_table()
        return self._table

    def _make_table(self) -> Table:
        repeat, point = max(self.repeat_deviation, NOISE_UNKNOWN) ** 2, self.point_deviation**2
        places = [
            (line, step, len(values), sum(values) / len(values))
            for line, by_step in enumerate(self._values)
            for step, values in by_step.items()
        ]
        lines = np.array([place[0] for place in places], dtype=np.int64)
        steps, columns = np.unique(np.array([place[1] for place in places]), return_inverse=True)
        counts = np.array([place[2] for place in places], dtype=np.int64)
        means = np.array([place[3] for place in places])
        shape = (len(self.lines), len(steps) + 1)
        weights, totals, squares = np.zeros(shape), np.zeros(shape), np.zeros(shape)
        points, runs = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
        weight = 1.0 / (point + repeat / counts)
        if not self.is_repeatable:
            weight[_spikes(lines, columns, steps, means, self.deviation)] *= SPIKE_WEIGHT
        typical_log = np.bincount(lines, means, len(self.lines)) / np.maximum(
            np.bincount(lines, minlength=len(self.lines)), 1
        )
        weights[lines, columns + 1] = weight
        totals[lines, columns + 1] = weight * (means - typical_log[lines])
        squares[lines, columns + 1] = weight * (means - typical_log[lines]) ** 2
        points[lines, columns + 1] = 1
        runs[lines, columns + 1] = counts
        sums = np.bincount(lines, counts * means, len(self.lines))
        number = np.bincount(lines, counts, len(self.lines))
        typical = np.exp(np.divide(sums, number, out=np.zeros(len(self.lines)), where=number > 0))
        level = np.where(number > 0, typical, typical[number > 0].max())
        held = self._alphabet.holds(np.array(self.lines, dtype=np.int64))
        return Table(
            steps.astype(np.int64),
            np.cumsum(weights, axis=1),
            np.cumsum(totals, axis=1),
            np.cumsum(squares, axis=1),
            np.cumsum(points, axis=1),
            np.cumsum(runs, axis=1),
            held,
            level,
            self._best_levels(held, level),
        )

    def _best_levels(self, held: Flags, level: Array) -> Array:
        further = held.astype(np.float32)
        further[:, self._grounded] = 0.0
        is_part = (
            further @ further.T == further.sum(axis=1)[:, None]
        )  # whether the first is part of the second
        return np.asarray(np.where(is_part, level[:, None], np.inf).min(axis=0))
