"""Narrowing: where in the history a change lies, by measuring where its probability is halved."""

from __future__ import annotations

import numpy as np

from sonde.methods.pinpointing.shared_steps.belief.boundary import Boundary
from sonde.methods.pinpointing.shared_steps.belief.knowledge import Asking, Knowledge, Measuring, Row
from sonde.methods.pinpointing.shared_steps.probing.trials import confirm

ROUNDS = 80
AFRESH = 5  # every so often terms are looked for anew while a boundary is narrowed
FAINT = 1.5  # a step so many times the noise of a run is located only after it is attributed
DECIDES = 5.0  # one run tells before from after where the step is so many times its noise
MOST_CONFIRMING = 24  # times


def narrow_down(knowledge: Knowledge, suspect: Boundary) -> Measuring:
    """Whether the suspicion holds."""
    settings, spent = knowledge.settings, 0
    for number in range(ROUNDS):
        knowledge.attribute(suspect, anew=number % AFRESH == 0)
        if suspect.log_odds < settings.drop or not knowledge.narrow(suspect):
            return False
        is_told = suspect.log_odds > settings.tell
        if suspect.is_exact and is_told:
            return True
        if is_told:
            line, contrast = _clearest(knowledge, suspect)
            if contrast < FAINT or suspect.is_exact:
                return True
            is_new = yield from _measure_middle(knowledge, suspect, line, contrast)
            if not is_new:
                return True
        else:
            is_new = yield from confirm(knowledge, suspect)
            spent += 1
            if not is_new or spent > MOST_CONFIRMING:
                return suspect.log_odds > settings.look
    return True


def narrow_fully(knowledge: Knowledge, boundary: Boundary) -> Asking:
    """Narrow a boundary to one step, in the configuration where it shows best."""
    while knowledge.narrow(boundary) and not boundary.is_exact:
        line, contrast = _clearest(knowledge, boundary)
        if contrast <= 0 or boundary.location_runs > knowledge.settings.location_runs:
            return
        is_new = yield from _measure_middle(knowledge, boundary, line, contrast)
        if not is_new:
            return


def _measure_middle(knowledge: Knowledge, boundary: Boundary, line: int, contrast: float) -> Measuring:
    """Measure where half of the probability lies on either side, or as close to that as anything runs."""
    row = knowledge.sheet.lines[line]
    runs = 1 if contrast > DECIDES else 2 if contrast > 3 else 4
    while (step := _open_step(knowledge, row, boundary, contrast)) is not None:
        boundary.location_runs += runs
        is_new = yield from knowledge.measure([(row, step, knowledge.sheet.runs(row, step) + runs)])
        if is_new or knowledge.sheet.is_open(row, step):
            return is_new
    return False


def _clearest(knowledge: Knowledge, boundary: Boundary) -> tuple[int, float]:
    """The affected configuration whose step stands out most from the noise of one run, and by how much."""
    steps, negligible = knowledge.steps(boundary, by_scatter=False), knowledge.negligible
    affected = knowledge.affected(boundary) & steps.is_known
    height = np.abs(steps.height)
    is_seen = affected & (height > 2 * np.sqrt(steps.variance + negligible**2))
    contrast = np.where(is_seen, height / np.sqrt(knowledge.sheet.deviation**2 + negligible**2), 0.0)
    line = int(np.argmax(contrast))
    return line, float(contrast[line])


def _open_step(knowledge: Knowledge, row: Row, boundary: Boundary, contrast: float) -> int | None:
    """The step nearest to the middle of a boundary at which measuring still tells something.

    Where a single run decides, a step that was measured does not.
    """
    sheet, (first, end) = knowledge.sheet, knowledge.life(row)
    low, high = max(first, boundary.earliest), min(end, boundary.latest) - 1
    may_repeat = sheet.is_repeatable and contrast <= DECIDES
    for away in range(high - low + 1):
        for step in (boundary.middle - away, boundary.middle + away):
            is_new = may_repeat or sheet.runs(row, step) == 0
            if low <= step <= high and sheet.is_open(row, step) and is_new:
                return step
    return None
