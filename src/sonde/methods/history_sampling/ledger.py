"""What the planner has been told of one series."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cached_property
from math import hypot, isfinite, log, log1p, sqrt
from statistics import median, variance

import numpy as np

from sonde.core.results import Failed, Measurement, Result
from sonde.core.revisions import RevisionId
from sonde.methods.history_sampling.facts import Array, Exact, Flags, Integers, SeriesFacts
from sonde.methods.history_sampling.series import Series, firsts_of

FEW_STEPS = 8  # among so few builds, changes cannot be told from noise without repeats
SURELY = 3.5  # times the range of two runs: four standard deviations of the difference of two revisions


class SeriesLedger:
    """Values, failures and open requests of one series, by what is proven equal.

    What policies see is kept in arrays with one entry a step, so that a result changes a few entries, and the
    facts are made without a loop over the history.
    """

    def __init__(self, series: Series) -> None:
        self.series = series
        self._samples: dict[Hashable, tuple[float, ...]] = {}
        self._failed: set[Hashable] = set()
        self._unusable: set[Hashable] = set()  # those of the failed ones that had a value without a logarithm
        self._hopeless: set[Hashable] = set()  # their build failed, as another series has found out
        self._measured: set[int] = set()  # revisions that were measured themselves
        self._fixed: set[Hashable] = set()  # further runs would only repeat the recorded value
        self.pending: dict[int, int] = {}  # steps, and how many runs were asked for
        self._medians: Array = np.zeros(len(self.steps))  # meaningless without runs
        self._lowest: Array = np.zeros(len(self.steps))  # so are these: the extremes of the samples
        self._highest: Array = np.zeros(len(self.steps))
        self._means: Array = np.zeros(len(self.steps))  # of the logs of the samples
        self._variances: Array = np.zeros(len(self.steps))  # of these, 0 of a single one
        self._runs: Integers = np.zeros(len(self.steps), dtype=np.int64)  # 0: there is no value
        self._is_fixed: Flags = np.zeros(len(self.steps), dtype=np.bool_)
        self._is_unknown: Flags = np.ones(len(self.steps), dtype=np.bool_)  # neither a value nor a failure
        self._facts: SeriesFacts | None = None  # as they were made last ...
        self._made_for: tuple[int, tuple[int, ...]] | None = None  # ... of this allowance and pending steps

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """The first revision of each step."""
        return firsts_of(self.series.kinds)

    @cached_property
    def step_of(self) -> Sequence[int]:
        """The step of each revision."""
        lengths = np.diff([*self.steps, len(self.series.kinds)])
        return np.repeat(np.arange(len(self.steps)), lengths).tolist()

    @cached_property
    def at(self) -> dict[RevisionId, int]:
        """The number of each revision of the series."""
        return {revision: at for at, revision in enumerate(self.series.revisions)}

    @cached_property
    def _places(self) -> Integers:
        return np.array(self.series.positions, dtype=np.int64)[np.array(self.steps, dtype=np.int64)]

    @cached_property
    def _steps_of_kind(self) -> dict[Hashable, list[int]]:
        """A kind that comes back later has several steps."""
        steps: dict[Hashable, list[int]] = {}
        for step, first in enumerate(self.steps):
            steps.setdefault(self.series.kinds[first], []).append(step)
        return steps

    def tell(self, result: Result) -> bool:
        """Take note of a result of one of its points; whether anything new is known."""
        at = self.at[result.point.revision]
        kind = self.series.kinds[at]
        self._made_for = None
        match result.outcome:
            case Failed():
                is_new = kind not in self._samples and kind not in self._failed
                if is_new:
                    self._failed.add(kind)
                    self._is_unknown[self._steps_of_kind[kind]] = False
                self._settle(kind, 10**9)
                return is_new
            case Measurement(samples, twin, is_repeatable):
                values = tuple(sample.values.get(self.series.metric, 0.0) for sample in samples)
                usable = tuple(value for value in values if isfinite(value) and value > 0)
                if len(usable) < len(values) or kind in self._unusable:
                    return self._tell_unusable(kind)
                if not usable:
                    return False
                if twin is None:
                    self._measured.add(at)
                if not is_repeatable:
                    self._fixed.add(kind)
                    self._is_fixed[self._steps_of_kind[kind]] = True
                self._failed.discard(kind)
                is_new = len(usable) > len(self._samples.get(kind, ()))
                if is_new:
                    self._keep(kind, usable)
                self._settle(kind, len(usable))
                return is_new

    def hear_of(self, build: Hashable) -> None:
        """Another series has found out that this build fails: nothing that needs it is worth a try."""
        for kind in self._kinds_of_build.get(build, ()):
            if kind not in self._samples:
                self._hopeless.add(kind)
                self._is_unknown[self._steps_of_kind[kind]] = False
                self._made_for = None

    @cached_property
    def _kinds_of_build(self) -> dict[Hashable, set[Hashable]]:
        kinds: dict[Hashable, set[Hashable]] = {}
        for build, kind in zip(self.series.builds, self.series.kinds, strict=False):
            kinds.setdefault(build, set()).add(kind)
        return kinds

    def _keep(self, kind: Hashable, values: tuple[float, ...]) -> None:
        self._samples[kind] = values
        steps = self._steps_of_kind[kind]
        self._medians[steps] = median(values)
        self._lowest[steps], self._highest[steps] = min(values), max(values)
        logs = np.log(values)
        self._means[steps], self._variances[steps] = logs.mean(), logs.var(ddof=1) if len(logs) > 1 else 0.0
        self._runs[steps] = len(values)
        self._is_unknown[steps] = False

    def _tell_unusable(self, kind: Hashable) -> bool:
        """A value that is zero, negative or no number has no logarithm: nothing can be said there.

        Whatever else was said, or will be: a sample that comes earlier or later changes nothing.
        """
        is_new = kind not in self._unusable
        self._unusable.add(kind)
        self._failed.add(kind)
        self._samples.pop(kind, None)
        self._measured = {at for at in self._measured if self.series.kinds[at] != kind}
        steps = self._steps_of_kind[kind]
        self._runs[steps] = 0
        self._is_unknown[steps] = False
        self._settle(kind, 10**9)
        return is_new

    def _settle(self, kind: Hashable, samples: int) -> None:
        for step in self._steps_of_kind[kind]:
            wanted = self.pending.get(step)
            if wanted is not None and (samples >= wanted or kind in self._fixed):
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
        kind = self.series.kinds[at]
        return (kind in self._failed or kind in self._hopeless) and not self.is_known(at)

    def noise_variance(self) -> float | None:
        """t_stop: the variance of the logs at the revision with most samples; None if none has two.

        Of several, the earliest: the order of telling does not matter.
        """
        if not len(self._runs) or self._runs.max() < 2:
            return None
        most = self._samples[self.series.kinds[self.steps[int(np.argmax(self._runs))]]]
        return variance(map(log, most))

    def facts(self, allowance: int) -> SeriesFacts:
        """What is known, as numbers; so many further steps may be measured."""
        made_for = (allowance, tuple(self.pending))
        if self._facts is None or self._made_for != made_for:
            self._facts, self._made_for = self._made(allowance), made_for
        return self._facts

    def _made(self, allowance: int) -> SeriesFacts:
        measured = np.flatnonzero(self._runs > 0)  # of flags, it takes a tenth of the time
        pending = np.array(sorted(self.pending), dtype=np.int64)
        is_open = self._is_unknown.copy()
        for step in self.pending:  # what is proven equal to it will be known too
            is_open[self._steps_of_kind[self.series.kinds[self.steps[step]]]] = False
        failed = np.flatnonzero(~self._is_unknown & (self._runs == 0))
        counted, repeat_noise = self.series.counted_noise, self._repeat_noise()
        return SeriesFacts(
            places=self._places,
            measured=measured,
            logs=np.log(self._medians[measured]),
            runs=self._runs[measured],
            most_runs=np.where(self._is_fixed[measured], 0, self.series.most_runs),
            is_open=is_open,
            pending=pending,
            allowance=max(0, allowance - int(np.count_nonzero(self._runs[pending] == 0))),
            noise_floor=self.series.noise_floor,
            magnitude=self.series.magnitude,
            failed=failed,
            repeat_noise=repeat_noise,
            known_noise=self._known_noise(repeat_noise),
            exact=None if counted is None else self._exact(measured, counted),
        )

    def _exact(self, measured: Integers, noise: float) -> Exact | None:
        """The values as exact ones, if runs of one revision differ by much less than what matters."""
        lowest, highest = (np.log(values[measured]) for values in (self._lowest, self._highest))
        ranges = (highest - lowest)[self._runs[measured] > 1]
        typical = float(np.median(ranges)) if len(ranges) else 0.0
        if typical > noise:
            noise = SURELY * typical
            if noise > log1p(self.series.magnitude):
                return None
        means = np.clip(self._means[measured], lowest, highest)  # equal samples have no other mean
        variances = self._variances[measured]
        usual = float(variances[variances > 0].mean()) if variances.any() else 0.0
        return Exact(noise, means, lowest, highest, variances, usual, self.series.runs)

    def _known_noise(self, repeat_noise: float) -> float | None:
        """The noise where repeats alone decide it: of counts, and of few builds, which say little."""
        if self.series.counted_noise is not None:
            return max(self.series.counted_noise, repeat_noise)
        runs = self._runs[self._runs > 0]
        is_short = len(self.steps) <= FEW_STEPS and len(runs) > 0 and bool((runs > 1).all())
        return hypot(self.series.noise_floor, repeat_noise) if is_short else None

    def _repeat_noise(self) -> float:
        """The deviation of a median of the usual number of runs, from how runs of one revision differ."""
        repeated = [values for values in self._samples.values() if len(values) > 1]
        if not repeated:
            return 0.0
        pooled = sum(variance(map(log, values)) for values in repeated) / len(repeated)
        return sqrt(pooled / median(map(len, repeated)))
