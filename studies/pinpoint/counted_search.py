"""How often a search wished before it ended."""

from __future__ import annotations

from sonde.core.findings.pinpoints import TermChange
from sonde.methods.pinpointing.search import Program, Search, SearchProblem


class CountedSearch:
    """A search, and how often it wished: for the paper's, the number of its iterations."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self.iterations = 0

    def run(self, world: SearchProblem) -> Program:
        """The search itself, counted."""
        self.iterations = 0
        program = self._search.run(world)
        try:
            requests = next(program)
            while True:
                self.iterations += 1
                requests = program.send((yield requests))
        except StopIteration as end:
            return str(end.value)

    def findings(self) -> tuple[TermChange, ...]:
        """Those of the search."""
        return self._search.findings()

    def noise(self) -> float | None:
        """That of the search."""
        return self._search.noise()
