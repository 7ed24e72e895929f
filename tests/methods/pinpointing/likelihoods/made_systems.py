"""Small systems whose changes are known, and a loop that plays a search against them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sonde.core.options import Configuration, Literal, Option, Term
from sonde.methods.pinpointing.likelihoods.likelihood import Floats, Integers
from sonde.methods.pinpointing.likelihoods.samples import Course
from sonde.methods.pinpointing.search import Heard, Search, Wish, World
from sonde.space.space import Space

Answer = Callable[[Wish], Heard]
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

    def answer(self, wish: Wish) -> Heard:
        if wish.step in self.failing:
            return Heard(wish.step, wish.configuration, (), is_whole_revision=True)
        value = self.value(wish.step, wish.configuration)
        return Heard(wish.step, wish.configuration, (value,) * wish.runs)


@dataclass(frozen=True)
class Played:
    batches: list[Sequence[Wish]]
    ending: str

    @property
    def wishes(self) -> list[Wish]:
        return [wish for batch in self.batches for wish in batch]


def play(search: Search, world: World, answer: Answer) -> Played:
    """Answer all wishes until it ends, and see that they may be wished for."""
    program, batches = search.run(world), []
    seen: set[tuple[int, Configuration]] = set()
    try:
        wishes = next(program)
        while True:
            batches.append(wishes)
            for wish in wishes:
                first, end = world.life(wish.configuration)
                assert first <= wish.step < end
                assert world.space.is_valid(wish.configuration)
                assert (wish.step, wish.configuration) not in seen
                seen.add((wish.step, wish.configuration))
            wishes = program.send([answer(wish) for wish in wishes])
    except StopIteration as end_of_it:
        return Played(batches, end_of_it.value)


def world_of(options: Iterable[Option], steps: int, constraints: Iterable[str] = (), seed: int = 0) -> World:
    return World(steps, Space.of(options, constraints), lambda _: (0, steps), seed=seed)


def course_of(
    configuration: Configuration, measured: Integers, values: Floats, first: int = 0, end: int = 100
) -> Course:
    return Course(configuration, first, end, measured, values)
