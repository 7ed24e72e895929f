"""Wishes of a search that are under way: which are answered, and which nobody was asked for yet."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence

from sonde.core.points import Point, Request
from sonde.methods.pinpointing.search import DemandResult, SampleDemand

Hear = Callable[
    [SampleDemand, Point], DemandResult | None
]  # what came of a demand for a point; None: nothing yet


class RequestList:
    """What a search wished for at one time, each demand with its point.

    A demand is looked at once, and again only if something was heard of its point: lists can be long.
    """

    def __init__(self, demands: Sequence[SampleDemand], points: Sequence[Point], hear: Hear) -> None:
        self._wishes = demands
        self._points = points
        self._hear = hear
        self._numbers: dict[Point, list[int]] = {}
        for number, point in enumerate(points):
            self._numbers.setdefault(point, []).append(number)
        self._answers = [hear(demand, point) for demand, point in zip(demands, points, strict=True)]
        self._unanswered = self._answers.count(None)
        self._touched: dict[Point, None] = {}
        self._queue = deque(self._numbers)  # points that nobody was asked for

    def touch(self, points: Iterable[Point]) -> None:
        """Take note that there is something new of these points."""
        self._touched.update((point, None) for point in points if point in self._numbers)

    def answers(self) -> Sequence[DemandResult] | None:
        """What came of each demand, or None while there are some of which nothing did."""
        self._look_again()
        if self._unanswered:
            return None
        return [answer for answer in self._answers if answer is not None]

    def ask(self, at_most: int) -> list[Request]:
        """Requests for what is not answered, a point each; none is asked for twice."""
        self._look_again()
        requests: list[Request] = []
        while self._queue and len(requests) < at_most:
            point = self._queue.popleft()
            numbers = self._numbers[point]
            if any(self._answers[number] is None for number in numbers):
                requests.append(Request(point, max(self._wishes[number].runs for number in numbers)))
        return requests

    def _look_again(self) -> None:
        for point in self._touched:
            for number in self._numbers[point]:
                before = self._answers[number]
                after = self._answers[number] = self._hear(self._wishes[number], point)
                self._unanswered += (after is None) - (before is None)
        self._touched = {}
