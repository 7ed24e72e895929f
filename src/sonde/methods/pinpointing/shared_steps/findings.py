"""Findings: what is told of a boundary."""

from __future__ import annotations

from math import copysign, exp, inf, log, sqrt

import numpy as np

from sonde.core.pinpoints import TermChange
from sonde.methods.pinpointing.shared_steps.arrays import Flags
from sonde.methods.pinpointing.shared_steps.boundary import Boundary, Steps
from sonde.methods.pinpointing.shared_steps.evidence import CLEARLY
from sonde.methods.pinpointing.shared_steps.knowledge import Knowledge
from sonde.numerics.normal import NORMAL_95

NEAR = 4  # steps
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
    line = _best_shown(steps, affected)
    effect, deviation = float(steps.height[line]), sqrt(float(steps.variance[line]))
    if abs(effect) < log(1 + knowledge.world.threshold) or _is_drift(knowledge, boundary, line, effect):
        return None
    probability = dict(boundary.terms).get(term, 0.0) / (1 + exp(-min(boundary.log_odds, 50.0)))
    if probability < knowledge.settings.least_probability:
        return None
    term, unless = knowledge.variants.with_exceptions(term)
    return TermChange(
        boundary.likeliest if boundary.likeliest >= 0 else boundary.latest,
        boundary.earliest,
        boundary.latest,
        knowledge.alphabet.term(term),
        effect,
        effect - NORMAL_95 * deviation,
        effect + NORMAL_95 * deviation,
        probability,
        knowledge.alphabet.configuration(knowledge.sheet.lines[line]),
        int(steps.is_known.sum()),
        knowledge.alphabet.term(unless),
    )


def _best_shown(steps: Steps, affected: Flags) -> int:
    """The affected configuration whose step is surely the largest."""
    sure = np.abs(steps.height) - 2 * np.sqrt(np.where(steps.is_known, steps.variance, 0.0))
    return int(np.argmax(np.where(affected, sure, -inf)))


def _is_drift(knowledge: Knowledge, boundary: Boundary, line: int, effect: float) -> bool:
    """Whether levels far from each other differ, and the points close to the boundary surely do not.

    Then the value moves slowly, and no single revision changed it.
    """
    measured, others = knowledge.sheet.measured(line), knowledge.others(boundary)
    first = max((each.latest for each in others if each.latest < boundary.earliest), default=0)
    last = min((each.earliest for each in others if each.earliest > boundary.latest), default=inf)
    sides = (
        [step for step in measured if max(first, boundary.earliest - NEAR) <= step < boundary.earliest],
        [step for step in measured if boundary.latest <= step < min(last, boundary.latest + NEAR)],
    )
    before, after = ([value for step in side for value in measured[step]] for side in sides)
    if not before or not after:
        return False
    height = sum(after) / len(after) - sum(before) / len(before)
    deviation = knowledge.sheet.deviation * sqrt(1 / len(before) + 1 / len(after))
    return height * copysign(1.0, effect) + CLEARLY * deviation < LEAST_PART * abs(effect)
