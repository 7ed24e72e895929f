"""Two ways to answer the same question: ours, and the paper's on the same flow graph."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from sonde.core.impacts import Partition, Role
from sonde.core.options import OptionName
from sonde.methods.impact.answer import answer
from sonde.methods.impact.question import By, Question, Settings


@dataclass(frozen=True)
class Told:
    """The answers to both questions."""

    is_relevant: bool
    related: tuple[OptionName, ...]  # sorted; nothing if it is not relevant
    partition: Partition | None = None  # which configurations are alike; None: that is not known


Way = Callable[[Question], Told]


def ours(question: Question) -> Told:
    """What Sonde says, by the settings of the question."""
    found = answer(question, time.monotonic)
    related = [each.option for each in found.options if each.role is not Role.UNRELATED]
    if not found.is_relevant:
        return Told(False, ())
    return Told(True, tuple(sorted(related)), found.partition)


def papers(question: Question) -> Told:
    """What the paper's definitions say."""
    return ours(replace(question, settings=Settings(implicit_depth=0, by=By.PAPER)))
