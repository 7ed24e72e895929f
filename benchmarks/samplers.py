"""Sampling a space.

The spaces are random: on/off options, half as many constraints over two or three of them, and some groups of
four of which exactly one is on. Distances are drawn from those that exist, for z3 too. z3 is asked in two
ways: with a sum, excluding what it found before; and with its pseudo-Boolean constraint, excluding nothing,
so that it may repeat itself. Ours never does. No peer stands beside the covering samples: with constraints,
covertable had no answer at 64 options after 60 s, and allpairspy left out a quarter of the valid pairs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from random import Random

from benchmarks.frame import Row, medians_in_turn, seconds_of
from benchmarks.peers import is_installed, seconds_of_peer
from sonde.core.options import Option
from sonde.space.samplers.distance_based import distance_based
from sonde.space.samplers.t_wise import t_wise
from sonde.space.space import Space

Clauses = list[list[int]]  # as in DIMACS; option 1 is the first

_Z3 = """
import json, random, sys, time
import z3

count, clauses, groups, nearest, farthest, samples, way = json.loads(sys.argv[1])
options = [z3.Bool(f"o{number}") for number in range(count)]
solver = z3.Solver()
solver.set("random_seed", 1)
for clause in clauses:
    literals = [(options[abs(each) - 1], each > 0) for each in clause]
    solver.add(z3.Or([option if is_on else z3.Not(option) for option, is_on in literals]))
for group in groups:
    solver.add(z3.PbEq([(options[each - 1], 1) for each in group], 1))
rng = random.Random(1)
begin = time.perf_counter()
for _ in range(samples):
    distance = rng.randint(nearest, farthest)
    solver.push()
    if way == "sum":
        solver.add(z3.Sum([z3.If(option, 1, 0) for option in options]) == distance)
    else:
        solver.add(z3.PbEq([(option, 1) for option in options], distance))
    is_found = solver.check() == z3.sat
    model = solver.model() if is_found else None
    solver.pop()
    if way == "sum" and is_found:
        solver.add(z3.Or([option != model.eval(option, model_completion=True) for option in options]))
print(time.perf_counter() - begin)
"""


def rows() -> Iterable[Row]:
    """Times of covering and of distance-based samples."""
    for count, groups, strength, target in (
        (16, 1, 2, 0.1),
        (64, 4, 2, 1.0),
        (20, 2, 3, 5.0),
        (64, 4, 3, None),
    ):
        space = _space(count, *_model(count, groups))
        size = len(t_wise(space, strength))
        times = medians_in_turn({"ours": partial(seconds_of, partial(t_wise, space, strength))}, rounds=3)
        yield Row(f"{strength}-wise of {count} options: {size} configurations", times["ours"], "s", target)
    yield from _distance_rows(64, 4, 500, {"sum": 20, "pseudo-Boolean": 50}, rounds=3)
    yield from _distance_rows(200, 10, 200, {"sum": 2, "pseudo-Boolean": 20}, rounds=1)


def _distance_rows(
    count: int, groups: int, samples: int, of_z3: Mapping[str, int], rounds: int
) -> Iterable[Row]:
    clauses, alternatives = _model(count, groups)
    space = _space(count, clauses, alternatives)
    reach = space.solver.distances(space.every_default)
    assert reach is not None
    seconds = partial(seconds_of, lambda: distance_based(space, samples, Random(1)))
    measures: dict[str, Callable[[], float]] = {"ours": lambda: seconds() * 1e3 / samples}
    for way, samples_of_z3 in of_z3.items():
        if is_installed("z3"):
            told = json.dumps([count, clauses, alternatives, *reach, samples_of_z3, way])
            measures[way] = partial(_milliseconds_of_z3, told, samples_of_z3)
    times = medians_in_turn(measures, rounds)
    for way in of_z3:
        what = f"one of {samples} distance-based configurations of {count} options"
        yield Row(what, times["ours"], "ms", None, f"z3, {way}", times.get(way))


def _milliseconds_of_z3(told: str, samples: int) -> float:
    return seconds_of_peer(_Z3, told) * 1e3 / samples


def _model(count: int, groups: int) -> tuple[Clauses, Clauses]:
    """Clauses, and groups of which exactly one option is on."""
    rng = Random(1)
    clauses = [
        [rng.choice((-1, 1)) * each for each in rng.sample(range(1, count + 1), rng.choice((2, 3)))]
        for _ in range(count // 2)
    ]
    return clauses, [list(range(4 * group + 1, 4 * group + 5)) for group in range(groups)]


def _space(count: int, clauses: Clauses, groups: Clauses) -> Space:
    options = [Option(f"o{number:03}", (False, True), False) for number in range(1, count + 1)]
    written = [
        " or ".join(f"{'not ' if each < 0 else ''}o{abs(each):03}" for each in clause) for clause in clauses
    ]
    chosen = [f"exactly one of {', '.join(f'o{each:03}' for each in group)}" for group in groups]
    return Space.of(options, (*written, *chosen))
