"""Small systems whose changes are known, and a loop that plays a search against them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sonde.core.options import Configuration, Literal, Option, Term
from sonde.methods.pinpointing.likelihoods.likelihood import Floats, Integers
from sonde.methods.pinpointing.likelihoods.samples import Course
from sonde.methods.pinpointing.search import DemandResult, SampleDemand, Search, SearchProblem
from sonde.space.space import Space

Answer = Callable[[SampleDemand], DemandResult]
CORE: Term = frozenset()


def switch(name: str) -> Option:
    return Option(name, (False, True), False)


def term(*names: str) -> Term:
    return frozenset(Literal(name, True) for name in names)


def holds(one: Term, configuration: Configuration) -> bool:
    return all(configuration[literal.option] == literal.value for literal in one)


@dataclass(frozen=True)
class MadeSystem:
    """Additive influences; a change sets the influence of a term to a new value from its step on."""

    influences: Mapping[Term, float]
    changes: Sequence[tuple[int, Term, float]] = ()
    failing: Collection[int] = field(default_factory=frozenset)  # steps that do not build

    def value(self, step: int, configuration: Configuration) -> float:
        now = dict(self.influences)
        for since, changed, influence in self.changes:
            if step >= since:
                now[changed] = influence
        return sum(influence for one, influence in now.items() if holds(one, configuration))

    def answer(self, demand: SampleDemand) -> DemandResult:
        if demand.step in self.failing:
            return DemandResult(demand.step, demand.configuration, (), is_whole_revision=True)
        value = self.value(demand.step, demand.configuration)
        return DemandResult(demand.step, demand.configuration, (value,) * demand.runs)


@dataclass(frozen=True)
class Played:
    batches: list[Sequence[SampleDemand]]
    ending: str

    @property
    def demands(self) -> list[SampleDemand]:
        return [demand for batch in self.batches for demand in batch]


def play(search: Search, world: SearchProblem, answer: Answer) -> Played:
    """Answer all demands until it ends, and see that they may be wished for."""
    program, batches = search.run(world), []
    seen: set[tuple[int, Configuration]] = set()
    try:
        demands = next(program)
        while True:
            batches.append(demands)
            for demand in demands:
                first, end = world.life(demand.configuration)
                assert first <= demand.step < end
                assert world.space.is_valid(demand.configuration)
                assert (demand.step, demand.configuration) not in seen
                seen.add((demand.step, demand.configuration))
            demands = program.send([answer(demand) for demand in demands])
    except StopIteration as end_of_it:
        return Played(batches, end_of_it.value)


def world_of(
    options: Iterable[Option], steps: int, constraints: Iterable[str] = (), seed: int = 0
) -> SearchProblem:
    return SearchProblem(steps, Space.of(options, constraints), lambda _: (0, steps), seed=seed)


def course_of(
    configuration: Configuration, measured: Integers, values: Floats, first: int = 0, end: int = 100
) -> Course:
    return Course(configuration, first, end, measured, values)
