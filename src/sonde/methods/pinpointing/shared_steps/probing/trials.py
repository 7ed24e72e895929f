"""Trials: measurements that confirm, refute or show what is believed."""

from __future__ import annotations

from math import ceil

import numpy as np

from sonde.methods.pinpointing.shared_steps.belief.alphabet import TermKey, term_holds
from sonde.methods.pinpointing.shared_steps.belief.boundary import Boundary
from sonde.methods.pinpointing.shared_steps.belief.knowledge import Knowledge, Measuring, Row
from sonde.methods.pinpointing.shared_steps.probing.candidates import (
    BEYOND_DOUBT,
    away_from,
    relatives,
    stepping,
)
from sonde.methods.pinpointing.shared_steps.probing.sides import (
    Spending,
    measure_sides,
    reaches,
    runs_next_to,
    side,
)

CONFIRMING = 4  # runs on each side of a suspicion
RELATIVES = 2  # configurations that are asked where runs cannot be repeated
SHARE_TAKEN = 0.22  # of the literals: about half of the time a term of three keeps all of its own


def confirm(knowledge: Knowledge, suspect: Boundary) -> Measuring:
    """More runs on both sides of a suspicion, where it shows best.

    Where runs cannot be repeated, those of the configurations that are most alike.
    """
    steps = knowledge.steps(suspect, by_scatter=False)
    affected = knowledge.affected(suspect) & steps.is_known
    line = int(np.argmax(np.where(affected, np.abs(steps.height) / np.sqrt(steps.variance), -1.0)))
    rows, runs = [knowledge.sheet.lines[line]], CONFIRMING
    if knowledge.is_sharp:
        runs = 1
    elif not knowledge.sheet.is_repeatable:
        rows, runs = relatives(knowledge, rows[0], steps)[:RELATIVES], 1
    wanted = []
    for row in rows:
        wanted += side(knowledge, row, suspect, -1, runs) + side(knowledge, row, suspect, +1, runs)
    return (yield from knowledge.measure(wanted))


def verify(knowledge: Knowledge, boundary: Boundary) -> Spending:
    """Try what was never tried: whether the step shows without what all stepping configurations share.

    A longer term is unlikely beforehand, so that without such a trial a short one may seem certain. How many
    runs it took; 0: everything was tried.
    """
    row = _untried(knowledge, boundary)
    if row is None:
        return 0
    return (yield from measure_sides(knowledge, row, boundary))


def _untried(knowledge: Knowledge, boundary: Boundary) -> Row | None:
    """A configuration in which the term holds and as little as possible of what the stepping ones share."""
    alphabet, table, steps = knowledge.alphabet, knowledge.table, knowledge.steps(boundary)
    holding = term_holds(table.held, boundary.guess) & steps.is_known
    clear = np.abs(steps.height) > BEYOND_DOUBT * np.sqrt(steps.variance + knowledge.negligible**2)
    if not (holding & clear).any():
        return None
    shared = np.array(table.held[holding & clear].all(axis=0))
    shared[list(boundary.guess)] = False
    literals = np.nonzero(shared)[0].tolist()
    row = knowledge.sheet.lines[int(np.nonzero(holding & clear)[0][0])]
    best, fewest = None, len(literals)
    for flips in (literals, *([each] for each in literals)):
        wanted = [each for literal in flips for each in away_from(knowledge, literal)]
        tried = knowledge.variants.nearest(alphabet.with_literals(row, wanted))
        held = alphabet.holds(tried[None])[0]
        left = int(held[literals].sum())
        line = knowledge.sheet.known_line(tried)
        is_known = line is not None and bool(steps.is_known[line])
        is_useful = held[list(boundary.guess)].all() and left < fewest and not is_known
        if is_useful and reaches(knowledge, tried, boundary):
            best, fewest = tried, left
    return best


def shrink(knowledge: Knowledge, boundary: Boundary) -> Spending:
    """Take some literals away from the smallest configuration that steps, and see whether it still does.

    Where a term has many literals, this finds them without a list of all terms that are as long.
    """
    rows = stepping(knowledge, boundary)
    if not rows:
        return 0
    row = rows[0]
    differing = np.nonzero(row != knowledge.lowest)[0].tolist()
    if len(differing) < 2:
        return 0
    smaller = row.copy()
    away = knowledge.rng.sample(differing, max(1, round(SHARE_TAKEN * len(differing))))
    smaller[away] = knowledge.lowest[away]
    smaller = knowledge.variants.nearest(smaller)
    return (yield from measure_sides(knowledge, smaller, boundary))


def show(knowledge: Knowledge, boundary: Boundary) -> Measuring:
    """Measure the smallest configuration in which the term holds, where the step should be the highest.

    So are the other values of its options, which may have changed as well. Through noise, further
    configurations tell whether something else changed in the neighbourhood.
    """
    alphabet, term = knowledge.alphabet, boundary.term or ()
    smallest = knowledge.variants.nearest(alphabet.with_literals(knowledge.lowest, term))
    expected = max(knowledge.world.threshold, 3 * knowledge.sheet.deviation)
    runs = ceil(2 * (knowledge.settings.separation * knowledge.sheet.deviation / expected) ** 2)
    rows = [smallest, *_siblings(knowledge, smallest, term)]
    if not knowledge.is_sharp:
        rows += [knowledge.highest, *knowledge.rich]
    wanted = []
    for row in rows:
        before, after = runs_next_to(knowledge, row, boundary)
        wanted += side(knowledge, row, boundary, -1, runs - before)
        wanted += side(knowledge, row, boundary, +1, runs - after)
    return (yield from knowledge.measure(wanted))


def _siblings(knowledge: Knowledge, row: Row, term: TermKey) -> list[Row]:
    """The configurations in which an option of a term has another of several values."""
    alphabet, denials = knowledge.alphabet, knowledge.alphabet.denied
    named = {int(alphabet.option_of[each]) for each in term if each in denials}
    others = [
        each for each in denials.tolist() if int(alphabet.option_of[each]) in named and each not in term
    ]
    return [knowledge.variants.nearest(alphabet.with_literals(row, [each])) for each in others]
