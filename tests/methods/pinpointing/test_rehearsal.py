from __future__ import annotations

import pytest

from sonde.core.findings.pinpoints import TermChange
from sonde.core.options import Option
from sonde.methods.pinpointing.rehearsal import MOST_POINTS, rehearse
from sonde.methods.pinpointing.search import Program, SampleDemand, SearchProblem
from sonde.methods.pinpointing.shared_steps.search import SharedSteps
from sonde.space.space import Space


class Curious:
    """Looks at every configuration of every step."""

    def run(self, world: SearchProblem) -> Program:
        for step in range(world.steps):
            yield [SampleDemand(step, one) for one in world.space.configurations()]
        return "everything was looked at"

    def findings(self) -> tuple[TermChange, ...]:
        return ()

    def noise(self) -> float | None:
        return None


def world(options: int, steps: int, runs: int = 1) -> SearchProblem:
    space = Space(tuple(Option(f"option-{number}", (False, True), False) for number in range(options)))
    return SearchProblem(steps, space, lambda _: (0, steps), runs=runs, noise_floor=0.01)


def test_a_search_is_watched_to_its_end():
    rehearsed = rehearse(SharedSteps(), world(4, 100))

    assert rehearsed.is_whole
    assert 20 < len(rehearsed.points) < 400
    assert rehearsed.runs >= len(rehearsed.points)
    assert all(0 <= step < 100 for step, _ in rehearsed.points)


def test_the_same_seed_asks_for_the_same():
    assert rehearse(SharedSteps(), world(4, 100), 3) == rehearse(SharedSteps(), world(4, 100), 3)


def test_runs_that_vary_take_more_of_them():
    counted, timed = (rehearse(SharedSteps(), world(4, 100, runs)) for runs in (1, 5))

    assert timed.runs > 2 * counted.runs


@pytest.mark.parametrize(("options", "steps"), [(1, 2), (1, 50), (2, 3)])
def test_a_small_world_is_large_enough(options: int, steps: int):
    assert rehearse(SharedSteps(), world(options, steps)).is_whole


def test_a_search_that_asks_for_more_and_more_is_not_watched_to_its_end():
    rehearsed = rehearse(Curious(), world(5, 200))

    assert not rehearsed.is_whole
    assert len(rehearsed.points) > MOST_POINTS
