"""Questions to a space: valid configurations, distances, counts.

The spaces are random trees of on/off options, each of which requires its parent, with groups and a few rules
across, as real feature models have them. z3 gets the same clauses; for a distance it gets the sum of the
options that differ, as the script of the ASE'20 paper does, and only distances that exist. What is
made once for a space, such as its diagram, is not counted, but for counting itself.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from random import Random

from benchmarks.frame import Row, medians_in_turn, seconds_of
from benchmarks.peers import is_installed, seconds_of_peer
from sonde.space.counting import count
from sonde.space.solver.solving import Solver
from sonde.space.space import Space
from tests.space.models import feature_tree

ROUNDS = 3
Z3_SAMPLES = 20

_Z3 = """
import json, random, sys, time
import z3

clauses, origin, nearest, farthest, samples = json.loads(sys.argv[1])
variables = [None, *(z3.Bool(f"v{at}") for at in range(1, max(abs(x) for c in clauses for x in c) + 1))]
is_so = lambda literal: variables[literal] if literal > 0 else z3.Not(variables[-literal])
solver = z3.Solver()
for clause in clauses:
    solver.add(z3.Or([is_so(literal) for literal in clause]))
rng = random.Random(1)
begin = time.perf_counter()
for _ in range(samples):
    solver.push()
    solver.set("random_seed", rng.randrange(10**6))
    if origin:
        distance = rng.randint(nearest, farthest)
        solver.add(z3.Sum([z3.If(is_so(literal), 0, 1) for literal in origin]) == distance)
    model = solver.model() if solver.check() == z3.sat else None
    solver.pop()
    if model is not None:
        solver.add(z3.Or([v != model.eval(v, model_completion=True) for v in variables[1:]]))
print((time.perf_counter() - begin) / samples)
"""


def rows() -> Iterable[Row]:
    """Times of one answer, and of counting."""
    yield from _completion_rows()
    yield from _distance_rows()
    yield from _counting_rows()
    yield from _uniform_rows()


def _completion_rows() -> Iterator[Row]:
    for size, samples, target in ((64, 1_000, 0.5), (500, 500, 2.0), (5_000, 50, 30.0)):
        space = _tree(size)
        rng = Random(1)
        ours = partial(_seconds_each, partial(space.solver.complete, (), rng), samples)
        times = _beside_z3(ours, space, [], (0, 0)) if size == 64 else {"ours": ours()}
        what = f"a random valid configuration of {size:,} options"
        peer = "z3" if size == 64 else ""
        yield Row(what, times["ours"] * 1e3, "ms", target, peer, _in_ms(times.get("z3")))


def _distance_rows() -> Iterator[Row]:
    for size, samples, target in ((64, 1_000, 1.0), (200, 200, 10.0)):
        space = _tree(size)
        origin = space.default
        reach = space.solver.distances(origin)
        if reach is None:
            raise ValueError("a tree of options has a valid configuration")
        literals = list(space.encoding.variables.values_of(origin).values())
        without_diagram = Solver(space.encoding)
        for words, solver in (("by a diagram", space.solver), ("by a solver", without_diagram)):
            rng = Random(1)
            ask = partial(_ask_at_distance, space, solver, reach, rng)
            ours = partial(_seconds_each, ask, samples)
            times = _beside_z3(ours, space, literals, reach)
            what = f"a random configuration at a distance, {size} options, {words}"
            yield Row(what, times["ours"] * 1e3, "ms", target, "z3", _in_ms(times.get("z3")))


def _counting_rows() -> Iterator[Row]:
    for size, target in ((64, 0.5), (800, 1.0), (5_000, 10.0)):
        space = _tree(size)
        number = count(space)
        seconds = medians_in_turn({"ours": partial(seconds_of, partial(count, space))}, ROUNDS)["ours"]
        yield Row(f"counting {size:,} options: {number.in_words}", seconds, "s", target)


def _uniform_rows() -> Iterator[Row]:
    for size, samples, target in ((64, 1_000, 0.5), (800, 100, 10.0)):
        diagram = _tree(size).diagram
        if diagram is None:
            raise ValueError("a tree of options has a small diagram")
        rng = Random(1)
        seconds = _seconds_each(partial(diagram.sample, rng), samples)
        yield Row(f"a uniform sample of {size} options", seconds * 1e3, "ms", target)


def _tree(size: int) -> Space:
    return feature_tree(size, Random(1))


def _ask_at_distance(space: Space, solver: Solver, reach: tuple[int, int], rng: Random) -> None:
    solver.at_distance(space.default, rng.randint(*reach), rng)


def _seconds_each(ask: Callable[[], object], times: int) -> float:
    ask()  # what is made once
    return seconds_of(lambda: [ask() for _ in range(times)]) / times


def _beside_z3(
    ours: Callable[[], float], space: Space, origin: list[int], reach: tuple[int, int]
) -> dict[str, float]:
    measures = {"ours": ours}
    if is_installed("z3"):
        question = json.dumps([space.encoding.clauses, origin, *reach, Z3_SAMPLES])
        measures["z3"] = partial(seconds_of_peer, _Z3, question)
    return dict(medians_in_turn(measures, ROUNDS))


def _in_ms(seconds: float | None) -> float | None:
    return None if seconds is None else seconds * 1e3
