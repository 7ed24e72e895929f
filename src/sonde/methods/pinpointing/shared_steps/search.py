"""The default search, from screening to findings."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.core.findings.pinpoints import TermChange
from sonde.methods.pinpointing.search import Program, SearchProblem
from sonde.methods.pinpointing.shared_steps.belief.boundary import Boundary
from sonde.methods.pinpointing.shared_steps.belief.knowledge import Asking, Knowledge, Measuring
from sonde.methods.pinpointing.shared_steps.belief.settings import SearchSettings
from sonde.methods.pinpointing.shared_steps.belief.sheet import NOISE_UNKNOWN
from sonde.methods.pinpointing.shared_steps.findings import findings
from sonde.methods.pinpointing.shared_steps.probing.narrowing import narrow_down, narrow_fully
from sonde.methods.pinpointing.shared_steps.probing.neighbours import measure_neighbours
from sonde.methods.pinpointing.shared_steps.probing.questions import ask
from sonde.methods.pinpointing.shared_steps.probing.screening import begin, screen
from sonde.methods.pinpointing.shared_steps.probing.suspicion import suspects
from sonde.methods.pinpointing.shared_steps.probing.trials import show, verify

ROUNDS = 80
REVIEWS = 3


class SharedSteps:
    """Screens, narrows, attributes, and looks again at what is left."""

    def __init__(self, settings: SearchSettings = SearchSettings()) -> None:  # noqa: B008 - it is frozen
        self._settings = settings
        self._knowledge: Knowledge | None = None
        self._refuted: list[tuple[int, int, int]] = []  # from, to, and what was settled at that time

    def run(self, world: SearchProblem) -> Program:
        """Search until nothing more is worth measuring."""
        knowledge = self._knowledge = Knowledge(world, self._settings)
        self._refuted = []
        yield from begin(knowledge)
        if not knowledge.sheet.has_values():
            return "nothing could be measured"
        yield from screen(knowledge)
        is_done = yield from self._pursue(knowledge)
        if not is_done:
            return "the search stopped where changes are too close to each other; there may be more"
        return "no further change exceeds the noise"

    def _pursue(self, knowledge: Knowledge) -> Measuring:
        """Look into suspicions until none is left, then attribute what was found, then look again.

        Whether nothing is left.
        """
        for _ in range(ROUNDS):
            found = suspects(knowledge)
            suspect = next((each for each in found if not self._is_refuted(knowledge, each)), None)
            if suspect is not None:
                yield from self._look_into(knowledge, suspect)
                continue
            unsettled = [each for each in knowledge.boundaries if each.term is None]
            unsettled = unsettled or self._review(knowledge)
            if unsettled:
                yield from self._attribute(knowledge, unsettled)
                continue
            unshown = [each for each in knowledge.boundaries if each.shown != each.term]
            if not unshown:
                is_new = yield from measure_neighbours(knowledge)
                if not is_new:
                    return True
                continue
            yield from self._show(knowledge, unshown)
        return False

    def _review(self, knowledge: Knowledge) -> list[Boundary]:
        """Weigh again what was attributed when less was known; what should be asked about again."""
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
        is_there = yield from narrow_down(knowledge, suspect)
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
        yield from self._show(knowledge, [each for each in boundaries if each in knowledge.boundaries])

    def _show(self, knowledge: Knowledge, boundaries: Sequence[Boundary]) -> Asking:
        """Narrow each boundary in the configuration where it shows best, and see whether it does."""
        for boundary in boundaries:
            yield from narrow_fully(knowledge, boundary)
            yield from show(knowledge, boundary)
            boundary.shown = boundary.term

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

    def findings(self) -> tuple[TermChange, ...]:
        """The boundaries that are there and matter, in order."""
        knowledge = self._knowledge
        if knowledge is None or not knowledge.sheet.has_values():
            return ()
        return findings(knowledge)

    def noise(self) -> float | None:
        """Relative deviation of a single run."""
        knowledge = self._knowledge
        if knowledge is None or not knowledge.sheet.has_values():
            return None
        noise = knowledge.sheet.repeat_deviation or knowledge.sheet.point_deviation
        return noise if noise > NOISE_UNKNOWN else 0.0


def _settled(knowledge: Knowledge) -> int:
    """How many boundaries are attributed."""
    return sum(boundary.term is not None for boundary in knowledge.boundaries)
