from __future__ import annotations

import pytest

from sonde.core.options import Option, Phase
from sonde.core.pinpoints import TermChange
from sonde.core.results import Metric
from sonde.methods.pinpointing.planner import Line, PinpointPlanner
from sonde.methods.pinpointing.search import Heard, Program, Wish, World
from sonde.space.space import Space
from tests.values import BENCHMARK, failed, revision_id


class Once:
    """Wishes for one point, and keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[Heard] = []

    def run(self, world: World) -> Program:
        self.heard += yield [Wish(0, world.space.default)]
        return "it is heard"

    def findings(self) -> tuple[TermChange, ...]:
        return ()

    def noise(self) -> float | None:
        return None


@pytest.mark.parametrize("phase", Phase)
def test_a_build_that_fails_speaks_for_its_revision_if_all_configurations_share_it(phase):
    search = Once()
    space = Space.of([Option("fast", (False, True), False, phase=phase)])
    line = Line(BENCHMARK, Metric.CPU, (revision_id(0),), (0,))
    planner = PinpointPlanner(line, World(1, space, lambda _: (0, 1)), search)

    planner.tell([failed(request.point) for request in planner.ask(1)])

    assert planner.finished
    assert [one.is_whole_revision for one in search.heard] == [phase is Phase.LOAD]
