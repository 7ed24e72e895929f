"""The grid of Table 1, and what is drawn of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from pathlib import Path
from random import Random

from sonde.methods.pinpointing.likelihoods.settings import PaperSettings
from sonde.workflows.pinpoint.searches import DEFAULT, PAPER
from studies.pinpoint.replays import OracleTask

SEEDS = 5  # systems that the paper makes for each combination


@dataclass(frozen=True)
class Grid:
    """The ranges of Table 1, all of them without noise, and how many of the experiments are drawn."""

    drawn: int = 48
    options: Sequence[int] = (8, 16, 32, 64)
    revisions: Sequence[int] = (1000, 2500)
    changes: Sequence[int] = (1, 2, 5, 10)
    p: Sequence[float] = (0.5, 0.7, 0.9)
    initial_factors: Sequence[int] = (2, 5, 10)
    measurements: Sequence[int] = (100, 200, 500)
    seed: int = 1

    @cached_property
    def combinations(self) -> list[tuple[int, int, int, float, int, int]]:
        return list(
            product(
                self.options, self.revisions, self.changes, self.p, self.initial_factors, self.measurements
            )
        )

    @property
    def experiments(self) -> int:
        """How many there are in all."""
        return SEEDS * len(self.combinations)

    def tasks(self, judge: Path) -> list[OracleTask]:
        """The experiments that are drawn, of the paper's planner; no system has the seed of another."""
        chosen = sorted(Random(self.seed).sample(range(self.experiments), min(self.drawn, self.experiments)))
        tasks = []
        for number in chosen:
            options, revisions, changes, p, initial, measurements = self.combinations[number // SEEDS]
            tasks.append(
                OracleTask(judge, PAPER, options, changes, 0.0, number, revisions, p, initial, measurements)
            )
        return tasks


def beside(task: OracleTask) -> OracleTask:
    """The default planner on the same system; the settings of the paper's mean nothing to it."""
    usual = PaperSettings()
    return replace(
        task,
        planner=DEFAULT,
        initial_factor=usual.initial_factor,
        measurements=usual.measurements,
    )
