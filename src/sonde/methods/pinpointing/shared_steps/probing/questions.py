"""Questions: which configuration, measured on both sides of boundaries, tells most about their terms."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from math import exp

import numpy as np

from sonde.methods.pinpointing.search import DemandResult, SampleDemand
from sonde.methods.pinpointing.shared_steps.belief.alphabet import term_holds
from sonde.methods.pinpointing.shared_steps.belief.arrays import Array, Flags, Integers
from sonde.methods.pinpointing.shared_steps.belief.boundary import Boundary
from sonde.methods.pinpointing.shared_steps.belief.forecast import forecast
from sonde.methods.pinpointing.shared_steps.belief.knowledge import Knowledge
from sonde.methods.pinpointing.shared_steps.belief.steps import runs_beside
from sonde.methods.pinpointing.shared_steps.probing.candidates import candidates
from sonde.methods.pinpointing.shared_steps.probing.sides import largest_difference, most_runs, reaches, side
from sonde.methods.pinpointing.shared_steps.probing.trials import shrink

LEAST_GAIN = 0.02  # bits
ENOUGH = 2.8  # standard deviations: a step that is known that well needs no more runs
PATIENCE = 6  # questions after which a term should be in sight
WORTH_JOINING = 0.5  # of the gain a run, for a further boundary to be asked about at the same time


@dataclass(frozen=True)
class Answerable:
    """What a configuration could tell of one boundary."""

    boundary: Boundary
    before: int  # runs that are needed on each side
    after: int
    gain: float  # expected, in bits

    @property
    def rate(self) -> float:
        """Bits a run."""
        return self.gain / (self.before + self.after)


def ask(
    knowledge: Knowledge, boundaries: Sequence[Boundary]
) -> Generator[Sequence[SampleDemand], Sequence[DemandResult], dict[Boundary, int]]:
    """Measure what tells the most about the terms of these boundaries; how many runs each of them got."""
    hidden = next((each for each in boundaries if _is_hidden(each)), None)
    if hidden is not None:
        runs = yield from shrink(knowledge, hidden)
        if runs:
            return {hidden: runs}
    rows = candidates(knowledge, boundaries)
    if not rows:
        return {}
    joined = [_join(about) for about in _rated(knowledge, boundaries, np.array(rows))]
    rates = [sum(one.gain for one in about) / max(1, _runs(about)) if about else 0.0 for about in joined]
    best = int(np.argmax(rates))
    if rates[best] <= 0:
        return {}
    row = rows[best]
    wanted = []
    for one in joined[best]:
        wanted += side(knowledge, row, one.boundary, -1, one.before)
        wanted += side(knowledge, row, one.boundary, +1, one.after)
    new = yield from knowledge.measure(wanted)
    return {one.boundary: one.before + one.after for one in joined[best]} if new else {}


def _is_hidden(boundary: Boundary) -> bool:
    """Whether no short term explains a boundary, so that every other question should try something else."""
    return boundary.questions >= PATIENCE and boundary.questions % 2 == 0 and boundary.confidence < 0.5


def _rated(
    knowledge: Knowledge, boundaries: Sequence[Boundary], rows: Integers
) -> Sequence[Sequence[Answerable]]:
    """For each row what it could tell of each boundary."""
    values = forecast(knowledge.sheet, knowledge.lowest, rows)
    held = knowledge.alphabet.holds(rows)
    lines = [knowledge.sheet.known_line(row) for row in rows]
    about: list[list[Answerable]] = [[] for _ in rows]
    deviation = knowledge.sheet.deviation
    for boundary in boundaries:
        steps = knowledge.steps(boundary)
        expected = np.minimum(largest_difference(knowledge, steps) / values, 1.0)
        gain = _entropy(_chance(boundary, held))
        wanted = np.ceil(2 * (knowledge.settings.separation * deviation / expected) ** 2)
        wanted = np.clip(wanted, 1, most_runs(knowledge)).astype(int)
        before, after = runs_beside(knowledge.table, boundary, knowledge.others(boundary))
        negligible = knowledge.negligible
        for place, line in enumerate(lines):
            have = (0, 0)
            if line is not None:
                spread = steps.variance[line] + negligible[line] ** 2
                if spread <= (expected[place] / ENOUGH) ** 2:
                    continue
                have = (int(before[line]), int(after[line]))
            power = 1 - exp(-0.25 * wanted[place] * (expected[place] / deviation) ** 2)
            bits = float(gain[place]) * power
            needed = [max(0, int(wanted[place]) - known) for known in have]
            if bits >= LEAST_GAIN and sum(needed) > 0 and reaches(knowledge, rows[place], boundary):
                about[place].append(Answerable(boundary, needed[0], needed[1], bits))
    return about


def _chance(boundary: Boundary, held: Flags) -> Array:
    """The probability that each row steps."""
    total = np.zeros(len(held))
    for term, probability in boundary.terms:
        total += probability * term_holds(held, term)
    return total


def _entropy(chance: Array) -> Array:
    """Of an answer that is yes with that chance, in bits."""
    yes = np.clip(chance, 1e-12, 1 - 1e-12)
    return np.asarray(-(yes * np.log2(yes) + (1 - yes) * np.log2(1 - yes)))


def _join(about: Sequence[Answerable]) -> list[Answerable]:
    """The boundaries that are worth asking about at the same time."""
    joined: list[Answerable] = []
    for one in sorted(about, key=lambda each: -each.rate):
        gain, runs = sum(each.gain for each in joined), _runs(joined)
        if not joined or one.rate > WORTH_JOINING * gain / runs:
            joined.append(one)
    return joined


def _runs(about: Sequence[Answerable]) -> int:
    return sum(one.before + one.after for one in about)
