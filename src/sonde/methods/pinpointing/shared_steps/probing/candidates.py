"""Candidates: configurations that may tell which literals a step needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sonde.methods.pinpointing.shared_steps.belief.boundary import Boundary, StepHeights
from sonde.methods.pinpointing.shared_steps.belief.knowledge import Knowledge, Row

TERMS = 60  # of a boundary that candidates are made of
BEST_TERMS = 12
UNIONS = (2, 3, 5, 8, 12, 20, 32)
DRAWS = 6
FEW = 400  # configurations, all of which are candidates
BEYOND_DOUBT = 4.0  # standard deviations


def candidates(knowledge: Knowledge, boundaries: Sequence[Boundary]) -> list[Row]:
    """Rows that hold some of the likely terms and not the others."""
    rows: dict[bytes, Row] = {}
    if knowledge.variants.listed is not None and len(knowledge.variants.listed) <= FEW:
        rows = {row.tobytes(): row for row in knowledge.variants.listed}
    else:
        for boundary in boundaries:
            for mixture in _mixtures(knowledge, boundary):
                is_valid = knowledge.variants.is_valid(mixture)
                row = mixture if is_valid else knowledge.variants.nearest(mixture)
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
                lowest, [each for each in term if each != literal] + away_from(knowledge, literal)
            )
    for size in UNIONS:
        for _ in range(DRAWS):
            drawn = rng.choices(terms, weights, k=size)
            yield alphabet.with_literals(lowest, [literal for term in drawn for literal in term])
    named = sorted({literal for term in terms for literal in term})
    for row in stepping(knowledge, boundary):
        differing = np.nonzero(row != lowest)[0].tolist()
        for _ in range(DRAWS):
            kept = rng.sample(differing, max(1, len(differing) // 2)) if differing else []
            half = lowest.copy()
            half[kept] = row[kept]
            yield half
            if named:
                away = rng.sample(named, max(1, len(named) // 2))
                yield alphabet.with_literals(
                    row, [each for one in away for each in away_from(knowledge, one)]
                )
    grounded = [literal for literal in named if literal in low]
    for _ in range(DRAWS if grounded else 0):
        away = rng.sample(grounded, max(1, len(grounded) // 2))
        yield alphabet.with_literals(lowest, [each for one in away for each in away_from(knowledge, one)])


def away_from(knowledge: Knowledge, literal: int) -> list[int]:
    """A literal of the same option that is not this one: the lowest one, or any other."""
    alphabet = knowledge.alphabet
    denied = alphabet.denies(literal)
    if denied is not None:
        return [denied]
    option = int(alphabet.option_of[literal])
    first, size = int(alphabet.first[option]), len(alphabet.options[option].values)
    grounded = first + int(knowledge.lowest[option])
    if grounded != literal:
        return [grounded]
    others = [each for each in range(first, first + size) if each != literal]
    return [knowledge.rng.choice(others)] if others else []


def stepping(knowledge: Knowledge, boundary: Boundary) -> list[Row]:
    """A few configurations that step beyond doubt, those with the fewest further literals first."""
    steps = knowledge.steps(boundary)
    clear = np.abs(steps.height) > BEYOND_DOUBT * np.sqrt(steps.variance + knowledge.negligible**2)
    rows = [knowledge.sheet.lines[line] for line in np.nonzero(clear & steps.is_known)[0]]
    return sorted(rows, key=lambda row: int((row != knowledge.lowest).sum()))[:3]


def relatives(knowledge: Knowledge, row: Row, steps: StepHeights) -> list[Row]:
    """Configurations whose step is not known yet, the most alike first."""
    alphabet, variants = knowledge.alphabet, knowledge.variants
    if variants.listed is not None:
        rows = list(variants.listed)
    else:
        flips = [variants.nearest_with(row, literal) for literal in range(len(alphabet.literals))]
        rows = [each for each in flips if each is not None]
    lines = [knowledge.sheet.known_line(each) for each in rows]
    unknown = [
        each for each, line in zip(rows, lines, strict=True) if line is None or not steps.is_known[line]
    ]
    return sorted(unknown, key=lambda each: int((each != row).sum()))
