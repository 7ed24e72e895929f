"""How long a planner thinks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from sonde.core.points import Request
from sonde.core.protocols import Planner
from sonde.core.results import Result

P = TypeVar("P", bound=Planner)
T = TypeVar("T")


class TimedPlanner(Generic[P]):
    """A planner, and the time that it takes to think, from its making on.

    timed = TimedPlanner(lambda: HistoryPlanner(...))
    campaign.run(timed)
    histories = timed.clocked(timed.planner.histories)
    print(timed.seconds)
    """

    def __init__(self, make: Callable[[], P]) -> None:
        self.seconds = 0.0
        self.planner = self.clocked(make)

    @property
    def finished(self) -> str | None:
        """Why there is nothing left to ask for."""
        return self.clocked(lambda: self.planner.finished)

    def ask(self, at_most: int) -> Sequence[Request]:
        """The planner's requests."""
        return self.clocked(lambda: self.planner.ask(at_most))

    def tell(self, results: Iterable[Result]) -> None:
        """Hand on results."""
        self.clocked(lambda: self.planner.tell(results))

    def clocked(self, think: Callable[[], T]) -> T:
        """What `think` gives; the time that it takes is the planner's."""
        begun = time.perf_counter()
        try:
            return think()
        finally:
            self.seconds += time.perf_counter() - begun
