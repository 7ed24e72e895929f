"""Findings: what is told of a boundary."""

from __future__ import annotations

from math import copysign, exp, inf, log, sqrt

import numpy as np

from sonde.core.findings.pinpoints import TermChange
from sonde.methods.pinpointing.shared_steps.belief.boundary import Boundary
from sonde.methods.pinpointing.shared_steps.belief.evidence import CLEARLY
from sonde.methods.pinpointing.shared_steps.belief.knowledge import Knowledge
from sonde.methods.pinpointing.shared_steps.probing.neighbours import best_shown, neighbours
from sonde.methods.pinpointing.shared_steps.probing.sides import NEAR, next_boundary
from sonde.numerics.normal import NORMAL_95

LEAST_PART = 0.5  # of a step that must show close to its boundary


def findings(knowledge: Knowledge) -> tuple[TermChange, ...]:
    """The boundaries that are there and matter, in order."""
    found = [_finding(knowledge, boundary) for boundary in knowledge.boundaries]
    told = [change for change in found if change is not None]
    return tuple(sorted(told, key=lambda change: (change.position, sorted(map(str, change.term)))))


def _finding(knowledge: Knowledge, boundary: Boundary) -> TermChange | None:
    knowledge.attribute(boundary)
    term = boundary.guess if boundary.term is None else boundary.term
    if boundary.log_odds < knowledge.settings.tell:
        return None
    steps = knowledge.steps(boundary)
    affected = knowledge.affected(boundary) & steps.is_known
    if not affected.any():
        return None
    line = best_shown(knowledge, steps, affected)
    level, beside = float(steps.height[line]), neighbours(knowledge, boundary, line)
    least, reach = log(1 + knowledge.world.threshold), NORMAL_95 * sqrt(beside.variance)
    if _drifts(_close_by(knowledge, boundary, line), level, least):
        return None
    probability = dict(boundary.terms).get(term, 0.0) / (1 + exp(-min(boundary.log_odds, 50.0)))
    is_small = (abs(level) < least and not knowledge.is_sharp) or abs(beside.height) + reach < least
    if is_small or probability < knowledge.settings.least_probability:
        return None
    kept, unless = knowledge.variants.with_exceptions(term)
    return TermChange(
        boundary.likeliest if boundary.likeliest >= 0 else boundary.latest,
        boundary.earliest,
        boundary.latest,
        knowledge.alphabet.term(kept),
        beside.height,
        beside.height - reach,
        beside.height + reach,
        probability,
        knowledge.alphabet.configuration(knowledge.sheet.lines[line]),
        int(steps.is_known.sum()),
        beside.before,
        beside.after,
        knowledge.alphabet.term(unless),
        float(steps.height[int(np.argmin(np.where(affected, np.abs(steps.height), inf)))]),
    )


def _drifts(close: tuple[float, float] | None, level: float, least: float) -> bool:
    """Whether levels far from each other differ, and close by there is nothing of it that matters."""
    if close is None:
        return False
    height, deviation = close[0] * copysign(1.0, level), CLEARLY * sqrt(close[1])
    return height + deviation < LEAST_PART * abs(level) and height - deviation < least


def _close_by(knowledge: Knowledge, boundary: Boundary, line: int) -> tuple[float, float] | None:
    """The step of a configuration from the points next to a boundary, and its variance."""
    measured = knowledge.sheet.measured(line)
    first, last = next_boundary(knowledge, boundary, -1) + 1, next_boundary(knowledge, boundary, +1)
    reach = 1 if knowledge.is_sharp else NEAR
    sides = (
        [step for step in measured if max(first, boundary.earliest - reach) <= step < boundary.earliest],
        [step for step in measured if boundary.latest <= step < min(last, boundary.latest + reach)],
    )
    before, after = ([value for step in side for value in measured[step]] for side in sides)
    if not before or not after:
        return None
    height = sum(after) / len(after) - sum(before) / len(before)
    return height, knowledge.sheet.deviation**2 * (1 / len(before) + 1 / len(after))
