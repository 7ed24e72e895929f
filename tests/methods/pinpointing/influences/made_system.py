"""A subject whose influences are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sonde.core.findings.pinpoints import TermChange
from sonde.core.options import Configuration, Literal, Option, Term, Value
from sonde.methods.pinpointing.influences.observations import MeanObservation
from sonde.methods.pinpointing.influences.scope import holds_in
from sonde.space.space import Space


@dataclass(frozen=True)
class MadeSystem:
    """Influences at step 0, and what is added to them from later steps on."""

    space: Space
    influences: Mapping[Term, float]
    added: Sequence[tuple[int, Term, float]] = ()

    def value(self, configuration: Configuration, step: int) -> float:
        parts = [*((0, term, height) for term, height in self.influences.items()), *self.added]
        return sum(
            height
            for since, term, height in parts
            if step >= since and all(holds_in(literal, configuration) for literal in term)
        )

    def changes(self) -> tuple[TermChange, ...]:
        return tuple(term_change(term, step, self.space.default) for step, term, _ in self.added)

    def observe(
        self,
        configurations: Iterable[Configuration],
        steps: Iterable[int],
        noise: float = 0.0,
        rng: np.random.Generator | None = None,
    ) -> tuple[MeanObservation, ...]:
        """Every configuration at every step."""
        at = tuple(steps)
        return tuple(
            MeanObservation(step, each, self.value(each, step) * _factor(noise, rng))
            for each in configurations
            for step in at
        )


def _factor(noise: float, rng: np.random.Generator | None) -> float:
    return 1.0 if rng is None else float(np.exp(rng.normal(0.0, noise)))


def term(**values: Value) -> Term:
    """`term(a=True, level=3)`."""
    return frozenset(Literal(name, value) for name, value in values.items())


def term_change(changed: Term, step: int, shown_in: Configuration, unless: Term = frozenset()) -> TermChange:
    return TermChange(step, step, step, changed, 0.1, 0.1, 0.1, 1.0, shown_in, 1, step - 1, step, unless)


def switches(number: int) -> tuple[Option, ...]:
    return tuple(Option(f"o{at}", (False, True), False) for at in range(number))


def drawn(space: Space, number: int, rng: np.random.Generator) -> list[Configuration]:
    """Configurations at random, where no constraint forbids any."""
    return [
        Configuration.of(
            {each.name: each.values[int(rng.integers(len(each.values)))] for each in space.options}
        )
        for _ in range(number)
    ]


def made_switches(number: int, seed: int) -> MadeSystem:
    """Every option has an influence, some pairs have, and three terms change; all values are positive."""
    rng = np.random.default_rng(seed)
    space = Space(switches(number))
    names = [option.name for option in space.options]
    influences = {frozenset(): 1.0, **{term(**{name: True}): rng.uniform(0.1, 1) for name in names}}
    pairs = []
    for _ in range(number // 4):
        first, second = rng.choice(names, 2, replace=False)
        pairs.append(term(**{str(first): True, str(second): True}))
        influences[pairs[-1]] = rng.uniform(0.3, 1)
    added = ((20, term(o1=True), 0.8), (50, pairs[0], 0.9), (70, term(), 0.5))
    return MadeSystem(space, influences, added)
