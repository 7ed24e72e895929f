"""What an answer says, and how right that is."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from enum import Enum

from sonde.core.options import Configuration
from sonde.methods.impact.answer import answer
from sonde.methods.impact.question import Answer
from sonde.space.space import Space
from sonde.workflows.impact.measuring import reduced
from studies.impact.answering import told
from studies.impact.corpus.entries import Entry


class Miss(Enum):
    """How an answer is wrong."""

    NOT_RELEVANT = "a relevant change is not"
    NOT_KEPT = "no slowed configuration is kept"
    OPTION = "a related option is missing"


@dataclass(frozen=True)
class Outcome:
    """What was answered about an entry."""

    is_relevant: bool
    related: tuple[str, ...]
    behind: tuple[str, ...]
    configurations: tuple[str, ...]
    total: int
    digest: str  # of the whole answer, its words and paths too
    seconds: float  # of work

    @property
    def says(self) -> tuple[object, ...]:
        """What users act on."""
        return self.is_relevant, self.related, self.behind, self.configurations

    @property
    def share(self) -> float:
        """Of the configurations, those to measure."""
        return len(self.configurations) / self.total


def outcome_of(entry: Entry) -> Outcome:
    """Answer an entry now."""
    begun = time.process_time()
    found = _answered(entry)
    seconds = time.process_time() - begun
    said, space = told(found), entry.space
    needed = reduced(space, said.related, said.partition, entry.near, said.behind)
    kept = tuple(str(each) for each in needed.configurations) if said.is_relevant else ()
    digest = _digest(found, space)
    return Outcome(said.is_relevant, said.related, said.behind, kept, needed.total, digest, seconds)


def misses(entry: Entry, outcome: Outcome) -> frozenset[Miss]:
    """What an answer loses: a change of the analysis may never add any."""
    found = set()
    if entry.is_relevant and not outcome.is_relevant:
        found.add(Miss.NOT_RELEVANT)
    if entry.slower and not entry.slower & set(outcome.configurations):
        found.add(Miss.NOT_KEPT)
    if entry.related - set(outcome.related or outcome.behind):
        found.add(Miss.OPTION)
    return frozenset(found)


def _answered(entry: Entry) -> Answer:
    for question in entry.questions:
        found = answer(question, time.monotonic, work=time.process_time)
        if found.is_relevant:
            break
    return found


def _digest(found: Answer, space: Space) -> str:
    classes: list[object] = []
    if found.partition is not None:
        classes = [found.partition.of(each) for each in _some(space)]
    facts = found.interactions, found.changed, found.options, found.warnings, classes
    return hashlib.sha256(repr(facts).encode()).hexdigest()


def _some(space: Space) -> list[Configuration]:
    found = list(zip(space.configurations(), range(512), strict=False))
    return [each for each, _ in found]
