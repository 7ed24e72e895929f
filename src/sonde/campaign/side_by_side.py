"""Several planners as one, so that a machine has enough to do while each of them waits for results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sonde.core.points import Request
from sonde.core.protocols import Planner
from sonde.core.results import Result


class SideBySide:
    """Asks several planners in turn, and tells each of them everything."""

    def __init__(self, planners: Sequence[Planner]) -> None:
        self._planners = tuple(planners)

    @property
    def finished(self) -> str | None:
        """Why none of them has anything left to ask for."""
        reasons = [planner.finished for planner in self._planners]
        known = [reason for reason in reasons if reason is not None]
        if len(known) < len(reasons):
            return None
        return "; ".join(dict.fromkeys(known)) or "there is nothing to look at"

    def ask(self, at_most: int) -> Sequence[Request]:
        """An equal part for each; who needs less leaves it to the others."""
        requests: list[Request] = []
        for number, planner in enumerate(self._planners):
            requests += planner.ask(-(-(at_most - len(requests)) // (len(self._planners) - number)))
        for planner in self._planners:
            requests += planner.ask(at_most - len(requests))
        return requests

    def tell(self, results: Iterable[Result]) -> None:
        """Tell all; each ignores what is foreign to it."""
        heard = list(results)
        for planner in self._planners:
            planner.tell(heard)
