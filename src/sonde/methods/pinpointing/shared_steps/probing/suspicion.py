"""Suspicion: where something seems to change, as seen from everything that was measured."""

from __future__ import annotations

from math import log

import numpy as np

from sonde.methods.pinpointing.shared_steps.belief.alphabet import TermKey
from sonde.methods.pinpointing.shared_steps.belief.arrays import Array
from sonde.methods.pinpointing.shared_steps.belief.boundary import Boundary, StepHeights
from sonde.methods.pinpointing.shared_steps.belief.evidence import evidence_of, readings
from sonde.methods.pinpointing.shared_steps.belief.knowledge import Knowledge
from sonde.methods.pinpointing.shared_steps.belief.steps import steps_at_cuts
from sonde.methods.pinpointing.shared_steps.belief.table import SumTable

ALMOST = 0.8  # of the threshold
MOST_LITERALS = 300  # with more of them pairs are too many to be weighed everywhere


def suspects(knowledge: Knowledge) -> list[Boundary]:
    """Gaps between measured steps in which something seems to change, the clearest first."""
    table = knowledge.table
    if len(table.steps) < 2:
        return []
    steps = steps_at_cuts(table, knowledge.boundaries)
    terms = [(), *((literal,) for literal in range(knowledge.alphabet.size))]
    lines = np.vstack([np.ones((1, len(table.held))), table.held.T.astype(float)])
    prior = np.array([knowledge.priors.of(term) for term in terms])
    if not knowledge.is_sharp and len(knowledge.alphabet.literals) <= MOST_LITERALS:
        pairs, held = _pairs(knowledge)
        terms += pairs
        lines = np.vstack([lines, held])
        prior = np.concatenate([prior, [knowledge.priors.of(pair) for pair in pairs]])
    gaps = np.diff(table.steps, prepend=table.steps[0], append=table.steps[-1])
    with np.errstate(divide="ignore"):
        where = prior[:, None] + np.log(gaps * knowledge.settings.changes / knowledge.world.steps)

    def scores(doubt: float) -> Array:
        found = readings(steps, table, knowledge.negligible, knowledge.settings, doubt)
        return np.asarray(evidence_of(found, lambda column: lines @ column) + where)

    plain = scores(0.0)
    order = _total(plain)
    odds = order if knowledge.doubt == 0 else _total(scores(knowledge.doubt))
    could_matter = _largest(table, steps) >= ALMOST * log(1 + knowledge.world.threshold)
    return [
        Boundary(
            int(table.steps[cut - 1]) + 1,
            int(table.steps[cut]),
            guess=terms[int(np.argmax(plain[:, cut]))],
            log_odds=float(odds[cut]),
        )
        for cut in np.argsort(-order, kind="stable").tolist()
        if odds[cut] > knowledge.settings.look and could_matter[cut]
    ]


def _largest(table: SumTable, steps: StepHeights) -> Array:
    """The largest step that any configuration might show at each cut, seen through what is measured."""
    deviation = np.sqrt(np.where(steps.is_known, steps.variance, 0.0))
    most = np.where(steps.is_known, np.abs(steps.height) + 2 * deviation, 0.0)
    return np.asarray((most * (table.level / table.best_level)[:, None]).max(axis=0))


def _pairs(knowledge: Knowledge) -> tuple[list[TermKey], Array]:
    """All pairs of literals that are not those of the lowest configuration."""
    low = set(knowledge.alphabet.literal_indices(knowledge.lowest).tolist())
    rest = [literal for literal in range(len(knowledge.alphabet.literals)) if literal not in low]
    option = knowledge.alphabet.option_of
    pairs: list[TermKey] = [
        (first, second)
        for place, first in enumerate(rest)
        for second in rest[place + 1 :]
        if option[first] != option[second]
    ]
    if not pairs:
        return [], np.zeros((0, len(knowledge.table.held)))
    places = np.array(pairs)
    held = knowledge.table.held
    return pairs, (held[:, places[:, 0]] & held[:, places[:, 1]]).T.astype(float)


def _total(scores: Array) -> Array:
    """The log of the sum over terms, for each cut."""
    best = scores.max(axis=0)
    known = np.isfinite(best)
    total = np.full(len(best), -np.inf)
    total[known] = best[known] + np.log(np.exp(scores[:, known] - best[known]).sum(axis=0))
    return total
