"""What the planner has been told of one series."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property
from math import isfinite, log
from statistics import median, variance

import numpy as np

from sonde.core.points import Point
from sonde.core.results import Failed, Measurement, Result
from sonde.methods.history_sampling.facts import SeriesFacts
from sonde.methods.history_sampling.series import Series, steps_of


class SeriesLedger:
    """Values, failures and open requests of one series, by what is proven equal."""

    def __init__(self, series: Series) -> None:
        self.series = series
        self._samples: dict[Hashable, tuple[float, ...]] = {}
        self._failed: set[Hashable] = set()
        self._measured: set[int] = set()  # revisions that were measured themselves
        self._fixed: set[Hashable] = set()  # further runs would only repeat the recorded value
        self.pending: dict[int, int] = {}  # steps, and how many runs were asked for

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """The first revision of each step."""
        return tuple(step.first for step in steps_of(self.series.kinds))

    @cached_property
    def step_of(self) -> Sequence[int]:
        """The step of each revision."""
        return [
            at for at, step in enumerate(steps_of(self.series.kinds)) for _ in range(step.first, step.end)
        ]

    @cached_property
    def at(self) -> dict[Point, int]:
        """The number of each point of the series."""
        return {self.series.point(at): at for at in range(len(self.series.revisions))}

    def tell(self, result: Result) -> bool:
        """Take note of a result of one of its points; whether anything new is known."""
        at = self.at[result.point]
        kind = self.series.kinds[at]
        match result.outcome:
            case Failed():
                is_new = kind not in self._samples and kind not in self._failed
                if is_new:
                    self._failed.add(kind)
                self._settle(kind, 10**9)
                return is_new
            case Measurement(samples, twin, is_repeatable):
                values = tuple(sample.values.get(self.series.metric, 0.0) for sample in samples)
                usable = tuple(value for value in values if isfinite(value) and value > 0)
                if len(usable) < len(values) or not usable:
                    return self.tell_unusable(kind)
                if twin is None:
                    self._measured.add(at)
                if not is_repeatable:
                    self._fixed.add(kind)
                self._failed.discard(kind)
                is_new = len(usable) > len(self._samples.get(kind, ()))
                if is_new:
                    self._samples[kind] = usable
                self._settle(kind, len(usable))
                return is_new

    def tell_unusable(self, kind: Hashable) -> bool:
        """A value that is zero, negative or no number has no logarithm: nothing can be said there."""
        is_new = kind not in self._failed
        self._failed.add(kind)
        self._settle(kind, 10**9)
        return is_new

    def _settle(self, kind: Hashable, samples: int) -> None:
        for step, wanted in list(self.pending.items()):
            if self.series.kinds[self.steps[step]] == kind and (samples >= wanted or kind in self._fixed):
                del self.pending[step]

    @property
    def tried(self) -> int:
        """How many distinct revisions have taken work: those that were measured, and those that failed."""
        return len(self._measured) + len(self._failed)

    def is_measured(self, at: int) -> bool:
        """Whether a revision was measured itself."""
        return at in self._measured

    def is_known(self, at: int) -> bool:
        """Whether a revision was measured, or is proven equal to one that was."""
        return self.series.kinds[at] in self._samples

    def has_failed(self, at: int) -> bool:
        """Whether a revision does not build or run."""
        return self.series.kinds[at] in self._failed and not self.is_known(at)

    def noise_variance(self) -> float | None:
        """t_stop: the variance of the logs at the revision with most samples; None if none has two."""
        most = max(self._samples.values(), key=len, default=())
        return variance(map(log, most)) if len(most) > 1 else None

    def facts(self, allowance: int) -> SeriesFacts:
        """What is known, as numbers; so many further steps may be measured."""
        kinds = [self.series.kinds[first] for first in self.steps]
        measured = [step for step, kind in enumerate(kinds) if kind in self._samples]
        medians = [median(self._samples[kinds[step]]) for step in measured]
        most = self.series.most_runs
        return SeriesFacts(
            places=np.array([self.series.positions[first] for first in self.steps], dtype=np.int64),
            measured=np.array(measured, dtype=np.int64),
            logs=np.log(np.array(medians, dtype=np.float64)),
            runs=np.array([len(self._samples[kinds[step]]) for step in measured], dtype=np.int64),
            most_runs=np.array(
                [0 if kinds[step] in self._fixed else most for step in measured], dtype=np.int64
            ),
            is_open=np.array(
                [
                    kind not in self._samples and kind not in self._failed and step not in self.pending
                    for step, kind in enumerate(kinds)
                ],
                dtype=np.bool_,
            ),
            pending=np.array(sorted(self.pending), dtype=np.int64),
            allowance=max(0, allowance - len([step for step in self.pending if step not in measured])),
            noise_floor=self.series.noise_floor,
            magnitude=self.series.magnitude,
        )
