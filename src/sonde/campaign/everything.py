"""The planner that asks for every point: what `sonde measure` uses, and the truth of studies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from sonde.core.points import BenchmarkName, Point, Request
from sonde.core.repeats import Repeats
from sonde.core.results import Failed, Result


class Everything:
    """Asks for `runs` samples of every point, in the given order, or for one where further ones tell nothing.

    planner = Everything(points, runs={"pack": 2})
    while planner.finished is None:
        planner.tell(execute(planner.ask(16)))
    """

    def __init__(self, points: Iterable[Point], runs: Mapping[BenchmarkName, int]) -> None:
        self._runs = runs
        self._repeats = {name: Repeats() for name in runs}
        self._open = dict.fromkeys(points)  # an ordered set: neither complete, failed nor pending
        self._pending: dict[Point, int] = {}  # and how many runs were asked for

    @property
    def finished(self) -> str | None:
        """Why there is nothing left to ask for."""
        return None if self._open or self._pending else "every point is measured or has failed"

    def ask(self, at_most: int) -> Sequence[Request]:
        """The next points that have too few samples."""
        chosen = list(islice(self._askable(), at_most))
        for point in chosen:
            del self._open[point]
            self._pending[point] = self._repeats[point.benchmark].runs(self._runs[point.benchmark])
        return [Request(point, self._pending[point]) for point in chosen]

    def _askable(self) -> Iterator[Point]:
        """The open points, but no more of a benchmark at once than show whether one run is enough."""
        pending = Counter(point.benchmark for point in self._pending)
        for point in self._open:
            name = point.benchmark
            if self._repeats[name].may_ask(pending[name], self._runs[name]):
                pending[name] += 1
                yield point

    def tell(self, results: Iterable[Result]) -> None:
        """Points that failed or have all their samples are done; others stay as they are."""
        told = [result for result in results if result.point.benchmark in self._runs]
        for result in told:
            self._repeats[result.point.benchmark].hear(result.point, result.outcome)
        for result in told:
            if self._is_complete(result):
                self._open.pop(result.point, None)
                self._pending.pop(result.point, None)

    def _is_complete(self, result: Result) -> bool:
        if isinstance(result.outcome, Failed):
            return True
        benchmark = result.point.benchmark
        usual = 1 if self._repeats[benchmark].are_spared(self._runs[benchmark]) else self._runs[benchmark]
        return len(result.outcome.samples) >= self._pending.get(result.point, usual)
