"""What was measured: one line a configuration, one column a step, and how noisy it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import log, sqrt

import numpy as np

from sonde.methods.pinpointing.search import DemandResult
from sonde.methods.pinpointing.shared_steps.belief.alphabet import Alphabet
from sonde.methods.pinpointing.shared_steps.belief.arrays import Integers
from sonde.methods.pinpointing.shared_steps.belief.table import Readings, SumTable, make_table, without_spikes

LEAST_DIFFERENCES = 5
HALF_BEYOND = 0.6745  # half of all normal values lie beyond so many standard deviations
NOISE_UNKNOWN = 1e-6  # relative; equal values of a program that counts are equal to more digits than that


class Sheet:
    """Takes down what was heard. Lines are added as configurations come up."""

    def __init__(self, alphabet: Alphabet, lowest: Integers, steps: int, noise_floor: float) -> None:
        self._alphabet = alphabet
        self._grounded = alphabet.grounded(lowest)
        self._floor = noise_floor
        self.steps = steps
        self.lines: list[Integers] = []
        self._line_of: dict[bytes, int] = {}
        self._values: list[dict[int, tuple[float, ...]]] = []  # log values
        self._failed: set[tuple[int, int]] = set()
        self._closed: set[int] = set()  # steps that fail in every configuration
        self.is_repeatable = True
        self._table: SumTable | None = None
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

    def hear(self, answers: Sequence[DemandResult]) -> None:
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
        """How much neighbours differ where nothing can be repeated; equal ones say nothing."""
        differences = []
        for values in self._values:
            steps = sorted(values)
            differences += [
                abs(values[after][0] - values[before][0])
                for before, after in pairwise(steps)
                if after - before <= 2 and values[after] != values[before]
            ]
        if len(differences) < LEAST_DIFFERENCES:
            return 0.0
        return float(np.median(differences)) / (HALF_BEYOND * sqrt(2))

    def _repeats(self) -> Iterator[tuple[float, ...]]:
        for values in self._values:
            yield from (samples for samples in values.values() if len(samples) > 1)

    def table(self) -> SumTable:
        """Sums over everything measured so far."""
        if self._table is None:
            self._table = make_table(self._readings(), self._alphabet, self._grounded)
        return self._table

    def _readings(self) -> Readings:
        """Everything measured, point by point."""
        places = [
            (line, step, len(values), sum(values) / len(values))
            for line, by_step in enumerate(self._values)
            for step, values in by_step.items()
        ]
        line, step, count, mean = (np.array(column) for column in zip(*places, strict=True))
        variance = self.point_deviation**2 + max(self.repeat_deviation, NOISE_UNKNOWN) ** 2 / count
        readings = Readings(np.array(self.lines), line, step, count, mean, 1.0 / variance)
        return readings if self.is_repeatable else without_spikes(readings, self.deviation)
