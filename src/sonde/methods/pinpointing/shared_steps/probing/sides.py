"""The two sides of a boundary: which points next to it are measured."""

from __future__ import annotations

from collections.abc import Generator, Sequence

import numpy as np

from sonde.methods.pinpointing.search import DemandResult, SampleDemand
from sonde.methods.pinpointing.shared_steps.belief.boundary import Boundary, StepHeights
from sonde.methods.pinpointing.shared_steps.belief.evidence import CLEARLY
from sonde.methods.pinpointing.shared_steps.belief.forecast import forecast
from sonde.methods.pinpointing.shared_steps.belief.knowledge import Knowledge, Row

MOST_RUNS = 64  # a side
MOST_NEIGHBOURS = 3
NEAR = 4  # steps

Spending = Generator[Sequence[SampleDemand], Sequence[DemandResult], int]  # how many runs it took


def most_runs(knowledge: Knowledge) -> int:
    """A side: what cannot be repeated is measured at neighbours, and those soon belong to something else."""
    return MOST_RUNS if knowledge.sheet.is_repeatable else MOST_NEIGHBOURS


def side(
    knowledge: Knowledge, row: Row, boundary: Boundary, direction: int, runs: int
) -> list[tuple[Row, int, int]]:
    """Points next to a boundary for so many further runs, outwards from it, up to the next boundary."""
    sheet, settings = knowledge.sheet, knowledge.settings
    most = settings.runs_at_once if sheet.is_repeatable else 1
    first, end = knowledge.life(row)
    step = boundary.earliest - 1 if direction < 0 else boundary.latest
    nearest = next_boundary(knowledge, boundary, direction)
    wanted: list[tuple[Row, int, int]] = []
    while runs > 0 and first <= step < end and (step - nearest) * direction < 0:
        have = sheet.runs(row, step)
        if sheet.is_open(row, step) and (have == 0 or sheet.is_repeatable):
            here = min(runs, most)
            wanted.append((row, step, have + here))
            runs -= here
        step += direction
    return wanted


def next_boundary(knowledge: Knowledge, boundary: Boundary, direction: int) -> int:
    """The step at which the level on that side ends, at the latest."""
    others = knowledge.others(boundary)
    if direction < 0:
        return max((each.latest - 1 for each in others if each.latest < boundary.earliest), default=-1)
    later = [each.earliest for each in others if each.earliest > boundary.latest]
    return min(later, default=knowledge.world.steps)


def runs_next_to(knowledge: Knowledge, row: Row, boundary: Boundary) -> tuple[int, int]:
    """How many runs a configuration has close to a boundary, on each side."""
    runs = knowledge.sheet.runs
    before = range(boundary.earliest - NEAR, boundary.earliest)
    after = range(boundary.latest, boundary.latest + NEAR)
    return sum(runs(row, step) for step in before), sum(runs(row, step) for step in after)


def measure_sides(knowledge: Knowledge, row: Row, boundary: Boundary) -> Spending:
    """Measure a configuration well enough to see the step that others show; how many runs it took."""
    value = float(forecast(knowledge.sheet, knowledge.lowest, row[None])[0])
    expected = min(largest_difference(knowledge, knowledge.steps(boundary)) / value, 1.0)
    deviation, settings = knowledge.sheet.deviation, knowledge.settings
    runs = max(1, round(2 * (settings.separation * deviation / expected) ** 2))
    runs = min(most_runs(knowledge), runs)
    wanted = side(knowledge, row, boundary, -1, runs) + side(knowledge, row, boundary, +1, runs)
    new = yield from knowledge.measure(wanted)
    return 2 * runs if new else 0


def reaches(knowledge: Knowledge, row: Row, boundary: Boundary) -> bool:
    """Whether a configuration exists on both sides of a boundary."""
    first, end = knowledge.life(row)
    return first < boundary.earliest and boundary.latest < end


def largest_difference(knowledge: Knowledge, steps: StepHeights) -> float:
    """How large the step is, as a difference of values, where it is surely the largest."""
    table = knowledge.table
    deviation = np.sqrt(np.where(steps.is_known, steps.variance, 0.0) + knowledge.negligible**2)
    sure = np.maximum(np.abs(steps.height) - CLEARLY * deviation, 0.0)
    largest = float(np.max(np.where(steps.is_known, np.expm1(np.minimum(sure, 20.0)) * table.level, 0.0)))
    least = knowledge.world.threshold * knowledge.settings.negligible * float(table.best_level.min())
    return max(largest, least)
