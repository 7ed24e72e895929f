"""A search on a made-up subject: what it usually takes, before anything is measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from random import Random

from sonde.core.options import Configuration, Literal
from sonde.methods.pinpointing.search import DemandResult, SampleDemand, Search, SearchProblem

CHANGES = 3  # in the whole history, as the default search expects
LEAST_HEIGHT, THRESHOLDS = 0.1, 3.0  # a change is that large, or this many thresholds
MOST_POINTS = 2_000  # a search that asks for more is not watched to its end

Asked = tuple[int, Configuration]


@dataclass(frozen=True)
class Rehearsed:
    """What a search asked for: distinct points, and runs of all of them."""

    points: frozenset[Asked]  # steps and configurations
    runs: int
    is_whole: bool  # False: it asked for more than is worth watching


@dataclass(frozen=True)
class _MadeUp:
    """From its step on, a literal makes a configuration slower by a factor."""

    step: int
    literal: Literal
    height: float  # log


def rehearse(search: Search, world: SearchProblem, seed: int = 0) -> Rehearsed:
    """What a search asks for where a few options change, each at one step; the same seed asks the same.

    Runs vary as much as the noise floor of the world says.
    """
    rng = Random(seed)
    changes = _draw(world, rng)
    runs: dict[Asked, int] = {}
    program = search.run(world)
    try:
        demands = next(program)
        while len(runs) <= MOST_POINTS:
            demands = program.send([_answer(demand, changes, world, runs, seed) for demand in demands])
    except StopIteration:
        return Rehearsed(frozenset(runs), sum(runs.values()), is_whole=True)
    return Rehearsed(frozenset(runs), sum(runs.values()), is_whole=False)


def _draw(world: SearchProblem, rng: Random) -> Sequence[_MadeUp]:
    literals = [
        Literal(option.name, value)
        for option in world.space.options
        for value in option.values
        if value != option.default
    ]
    height = log(1 + max(LEAST_HEIGHT, THRESHOLDS * world.threshold))
    count = min(CHANGES, len(literals), world.steps - 1)
    steps = rng.sample(range(1, world.steps), count)
    chosen = rng.sample(literals, count)
    return [_MadeUp(step, literal, height) for step, literal in zip(steps, chosen, strict=True)]


def _answer(
    demand: SampleDemand, changes: Sequence[_MadeUp], world: SearchProblem, runs: dict[Asked, int], seed: int
) -> DemandResult:
    point = demand.step, demand.configuration
    runs[point] = max(runs.get(point, 0), demand.runs)
    chosen: Mapping[str, object] = demand.configuration.chosen
    height = sum(
        each.height
        for each in changes
        if each.step <= demand.step and chosen[each.literal.option] == each.literal.value
    )
    noise = Random(f"{seed} {demand.step} {demand.configuration}")  # the same point gives the same runs
    deviation = world.noise_floor if world.runs > 1 else 0.0  # a point that is run once is counted
    values = tuple(exp(height + noise.gauss(0.0, deviation)) for _ in range(demand.runs))
    return DemandResult(demand.step, demand.configuration, values)
