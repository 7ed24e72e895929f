"""Every planner that the conformance suite holds to the protocol; a new one adds a case."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sonde.campaign.everything import Everything
from sonde.core.points import Point
from sonde.core.protocols import Planner
from tests.values import point


@dataclass(frozen=True)
class PlannerCase:
    name: str
    make: Callable[[], Planner]
    points: tuple[Point, ...]  # the planner's whole world
    runs: int  # at most so many samples are asked for at a point


_POINTS = tuple(point(position, level=level) for position in range(6) for level in (1, 9))

CASES = (PlannerCase("everything", lambda: Everything(_POINTS, {"pack": 3}), _POINTS, 3),)
