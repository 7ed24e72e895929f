"""Pinpointing changes in revisions x configurations.

A made subject of on/off options with random influences, a quarter as many interactions of two, and five
changes. The times are those of the search alone: values are looked up. The peer of our search is that of the
paper on the same subject, where it ends within minutes; the peer of the likelihood is equation 4 with a loop
over all revisions, and array operations over all pairs.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import partial
from random import Random

import numpy as np

from benchmarks.frame import Row, in_turn
from sonde.campaign.simulate import CORE, SimulatedChange, SimulatedSubject
from sonde.core.options import Configuration, Literal, Option, Term
from sonde.methods.pinpointing.likelihoods.likelihood import Floats, Integers, differ, raw_likelihoods
from sonde.methods.pinpointing.likelihoods.search import Likelihoods
from sonde.methods.pinpointing.search import DemandResult, SampleDemand, Search, SearchProblem
from sonde.methods.pinpointing.shared_steps.search import SharedSteps
from sonde.space.space import Space

ROUNDS = 3
THRESHOLD = 0.05


def rows() -> Iterable[Row]:
    """Times of the likelihood and of whole searches."""
    rng = np.random.default_rng(1)
    measured = np.sort(rng.choice(2_500, 500, replace=False))
    values = np.exp(rng.normal(0, 0.1, 500))
    times = in_turn(
        {
            "ours": partial(raw_likelihoods, measured, values, 2_500, THRESHOLD),
            "loop": partial(_looped, measured, values, 2_500),
        },
        ROUNDS,
    )
    what = "likelihood of 2,500 revisions from 500 samples"
    yield Row(what, times["ours"], "s", 0.05, "a loop over revisions", times["loop"])
    for options, revisions, noise, target in (
        (16, 1_000, 0.0, 10.0),
        (64, 2_500, 0.0, 10.0),
        (64, 2_500, 0.03, 10.0),
        (500, 20_000, 0.0, 120.0),
    ):
        subject = made_subject(options, revisions, noise)
        ours = seconds_of_search(subject, SharedSteps())
        is_small = options == 16
        paper = seconds_of_search(subject, Likelihoods()) if is_small else None
        what = f"search: {options} options x {revisions:,} revisions, {noise:.0%} noise"
        yield Row(what, ours, "s", target, "the paper's search" if is_small else "", paper)


def _looped(measured: Integers, values: Floats, steps: int) -> Floats:
    """Equation 4 as it stands."""
    weights = np.zeros((len(measured), len(measured)))
    distance = np.abs(measured[:, None] - measured[None, :]).astype(float)
    pairs = (distance > 0) & differ(values[:, None], values[None, :], THRESHOLD)
    weights[pairs] = distance[pairs] ** -2.0
    return np.array([weights[np.ix_(measured < step, measured > step)].sum() for step in range(steps)])


def made_subject(options: int, revisions: int, noise: float) -> SimulatedSubject:
    """A subject of so many on/off options."""
    rng = Random(f"{options} {revisions}")
    literals = [Literal(f"o{number}", True) for number in range(options)]
    terms: list[Term] = [CORE, *(frozenset({literal}) for literal in literals)]
    terms += [frozenset(rng.sample(literals, 2)) for _ in range(options // 4)]
    influences = {term: 0.1 + 0.9 * rng.random() for term in terms}
    places = sorted(rng.sample(range(1, revisions), 5))
    changes = tuple(SimulatedChange(place, rng.choice(list(influences)), 2.0) for place in places)
    space = Space(tuple(Option(literal.option, (False, True), False) for literal in literals))
    return SimulatedSubject(space, revisions, influences, changes, noise=noise)


def seconds_of_search(subject: SimulatedSubject, search: Search) -> float:
    """The time that a search takes by itself."""
    known: dict[tuple[int, Configuration], list[float]] = {}
    spent = 0.0
    begin = time.perf_counter()
    program = search.run(
        SearchProblem(subject.revisions, subject.space, lambda _: (0, subject.revisions), THRESHOLD)
    )
    try:
        demands = next(program)
        while True:
            spent += time.perf_counter() - begin
            heard = [_answer(subject, demand, known) for demand in demands]
            begin = time.perf_counter()
            demands = program.send(heard)
    except StopIteration:
        search.findings()
        return spent + time.perf_counter() - begin


def _answer(
    subject: SimulatedSubject, demand: SampleDemand, known: dict[tuple[int, Configuration], list[float]]
) -> DemandResult:
    values = known.setdefault((demand.step, demand.configuration), [])
    while len(values) < demand.runs:
        rng = Random(f"{demand.step} {demand.configuration.key} {len(values)}")
        exact = subject.value(demand.step, demand.configuration)
        values.append(exact * float(np.exp(rng.gauss(0.0, subject.noise))))
    return DemandResult(demand.step, demand.configuration, tuple(values[: demand.runs]))
