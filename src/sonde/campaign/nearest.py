"""A recording that lacks configurations, and answers with the nearest one that it has."""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from dataclasses import replace

from sonde.core.options import Configuration
from sonde.core.points import Point, Request
from sonde.core.protocols import Executor
from sonde.core.records import Observation
from sonde.core.results import Cost, Failed, Result, Stage


class NearestExecutor:
    """Has a configuration that is not recorded answered by one that is, as in section 4.2.2 of the paper.

    It is the nearest by Hamming distance whose point at that revision was not handed out before; of several,
    the one that is recorded first. Who asks again gets the same answer. A configuration that is recorded, but
    not at that revision, stays without a value.
    """

    def __init__(self, recorded: Executor, points: Collection[Point]) -> None:
        self._recorded = recorded
        self._points = frozenset(points)
        self._configurations = tuple(dict.fromkeys(point.configuration for point in points))
        self._known = frozenset(self._configurations)
        self._handed_out: set[Point] = set()
        self._answering: dict[Point, Point] = {}  # asked for -> what answers
        self._by_distance: dict[Configuration, Sequence[Configuration]] = {}

    def execute(self, requests: Sequence[Request]) -> Generator[Observation, None, None]:
        """What the recording observes; a result says what was asked for if that is another point."""
        for request in requests:
            asked = request.point
            answering = self._answer_to(asked)
            if answering is None:
                failed = Failed(Stage.RUN, "All recorded configurations of this revision have been used.")
                yield Observation((), Cost(runs=1), Result(asked, failed, Cost(runs=1)))
                continue
            for observation in self._recorded.execute([Request(answering, request.runs)]):
                if observation.result is None or answering == asked:
                    yield observation
                else:
                    yield replace(observation, result=replace(observation.result, instead_of=asked))

    def _answer_to(self, asked: Point) -> Point | None:
        """The point that answers, from now on; None if all are used up."""
        if asked.configuration in self._known:
            answer: Point | None = asked
        elif asked in self._answering:
            answer = self._answering[asked]
        else:
            nearest = (replace(asked, configuration=each) for each in self._nearest(asked.configuration))
            free = (point for point in nearest if point in self._points and point not in self._handed_out)
            answer = next(free, None)
        if answer is not None:
            self._answering[asked] = answer
            self._handed_out.add(answer)
        return answer

    def _nearest(self, asked: Configuration) -> Sequence[Configuration]:
        if asked not in self._by_distance:
            values = frozenset(asked.values)
            self._by_distance[asked] = sorted(
                self._configurations, key=lambda each: -len(values.intersection(each.values))
            )
        return self._by_distance[asked]
