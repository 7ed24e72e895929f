"""The two points on either side of a boundary, whose difference is the size of a change."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from math import ceil, inf

import numpy as np

from sonde.methods.pinpointing.shared_steps.belief.arrays import Flags
from sonde.methods.pinpointing.shared_steps.belief.boundary import Boundary, StepHeights
from sonde.methods.pinpointing.shared_steps.belief.evidence import CLEARLY
from sonde.methods.pinpointing.shared_steps.belief.knowledge import Knowledge, Measuring

ALMOST = 0.9  # of the largest step: what is about as large


@dataclass(frozen=True)
class Neighbours:
    """The nearest measured steps of one configuration around a boundary, and how they differ."""

    before: int
    after: int
    height: float  # as log
    variance: float


def best_shown(knowledge: Knowledge, steps: StepHeights, affected: Flags) -> int:
    """The affected configuration whose step is surely the largest; of several about as large the simplest."""
    sure = np.abs(steps.height) - CLEARLY * np.sqrt(np.where(steps.is_known, steps.variance, 0.0))
    sure = np.where(affected, sure, -inf)
    large = np.nonzero(sure >= ALMOST * sure.max() if sure.max() > 0 else sure == sure.max())[0]
    lines, lowest = knowledge.sheet.lines, knowledge.lowest
    return int(min(large, key=lambda line: (int((lines[line] != lowest).sum()), -sure[line])))


def neighbours(knowledge: Knowledge, boundary: Boundary, line: int) -> Neighbours:
    """Those of a configuration that was measured on both sides."""
    sheet, measured = knowledge.sheet, knowledge.sheet.measured(line)
    steps = sorted(measured)
    before = steps[bisect_left(steps, boundary.earliest) - 1]
    after = steps[bisect_left(steps, boundary.latest)]
    sides = measured[before], measured[after]
    means = [sum(values) / len(values) for values in sides]
    common = 0.0 if knowledge.world.is_counted and sheet.is_repeatable else sheet.point_deviation
    variance = sum(common**2 + sheet.repeat_deviation**2 / len(values) for values in sides)
    return Neighbours(before, after, means[1] - means[0], variance)


def measure_neighbours(knowledge: Knowledge) -> Measuring:
    """Measure the last revision before each boundary and the first behind it, where it shows best.

    Levels tell that there is a change; they hold the drift and the small changes around it, too.
    """
    wanted = []
    for boundary in knowledge.boundaries:
        steps = knowledge.steps(boundary)
        affected = knowledge.affected(boundary) & steps.is_known
        if boundary.log_odds >= knowledge.settings.tell and affected.any():
            row = knowledge.sheet.lines[best_shown(knowledge, steps, affected)]
            runs = _runs(knowledge)
            wanted += [(row, boundary.earliest - 1, runs), (row, boundary.latest, runs)]
    return (yield from knowledge.measure(wanted))


def _runs(knowledge: Knowledge) -> int:
    """How many runs of a point make a change that matters stand out."""
    settings, deviation = knowledge.settings, knowledge.sheet.repeat_deviation
    expected = max(knowledge.world.threshold, 3 * deviation)
    return min(settings.runs_at_once, max(1, ceil(2 * (settings.separation * deviation / expected) ** 2)))
