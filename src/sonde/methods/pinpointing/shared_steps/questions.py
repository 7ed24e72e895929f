"""Questions: which configuration, measured on both sides of boundaries, tells most about their terms."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from math import exp

import numpy as np

from sonde.methods.pinpointing.search import Heard, Wish
from sonde.methods.pinpointing.shared_steps.alphabet import term_holds
from sonde.methods.pinpointing.shared_steps.arrays import Array, Flags, Integers
from sonde.methods.pinpointing.shared_steps.boundary import Boundary, Steps
from sonde.methods.pinpointing.shared_steps.evidence import CLEARLY
from sonde.methods.pinpointing.shared_steps.forecast import forecast
from sonde.methods.pinpointing.shared_steps.knowledge import Knowledge, Row
from sonde.methods.pinpointing.shared_steps.steps import runs_beside

TERMS = 60  # of a boundary that candidates are made of
BEST_TERMS = 12
UNIONS = (2, 3, 5, 8, 12, 20, 32)
DRAWS = 6
MOST_RUNS = 64  # a side
MOST_NEIGHBOURS = 3
LEAST_GAIN = 0.02  # bits
ENOUGH = 2.8  # standard deviations: a step that is known that well needs no more runs
PATIENCE = 6  # questions after which a term should be in sight
SHARE_TAKEN = 0.22  # of the literals: about half of the time a term of three keeps all of its own
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
) -> Generator[Sequence[Wish], Sequence[Heard], dict[Boundary, int]]:
    """Measure what tells the most about the terms of these boundaries; how many runs each of them got."""
    hidden = next((each for each in boundaries if _is_hidden(each)), None)
    if hidden is not None:
        asked = yield from _shrink(knowledge, hidden)
        if asked:
            return {hidden: asked}
    rows = _candidates(knowledge, boundaries)
    if not rows:
        return {}
    asked = [list(about) for about in _rated(knowledge, boundaries, np.array(rows))]
    joined = [_join(about) for about in asked]
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


def verify(knowledge: Knowledge, boundary: Boundary) -> Generator[Sequence[Wish], Sequence[Heard], int]:
    """Try what was never tried: whether the step shows if what all stepping configurations share is not there.

    A longer term is unlikely beforehand, so that without such a trial a short one may seem certain. How many
    runs it took; 0: everything was tried.
    """
    row = _untried(knowledge, boundary)
    if row is None:
        return 0
    value = float(forecast(knowledge.sheet, knowledge.lowest, row[None])[0])
    expected = min(_difference(knowledge, knowledge.steps(boundary)) / value, 1.0)
    return (yield from _both_sides(knowledge, row, boundary, expected))


def _untried(knowledge: Knowledge, boundary: Boundary) -> Row | None:
    """A configuration in which the term holds and as little as possible of what the stepping ones share."""
    alphabet, table, steps = knowledge.alphabet, knowledge.table, knowledge.steps(boundary)
    holding = term_holds(table.held, boundary.guess) & steps.is_known
    clear = np.abs(steps.height) > 4.0 * np.sqrt(steps.variance + knowledge.negligible**2)
    if not (holding & clear).any():
        return None
    shared = table.held[holding & clear].all(axis=0)
    shared[list(boundary.guess)] = False
    literals = np.nonzero(shared)[0].tolist()
    row = knowledge.sheet.lines[int(np.nonzero(holding & clear)[0][0])]
    best, fewest = None, len(literals)
    for flips in (literals, *([each] for each in literals)):
        wanted = [each for literal in flips for each in _away(knowledge, literal)]
        tried = knowledge.variants.nearest(alphabet.with_literals(row, wanted))
        held = alphabet.holds(tried[None])[0]
        left = int(held[literals].sum())
        line = knowledge.sheet.known_line(tried)
        is_known = line is not None and bool(steps.is_known[line])
        if held[list(boundary.guess)].all() and left < fewest and not is_known:
            if _reaches(knowledge, tried, boundary):
                best, fewest = tried, left
    return best


def _both_sides(
    knowledge: Knowledge, row: Row, boundary: Boundary, expected: float
) -> Generator[Sequence[Wish], Sequence[Heard], int]:
    """Measure a configuration well enough to see a step of the expected height; how many runs it took."""
    deviation, settings = knowledge.sheet.deviation, knowledge.settings
    runs = max(1, round(2 * (settings.separation * deviation / expected) ** 2))
    runs = min(_most_runs(knowledge), runs)
    wanted = side(knowledge, row, boundary, -1, runs) + side(knowledge, row, boundary, +1, runs)
    new = yield from knowledge.measure(wanted)
    return 2 * runs if new else 0


def _is_hidden(boundary: Boundary) -> bool:
    """Whether no short term explains a boundary, so that every other question should try something else."""
    return boundary.questions >= PATIENCE and boundary.questions % 2 == 0 and boundary.confidence < 0.5


def _shrink(knowledge: Knowledge, boundary: Boundary) -> Generator[Sequence[Wish], Sequence[Heard], int]:
    """Take some literals away from the smallest configuration that steps, and see whether it still does.

    Where a term has many literals, this finds them without a list of all terms that are as long.
    """
    stepping = _stepping(knowledge, boundary)
    if not stepping:
        return 0
    row = min(stepping, key=lambda each: int((each != knowledge.lowest).sum()))
    differing = np.nonzero(row != knowledge.lowest)[0].tolist()
    if len(differing) < 2:
        return 0
    smaller = row.copy()
    away = knowledge.rng.sample(differing, max(1, round(SHARE_TAKEN * len(differing))))
    smaller[away] = knowledge.lowest[away]
    smaller = knowledge.variants.nearest(smaller)
    value = float(forecast(knowledge.sheet, knowledge.lowest, smaller[None])[0])
    expected = min(_difference(knowledge, knowledge.steps(boundary)) / value, 1.0)
    return (yield from _both_sides(knowledge, smaller, boundary, expected))


def _most_runs(knowledge: Knowledge) -> int:
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
    nearest = _next_boundary(knowledge, boundary, direction)
    wanted: list[tuple[Row, int, int]] = []
    while runs > 0 and first <= step < end and (step - nearest) * direction < 0:
        have = sheet.runs(row, step)
        if sheet.is_open(row, step) and (have == 0 or sheet.is_repeatable):
            here = min(runs, max(most, MOST_RUNS - have if not wanted and runs <= most else most))
            wanted.append((row, step, have + here))
            runs -= here
        step += direction
    return wanted


def _next_boundary(knowledge: Knowledge, boundary: Boundary, direction: int) -> int:
    """The step at which the level on that side ends, at the latest."""
    others = knowledge.others(boundary)
    if direction < 0:
        return max((each.latest - 1 for each in others if each.latest < boundary.earliest), default=-1)
    later = [each.earliest for each in others if each.earliest > boundary.latest]
    return min(later, default=knowledge.world.steps)


def _candidates(knowledge: Knowledge, boundaries: Sequence[Boundary]) -> list[Row]:
    """Rows that hold some of the likely terms and not the others."""
    rows: dict[bytes, Row] = {}
    if knowledge.variants.listed is not None and len(knowledge.variants.listed) <= 400:
        rows = {row.tobytes(): row for row in knowledge.variants.listed}
    else:
        for boundary in boundaries:
            for row in _mixtures(knowledge, boundary):
                if not knowledge.variants.is_valid(row):
                    row = knowledge.variants.nearest(row)
                rows[row.tobytes()] = row
    return [row for row in rows.values() if not knowledge.sheet.is_hopeless(row)]


def _mixtures(knowledge: Knowledge, boundary: Boundary) -> Iterator[Row]:
    alphabet, rng, lowest = knowledge.alphabet, knowledge.rng, knowledge.lowest
    likely = boundary.terms[:TERMS]
    terms, weights = [term for term, _ in likely], [weight for _, weight in likely]
    low = alphabet.literal_indices(lowest)
    for term in terms[:BEST_TERMS]:
        yield alphabet.with_literals(lowest, term)
        for literal in term:  # all of the term but this
            yield alphabet.with_literals(
                lowest, [each for each in term if each != literal] + _away(knowledge, literal)
            )
    for size in UNIONS:
        for _ in range(DRAWS):
            drawn = rng.choices(terms, weights, k=size)
            yield alphabet.with_literals(lowest, [literal for term in drawn for literal in term])
    named = sorted({literal for term in terms for literal in term})
    for row in _stepping(knowledge, boundary):
        differing = np.nonzero(row != lowest)[0].tolist()
        for _ in range(DRAWS):
            kept = rng.sample(differing, max(1, len(differing) // 2)) if differing else []
            half = lowest.copy()
            half[kept] = row[kept]
            yield half
            if named:
                away = rng.sample(named, max(1, len(named) // 2))
                yield alphabet.with_literals(row, [each for one in away for each in _away(knowledge, one)])
    grounded = [literal for literal in named if literal in low]
    for _ in range(DRAWS if grounded else 0):
        away = rng.sample(grounded, max(1, len(grounded) // 2))
        yield alphabet.with_literals(lowest, [each for one in away for each in _away(knowledge, one)])


def _away(knowledge: Knowledge, literal: int) -> list[int]:
    """A literal of the same option that is not this one: the lowest one, or any other."""
    alphabet = knowledge.alphabet
    option = int(alphabet.option_of[literal])
    first, size = int(alphabet.first[option]), len(alphabet.options[option].values)
    grounded = first + int(knowledge.lowest[option])
    if grounded != literal:
        return [grounded]
    others = [each for each in range(first, first + size) if each != literal]
    return [knowledge.rng.choice(others)] if others else []


def _stepping(knowledge: Knowledge, boundary: Boundary) -> list[Row]:
    """A few configurations that step beyond doubt, those with the fewest further literals first."""
    steps = knowledge.steps(boundary)
    clear = np.abs(steps.height) > 4.0 * np.sqrt(steps.variance + knowledge.negligible**2)
    rows = [knowledge.sheet.lines[line] for line in np.nonzero(clear & steps.is_known)[0]]
    return sorted(rows, key=lambda row: int((row != knowledge.lowest).sum()))[:3]


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
        expected = np.minimum(_difference(knowledge, steps) / values, 1.0)
        gain = _entropy(_chance(boundary, held))
        wanted = np.ceil(2 * (knowledge.settings.separation * deviation / expected) ** 2)
        wanted = np.clip(wanted, 1, _most_runs(knowledge)).astype(int)
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
            if bits >= LEAST_GAIN and sum(needed) > 0 and _reaches(knowledge, rows[place], boundary):
                about[place].append(Answerable(boundary, needed[0], needed[1], bits))
    return about


def _reaches(knowledge: Knowledge, row: Row, boundary: Boundary) -> bool:
    """Whether a configuration exists on both sides of a boundary."""
    first, end = knowledge.life(row)
    return first < boundary.earliest and boundary.latest < end


def _difference(knowledge: Knowledge, steps: Steps) -> float:
    """How large the step is, as a difference of values, where it is surely the largest."""
    table = knowledge.table
    deviation = np.sqrt(np.where(steps.is_known, steps.variance, 0.0) + knowledge.negligible**2)
    sure = np.maximum(np.abs(steps.height) - CLEARLY * deviation, 0.0)
    largest = float(np.max(np.where(steps.is_known, np.expm1(np.minimum(sure, 20.0)) * table.level, 0.0)))
    least = knowledge.world.threshold * knowledge.settings.negligible * float(table.best_level.min())
    return max(largest, least)


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
