"""Screening: which configurations are looked at over the whole history, and how often."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, log, sqrt

import numpy as np

from sonde.methods.pinpointing.shared_steps.belief.knowledge import Knowledge, Measuring, Row

GOLDEN = 0.618  # multiples of it, without their whole part, are spread evenly
NORMAL_90 = 1.28  # nine in ten normal values lie below
FIRST_RUNS = 3  # of the very first points: they tell how noisy a run is
COARSE = 3  # steps at which a configuration is looked at that is unlikely to show more
MOST_MIXED = 24
MOST_COVERING = 40
CONFIRMING = 3  # large configurations that are measured on both sides of what was found
NEIGHBOURS = 4  # steps in a row that tell how noisy a recording is
NEIGHBOURHOODS = 4
LEAST_NEIGHBOURLY = 16  # points of a row where runs cannot be repeated
LEAST_POINTS = 2  # of a row: one at each end
SHARE_SHARP, SHARE_POOR, SHARE_DENSE, SHARE_MIXED = 0.4, 0.25, 0.15, 0.1  # of what the budget allows for
DETOURS = 4  # times that another step is tried instead of one that fails
FARTHEST = 12  # steps from it


def spread_steps(first: int, end: int, count: int, phase: float = 0.0) -> list[int]:
    """Steps from `first` up to `end`: the ends, the middle, the quarters, and so on.

    With a phase the steps between the ends are moved by that part of their distance.
    """
    last = end - 1
    if end - first <= count:
        return sorted(range(first, end), key=lambda step: (step not in (first, last), step))
    steps, parts = [first, last], 1
    while len(steps) < count:
        parts *= 2
        steps += [first + round((last - first) * part / parts) for part in range(1, parts, 2)]
    moved = round(phase * (last - first) / count)
    return [
        step if step in (first, last) else min(step + moved, last) for step in dict.fromkeys(steps[:count])
    ]


def begin(knowledge: Knowledge) -> Measuring:
    """Measure both extremes at both ends of the history, some of it repeatedly."""
    world, rows = knowledge.world, (knowledge.lowest, knowledge.highest)
    wanted = []
    for row in rows:
        first, end = knowledge.life(row)
        wanted += [(row, first, FIRST_RUNS), (row, end - 1, FIRST_RUNS - 1)]
    heard = yield from knowledge.measure(wanted)
    tries = 0
    while not knowledge.sheet.has_values() and tries < 4:  # the ends may not build
        tries += 1
        places = [round((world.steps - 1) * part / 2**tries) for part in range(1, 2**tries, 2)]
        heard = yield from knowledge.measure((row, step, FIRST_RUNS) for row in rows for step in places)
    if heard and not knowledge.sheet.is_repeatable:
        yield from knowledge.measure(_neighbourhoods(knowledge))
    return heard


def _neighbourhoods(knowledge: Knowledge) -> Iterator[tuple[Row, int, int]]:
    """A few steps in a row here and there, where a repetition would not tell how noisy a run is."""
    for number in range(NEIGHBOURHOODS):
        start = round(knowledge.world.steps * (number + 0.5) / NEIGHBOURHOODS)
        row = (knowledge.lowest, knowledge.highest)[number % 2]
        yield from ((row, start + further, 1) for further in range(NEIGHBOURS))


def _measure_or_nearby(knowledge: Knowledge, wanted: Sequence[tuple[Row, int, int]]) -> Measuring:
    """Measure points, and where one fails another one close by."""
    heard = yield from knowledge.measure(wanted)
    for _ in range(DETOURS):
        failed = [each for each in wanted if not knowledge.sheet.is_open(each[0], each[1])]
        wanted = [
            (row, nearby, runs)
            for row, step, runs in failed
            if (nearby := _nearby(knowledge, row, step)) is not None
        ]
        if not wanted:
            break
        yield from knowledge.measure(wanted)
    return heard


def _nearby(knowledge: Knowledge, row: Row, step: int) -> int | None:
    """The nearest step at which a configuration is not known to fail."""
    first, end = knowledge.life(row)
    near = (each for away in range(1, FARTHEST + 1) for each in (step - away, step + away))
    return next((each for each in near if first <= each < end and knowledge.sheet.is_open(row, each)), None)


def screen(knowledge: Knowledge) -> Measuring:
    """Look at configurations in which every change that matters should show."""
    if knowledge.is_sharp:
        return (yield from _screen_sharply(knowledge))
    return (yield from _screen_through_noise(knowledge))


def _screen_sharply(knowledge: Knowledge) -> Measuring:
    """Without noise a step shows however small it is, so that few large configurations are enough."""
    covering, runs = _affordable(knowledge, _covering(knowledge), knowledge.settings.grid, SHARE_SHARP)
    wanted = list(_over_history(knowledge, covering, runs))
    others = knowledge.variants.at_random(4, knowledge.rng)
    wanted += _over_history(knowledge, others, COARSE)
    return (yield from _measure_or_nearby(knowledge, wanted))


def _covering(knowledge: Knowledge) -> list[Row]:
    """Both extremes, and rows in which every pair of further literals holds that holds together anywhere."""
    alphabet, variants = knowledge.alphabet, knowledge.variants
    low = alphabet.grounded(knowledge.lowest)
    rows = [knowledge.lowest, knowledge.highest]
    single = [
        row
        for literal in range(len(alphabet.literals))
        if literal not in low and (row := variants.nearest_with(knowledge.highest, literal)) is not None
    ]
    pool = [*single, *variants.at_random(200, knowledge.rng)]
    if variants.listed is not None and len(variants.listed) <= 1000:
        pool = list(variants.listed)
    held = alphabet.holds(np.array(pool)).astype(float)
    held[:, low] = 0.0
    together = np.einsum("ri,rj->rij", held, held) > 0 if len(held.T) <= 200 else None
    if together is None:  # many options: single literals must do
        together = held[:, :, None] > 0
    seen = np.zeros(together.shape[1:], dtype=bool)
    for row in rows:
        line = alphabet.holds(row[None])[0].astype(float)
        line[low] = 0.0
        seen |= (np.outer(line, line) > 0) if together.shape[1] == together.shape[2] else line[:, None] > 0
    while len(rows) < MOST_COVERING:
        gains = (together & ~seen).sum(axis=(1, 2))
        best = int(np.argmax(gains))
        if gains[best] == 0:
            break
        rows.append(pool[best])
        seen |= together[best]
    return rows


def _screen_through_noise(knowledge: Knowledge) -> Measuring:
    """Small configurations show the changes of single options best; large ones show interactions, faintly."""
    settings, grid = knowledge.settings, knowledge.settings.grid
    literals = max(1, len(knowledge.alphabet.literals))
    smallest = log(1 + max(knowledge.world.threshold, 3 * knowledge.sheet.deviation))
    odds = log(knowledge.world.steps / settings.changes * literals) + settings.tell
    distance = sqrt(2 * odds) + NORMAL_90  # in standard deviations: the evidence, and nine times in ten
    needed = ceil(4 * (distance * knowledge.sheet.deviation / smallest) ** 2)
    least = 4 if knowledge.sheet.is_repeatable else LEAST_NEIGHBOURLY
    runs = min(max(least, needed), 3 * grid)
    poor, poor_runs = _affordable(knowledge, poor_rows(knowledge), runs, SHARE_POOR)
    yield from _measure_or_nearby(knowledge, list(_over_history(knowledge, poor, poor_runs)))
    effort = settings.interaction_effort * len(knowledge.alphabet.options)
    # The more literals hold, the more interactions show at once; but what all of them share hides nothing.
    dense, mixed = _covering(knowledge)[1:], mixed_rows(knowledge)
    knowledge.rich = mixed[:CONFIRMING]
    each = (max(4, effort // 2 // len(rows)) for rows in (dense, mixed))
    wanted = list(_over_history(knowledge, *_affordable(knowledge, dense, next(each), SHARE_DENSE)))
    wanted += _over_history(knowledge, *_affordable(knowledge, mixed, next(each), SHARE_MIXED))
    return (yield from _measure_or_nearby(knowledge, wanted))


def poor_rows(knowledge: Knowledge) -> list[Row]:
    """The lowest configuration, and for each further literal the one nearest to that in which it holds."""
    low = set(knowledge.alphabet.literal_indices(knowledge.lowest).tolist())
    rows = [knowledge.lowest]
    for literal in range(len(knowledge.alphabet.literals)):
        if literal not in low:
            row = knowledge.variants.nearest_with(knowledge.lowest, literal)
            if row is not None:
                rows.append(row)
    return _distinct(rows)


def mixed_rows(knowledge: Knowledge) -> list[Row]:
    """Random configurations, in which about half of the literals hold."""
    count = min(MOST_MIXED, 2 + len(knowledge.alphabet.options) // 2)
    return _distinct(knowledge.variants.at_random(count, knowledge.rng))


def _affordable(knowledge: Knowledge, rows: Sequence[Row], runs: int, share: float) -> tuple[list[Row], int]:
    """Rows and runs of each, cut down to a share of what the budget allows for: something must be left."""
    most = knowledge.world.most_points
    if most is None or len(rows) * runs <= share * most:
        return list(rows), runs
    allowed = max(2 * LEAST_POINTS, int(share * most))
    if len(rows) * LEAST_POINTS > allowed:
        kept = knowledge.rng.sample(range(1, len(rows)), allowed // LEAST_POINTS - 1)
        rows = [rows[0], *(rows[place] for place in sorted(kept))]
    return list(rows), max(LEAST_POINTS, min(runs, allowed // len(rows)))


def _over_history(knowledge: Knowledge, rows: Sequence[Row], runs: int) -> Iterator[tuple[Row, int, int]]:
    """So many runs of each row, evenly over the steps at which it exists."""
    settings, is_repeatable = knowledge.settings, knowledge.sheet.is_repeatable
    for number, row in enumerate(rows):
        if knowledge.sheet.is_hopeless(row):
            continue
        first, end = knowledge.life(row)
        if is_repeatable:  # the same steps for all: a build serves many configurations
            steps = spread_steps(first, end, min(runs, settings.grid))
        else:
            steps = spread_steps(first, end, runs, phase=number * GOLDEN % 1.0)
        # Equal runs need no repetition.
        most = len(steps) if knowledge.is_sharp or not knowledge.sheet.repeat_deviation else runs
        for place, step in enumerate(steps):
            here = most // len(steps) + (place < most % len(steps))
            if here:
                yield row, step, here


def _distinct(rows: Sequence[Row]) -> list[Row]:
    return list({row.tobytes(): row for row in rows}.values())
