"""The planner that asks for every point: what `sonde measure` uses, and the truth of studies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from sonde.core.points import BenchmarkName, Point, Request
from sonde.core.results import Failed, Measurement, Result


class Everything:
    """Asks for `runs` samples of every point, in the given order.

    planner = Everything(points, runs={"pack": 2})
    while planner.finished is None:
        planner.tell(execute(planner.ask(16)))
    """

    def __init__(self, points: Iterable[Point], runs: Mapping[BenchmarkName, int]) -> None:
        self._runs = runs
        self._open = dict.fromkeys(points)  # an ordered set: neither complete, failed nor pending
        self._pending: set[Point] = set()

    @property
    def finished(self) -> str | None:
        """Why there is nothing left to ask for."""
        return None if self._open or self._pending else "every point is measured or has failed"

    def ask(self, at_most: int) -> Sequence[Request]:
        """The next points that have too few samples."""
        chosen = list(islice(self._open, at_most))
        for point in chosen:
            del self._open[point]
        self._pending.update(chosen)
        return [Request(point, self._runs[point.benchmark]) for point in chosen]

    def tell(self, results: Iterable[Result]) -> None:
        """Points that failed or have all their samples are done; others stay as they are."""
        for result in results:
            if self._is_complete(result):
                self._open.pop(result.point, None)
                self._pending.discard(result.point)

    def _is_complete(self, result: Result) -> bool:
        match result.outcome:
            case Failed():
                return True
            case Measurement(samples):
                return len(samples) >= self._runs.get(result.point.benchmark, 0)
