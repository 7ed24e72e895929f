"""Two ways to answer the same question: ours, and the paper's on the same flow graph."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from sonde.core.findings.impacts import Partition, Role
from sonde.core.options import Configuration, OptionName
from sonde.methods.impact.answer import answer
from sonde.methods.impact.question import AnalysisSettings, Answer, By, Question
from sonde.space.space import Space
from sonde.workflows.impact.measuring import reduced


@dataclass(frozen=True)
class Told:
    """The answers to both questions."""

    is_relevant: bool
    related: tuple[OptionName, ...]  # sorted; nothing if it is not relevant
    partition: Partition | None = None  # which configurations are alike; None: that is not known
    behind: tuple[OptionName, ...] = ()  # sorted; those that take part behind the first hot code

    def configurations(self, space: Space) -> tuple[Configuration, ...]:
        """What is to be measured."""
        if not self.is_relevant:
            return ()
        return reduced(space, self.related, self.partition, behind=self.behind).configurations


Way = Callable[[Question], Told]


def ours(question: Question) -> Told:
    """What Sonde says, by the settings of the question."""
    return told(answer(question, time.monotonic))


def told(found: Answer) -> Told:
    """What an answer says to measure."""
    if not found.is_relevant:
        return Told(False, ())
    behind = sorted(each.option for each in found.options if each.role is Role.BEHIND)
    related = sorted(each.option for each in found.options if each.role in (Role.RELATED, Role.UNKNOWN))
    return Told(True, tuple(related), found.partition, tuple(behind))


def papers(question: Question) -> Told:
    """What the paper's definitions say."""
    return ours(replace(question, settings=AnalysisSettings(implicit_depth=0, by=By.PAPER)))
