"""What was measured, and what may still be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np
from numpy.typing import NDArray

from sonde.core.options import Configuration
from sonde.methods.pinpointing.likelihoods.likelihood import Floats, Integers
from sonde.methods.pinpointing.search import DemandResult, SampleDemand, SearchProblem

Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Course:
    """What is known of a configuration that exists from `first` on and before `end`."""

    configuration: Configuration
    first: int
    end: int
    measured: Integers  # steps, in order
    values: Floats  # the median of the samples at each of these


class Samples:
    """What was heard so far, by configuration in the order in which each was first heard of."""

    def __init__(self, world: SearchProblem) -> None:
        self._world = world
        self._lives: dict[Configuration, tuple[int, int]] = {}
        self._tried: dict[Configuration, Flags] = {}  # wished for, whatever came of it
        self._values: dict[Configuration, dict[int, tuple[float, ...]]] = {}
        self._courses: dict[Configuration, Course] = {}
        self._answered: set[tuple[Configuration, int]] = set()
        self._is_broken = np.zeros(world.steps, dtype=np.bool_)  # steps that build for nobody
        self._squares, self._freedom = 0.0, 0  # of repeats around their mean, as logs

    @property
    def courses(self) -> Sequence[Course]:
        """Each configuration that has a value."""
        return list(self._courses.values())

    @property
    def usable(self) -> Sequence[Configuration]:
        """Configurations that are worth a further step: those with a value, or all while there is none."""
        return list(self._courses or self._tried)

    @property
    def points(self) -> int:
        """How many were measured or failed."""
        return len(self._answered)

    @property
    def noise(self) -> float | None:
        """Relative deviation of a single run; None without repeats."""
        return float(np.sqrt(self._squares / self._freedom)) if self._freedom else None

    def life(self, configuration: Configuration) -> tuple[int, int]:
        """The first step in which a configuration exists, and one after the last."""
        if configuration not in self._lives:
            first, end = self._world.life(configuration)
            self._lives[configuration] = max(0, first), min(self._world.steps, end)
        return self._lives[configuration]

    def tried(self, configuration: Configuration) -> Flags:
        """For each step, whether it was wished for or heard of."""
        none = np.zeros(self._world.steps, dtype=np.bool_)
        return self._tried.get(configuration, none).copy()

    def is_open(self, configuration: Configuration) -> Flags:
        """For each step, whether it may be wished for."""
        first, end = self.life(configuration)
        steps = np.arange(self._world.steps)
        return (steps >= first) & (steps < end) & ~self.tried(configuration) & ~self._is_broken

    def hear(self, demands: Sequence[SampleDemand], heard: Sequence[DemandResult]) -> None:
        """Take note of what came of demands; it may be of other points."""
        for demand in demands:
            self._note(demand.configuration, demand.step)
        touched: dict[Configuration, None] = {}
        for answer in heard:
            self._note(answer.configuration, answer.step)
            self._answered.add((answer.configuration, answer.step))
            if not answer.values:
                self._is_broken[answer.step] |= answer.is_whole_revision
                continue
            values = self._values.setdefault(answer.configuration, {})
            known = values.get(answer.step, ())
            if len(answer.values) > len(known):
                values[answer.step] = answer.values
                touched[answer.configuration] = None
                if answer.is_repeatable:
                    self._reckon(known, sign=-1)
                    self._reckon(answer.values, sign=1)
        for configuration in touched:
            self._draw(configuration)

    def _note(self, configuration: Configuration, step: int) -> None:
        if configuration not in self._tried:
            self._tried[configuration] = np.zeros(self._world.steps, dtype=np.bool_)
        self._tried[configuration][step] = True

    def _reckon(self, values: Sequence[float], sign: int) -> None:
        if len(values) > 1:
            logs = np.log(values)
            self._squares += sign * float(np.sum((logs - logs.mean()) ** 2))
            self._freedom += sign * (len(values) - 1)

    def _draw(self, configuration: Configuration) -> None:
        first, end = self.life(configuration)
        values = self._values[configuration]
        steps = [step for step in sorted(values) if first <= step < end]
        if steps:
            medians = [median(values[step]) for step in steps]
            course = Course(configuration, first, end, np.array(steps), np.array(medians, dtype=np.float64))
            self._courses[configuration] = course
