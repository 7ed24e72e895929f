"""The default search, from screening to findings."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from math import ceil, exp, inf, log, sqrt

import numpy as np

from sonde.core.pinpoints import TermChange
from sonde.methods.pinpointing.search import Heard, Program, Wish, World
from sonde.methods.pinpointing.shared_steps.boundary import Boundary, Steps
from sonde.methods.pinpointing.shared_steps.knowledge import Knowledge, Measuring
from sonde.methods.pinpointing.shared_steps.questions import ask, side, verify
from sonde.methods.pinpointing.shared_steps.screening import begin, screen
from sonde.methods.pinpointing.shared_steps.settings import Settings
from sonde.numerics.normal import NORMAL_95

ROUNDS = 80
REVIEWS = 3
AFRESH = 5  # every so often terms are looked for anew while a boundary is narrowed
FAINT = 1.5  # a step so many times the noise of a run is located only after it is attributed
CONFIRMING = 4  # runs on each side of a suspicion
MOST_CONFIRMING = 24  # times
RELATIVES = 2  # configurations that are asked where runs cannot be repeated

Asking = Generator[Sequence[Wish], Sequence[Heard], None]


class SharedSteps:
    """Screens, narrows, attributes, and looks again at what is left."""

    def __init__(self, settings: Settings = Settings()) -> None:  # noqa: B008 - it is frozen
        self._settings = settings
        self._knowledge: Knowledge | None = None
        self._refuted: list[tuple[int, int, int]] = []  # from, to, and what was settled at that time

    def run(self, world: World) -> Program:
        """Search until nothing more is worth measuring."""
        knowledge = self._knowledge = Knowledge(world, self._settings)
        self._refuted = []
        yield from begin(knowledge)
        if not knowledge.sheet.has_values():
            return "nothing could be measured"
        yield from screen(knowledge)
        yield from self._pursue(knowledge)
        return "no further change shows above the noise"

    def _pursue(self, knowledge: Knowledge) -> Asking:
        """Look into suspicions until none is left, then attribute what was found, then look again."""
        for _ in range(ROUNDS):
            suspects = knowledge.suspects(with_pairs=not knowledge.is_sharp)
            suspect = next((each for each in suspects if not self._is_refuted(knowledge, each)), None)
            if suspect is not None:
                yield from self._look_into(knowledge, suspect)
                continue
            unsettled = [each for each in knowledge.boundaries if each.term is None] or self._review(
                knowledge
            )
            if not unsettled:
                return
            yield from self._attribute(knowledge, unsettled)

    def _review(self, knowledge: Knowledge) -> list[Boundary]:
        """Weigh again what was attributed before all that is known now was known; what should be asked again."""
        for _ in range(REVIEWS):
            is_changed = False
            for boundary in list(knowledge.boundaries):
                knowledge.attribute(boundary)
                if boundary.log_odds < self._settings.drop:
                    self._drop(knowledge, boundary)
                    is_changed = True
                elif boundary.guess != boundary.term:
                    boundary.term = boundary.guess
                    is_changed = True
                    self._drop_if_known(knowledge, boundary)
            if not is_changed:
                break
        doubtful = [
            each
            for each in knowledge.boundaries
            if each.confidence < self._settings.doubtful and each.reopened < self._settings.reopenings
        ]
        for boundary in doubtful:
            boundary.reopened += 1
            boundary.term, boundary.questions = None, 0
        return doubtful

    def _is_refuted(self, knowledge: Knowledge, suspect: Boundary) -> bool:
        """Whether it was looked into with no less knowledge, or often enough."""
        visits = [
            settled
            for first, last, settled in self._refuted
            if first <= suspect.latest and suspect.earliest <= last
        ]
        return len(visits) > self._settings.reopenings or _settled(knowledge) in visits

    def _refute(self, knowledge: Knowledge, boundary: Boundary) -> None:
        self._refuted.append((*boundary.origin, _settled(knowledge)))

    def _drop(self, knowledge: Knowledge, boundary: Boundary) -> None:
        knowledge.boundaries.remove(boundary)
        self._refute(knowledge, boundary)

    def _look_into(self, knowledge: Knowledge, suspect: Boundary) -> Asking:
        """Narrow a suspicion as far as it is cheap, and keep it unless it fades away."""
        is_there = yield from self._narrow_down(knowledge, suspect)
        if is_there and self._is_new(knowledge, suspect):
            knowledge.boundaries.append(suspect)
        else:
            self._refute(knowledge, suspect)

    def _is_new(self, knowledge: Knowledge, suspect: Boundary) -> bool:
        """Whether no boundary at the same place can explain it; a few terms may change at one revision."""
        there = [each for each in knowledge.boundaries if each.overlaps(suspect)]
        return len(there) < self._settings.terms_at_once and all(
            each.term is not None and each.term != suspect.guess for each in there
        )

    def _narrow_down(self, knowledge: Knowledge, suspect: Boundary) -> Measuring:
        """Whether the suspicion holds."""
        settings, spent = self._settings, 0
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
                is_new = yield from self._measure_middle(knowledge, suspect, line, contrast)
                if not is_new:
                    return True
            else:
                is_new = yield from _confirm(knowledge, suspect)
                spent += 1
                if not is_new or spent > MOST_CONFIRMING:
                    return suspect.log_odds > settings.look
        return True

    def _measure_middle(
        self, knowledge: Knowledge, boundary: Boundary, line: int, contrast: float
    ) -> Measuring:
        """Measure where half of the probability lies on either side."""
        row = knowledge.sheet.lines[line]
        runs = 1 if contrast > 5 else 2 if contrast > 3 else 4
        step = _open_step(knowledge, row, boundary)
        if step is None:
            return False
        boundary.location_runs += runs
        return (yield from knowledge.measure([(row, step, knowledge.sheet.runs(row, step) + runs)]))

    def _attribute(self, knowledge: Knowledge, boundaries: Sequence[Boundary]) -> Asking:
        """Ask until the term of each boundary is certain, then narrow each where it shows best."""
        unsettled = list(boundaries)
        stale = list(boundaries)
        while unsettled:
            for boundary in stale:
                knowledge.attribute(boundary)
            for boundary in list(unsettled):
                if boundary.confidence >= self._settings.certain:
                    yield from self._verify(knowledge, boundary)
                if boundary.log_odds < self._settings.drop:
                    unsettled.remove(boundary)
                    self._drop(knowledge, boundary)
                elif boundary.confidence >= self._settings.certain or self._is_exhausted(boundary):
                    unsettled.remove(boundary)
                    boundary.term = boundary.guess
                    self._drop_if_known(knowledge, boundary)
            if not unsettled:
                break
            asked = yield from ask(knowledge, unsettled)
            for boundary, runs in asked.items():
                boundary.questions += 1
                boundary.question_runs += runs
            if not asked:
                for boundary in unsettled:
                    boundary.term = boundary.guess
                break
            stale = list(asked)
        for boundary in boundaries:
            if boundary in knowledge.boundaries:
                yield from self._finish(knowledge, boundary)
                yield from _show(knowledge, boundary)

    def _verify(self, knowledge: Knowledge, boundary: Boundary) -> Asking:
        """Try to refute a term that seems certain."""
        while boundary.confidence >= self._settings.certain:
            boundary.verifications += 1
            if boundary.verifications > self._settings.verifications:
                return
            runs = yield from verify(knowledge, boundary)
            if not runs:
                return
            boundary.question_runs += runs
            knowledge.attribute(boundary)

    def _drop_if_known(self, knowledge: Knowledge, boundary: Boundary) -> None:
        """Forget a boundary that turned out to be another one."""
        others = knowledge.others(boundary)
        if any(each.term == boundary.term and each.overlaps(boundary) for each in others):
            self._drop(knowledge, boundary)

    def _is_exhausted(self, boundary: Boundary) -> bool:
        """Whether as much was asked about a boundary as is worth it."""
        settings = self._settings
        return boundary.questions >= settings.questions or boundary.question_runs >= settings.question_runs

    def _finish(self, knowledge: Knowledge, boundary: Boundary) -> Asking:
        """Narrow a boundary to one step, in the configuration where it shows best."""
        while knowledge.narrow(boundary) and not boundary.is_exact:
            line, contrast = _clearest(knowledge, boundary)
            if contrast <= 0 or boundary.location_runs > self._settings.location_runs:
                return
            is_new = yield from self._measure_middle(knowledge, boundary, line, contrast)
            if not is_new:
                return

    def findings(self) -> tuple[TermChange, ...]:
        """The boundaries that are there and matter, in order."""
        knowledge = self._knowledge
        if knowledge is None or not knowledge.sheet.has_values():
            return ()
        found = []
        for boundary in knowledge.boundaries:
            change = _finding(knowledge, boundary)
            if change is not None:
                found.append(change)
        return tuple(sorted(found, key=lambda change: (change.position, sorted(map(str, change.term)))))

    def noise(self) -> float | None:
        """Relative deviation of a single run."""
        knowledge = self._knowledge
        if knowledge is None or not knowledge.sheet.has_values():
            return None
        return knowledge.sheet.repeat_deviation or knowledge.sheet.point_deviation


def _settled(knowledge: Knowledge) -> int:
    """How many boundaries are attributed."""
    return sum(boundary.term is not None for boundary in knowledge.boundaries)


def _clearest(knowledge: Knowledge, boundary: Boundary) -> tuple[int, float]:
    """The affected configuration whose step stands out most from the noise of one run, and by how much."""
    steps, negligible = knowledge.steps(boundary, by_scatter=False), knowledge.negligible
    affected = knowledge.affected(boundary) & steps.is_known
    height = np.abs(steps.height)
    is_seen = affected & (height > 2 * np.sqrt(steps.variance + negligible**2))
    contrast = np.where(is_seen, height / np.sqrt(knowledge.sheet.deviation**2 + negligible**2), 0.0)
    line = int(np.argmax(contrast))
    return line, float(contrast[line])


def _confirm(knowledge: Knowledge, suspect: Boundary) -> Measuring:
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
        rows, runs = knowledge.relatives(rows[0], steps)[:RELATIVES], 1
    wanted = []
    for row in rows:
        wanted += side(knowledge, row, suspect, -1, runs) + side(knowledge, row, suspect, +1, runs)
    return (yield from knowledge.measure(wanted))


def _show(knowledge: Knowledge, boundary: Boundary) -> Measuring:
    """Measure the smallest configuration in which the term holds, where the step should be the highest.

    Other configurations on both sides tell whether something else changed in the neighbourhood.
    """
    alphabet, term = knowledge.alphabet, boundary.term or ()
    smallest = knowledge.variants.nearest(alphabet.with_literals(knowledge.lowest, term))
    expected = max(knowledge.world.threshold, 3 * knowledge.sheet.deviation)
    runs = ceil(2 * (knowledge.settings.separation * knowledge.sheet.deviation / expected) ** 2)
    rows = [smallest] if knowledge.is_sharp else [smallest, knowledge.highest, *knowledge.rich]
    wanted = []
    for row in rows:
        line = knowledge.sheet.known_line(row)
        before, after = knowledge.runs_next_to(boundary, line)
        wanted += side(knowledge, row, boundary, -1, runs - before)
        wanted += side(knowledge, row, boundary, +1, runs - after)
    return (yield from knowledge.measure(wanted))


def _open_step(knowledge: Knowledge, row: np.ndarray, boundary: Boundary) -> int | None:
    """The step nearest to the middle of a boundary at which something can still be measured."""
    sheet, (first, end) = knowledge.sheet, knowledge.life(row)
    low, high = max(first, boundary.earliest - 1), min(end - 1, boundary.latest)
    for away in range(high - low + 1):
        for step in (boundary.middle - away, boundary.middle + away):
            is_new = sheet.is_repeatable or sheet.runs(row, step) == 0
            if low <= step <= high and sheet.is_open(row, step) and is_new:
                return step
    return None


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


def _best_shown(steps: Steps, affected: np.ndarray) -> int:
    """The affected configuration whose step is surely the largest."""
    sure = np.abs(steps.height) - 2 * np.sqrt(np.where(steps.is_known, steps.variance, 0.0))
    return int(np.argmax(np.where(affected, sure, -inf)))
