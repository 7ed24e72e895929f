"""Findings: what is told of a boundary."""

from __future__ import annotations

from math import exp, inf, log, sqrt

import numpy as np

from sonde.core.pinpoints import TermChange
from sonde.methods.pinpointing.shared_steps.arrays import Flags
from sonde.methods.pinpointing.shared_steps.boundary import Boundary, Steps
from sonde.methods.pinpointing.shared_steps.knowledge import Knowledge
from sonde.numerics.normal import NORMAL_95


def findings(knowledge: Knowledge) -> tuple[TermChange, ...]:
    """The boundaries that are there and matter, in order."""
    found = [_finding(knowledge, boundary) for boundary in knowledge.boundaries]
    told = [change for change in found if change is not None]
    return tuple(sorted(told, key=lambda change: (change.position, sorted(map(str, change.term)))))


def _finding(knowledge: Knowledge, boundary: Boundary) -> TermChange | None:
    term = boundary.guess if boundary.term is None else boundary.term
    knowledge.attribute(boundary)
    if boundary.log_odds < knowledge.settings.tell:
        return None
    steps = knowledge.steps(boundary)
    affected = knowledge.affected(boundary) & steps.is_known
    if not affected.any():
        return None
    line = _best_shown(steps, affected)
    effect, deviation = float(steps.height[line]), sqrt(float(steps.variance[line]))
    if abs(effect) < log(1 + knowledge.world.threshold):
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
