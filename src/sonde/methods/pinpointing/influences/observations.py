"""What was measured, as the fit sees it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray

from sonde.core.options import Configuration, Literal
from sonde.methods.pinpointing.influences.scope import TermScope, holds_in
from sonde.numerics.sparse_regression import Array

Bits = NDArray[np.bool_]


@dataclass(frozen=True)
class MeanObservation:
    """The mean of so many runs of a configuration at a step."""

    step: int
    configuration: Configuration
    value: float  # positive
    runs: int = 1

    def __post_init__(self) -> None:
        if not 0 < self.value < inf:
            raise ValueError(
                f"The value {self.value} at step {self.step} is not a positive number. Remove it."
            )
        if self.runs < 1:
            raise ValueError(f"There are {self.runs} runs at step {self.step}, but one is the least.")


class HeldTerms:
    """In which of some configurations terms count; each literal is looked up once."""

    def __init__(self, configurations: Sequence[Configuration]) -> None:
        self.configurations = tuple(configurations)
        self._by_literal: dict[Literal, Bits] = {}

    def of(self, scope: TermScope) -> Bits:
        """Whether each configuration belongs to the scope."""
        belongs = np.ones(len(self.configurations), dtype=bool)
        for literal in scope.term:
            belongs &= self._of(literal)
        for literal in scope.unless:
            belongs &= ~self._of(literal)
        return belongs

    def _of(self, literal: Literal) -> Bits:
        if literal not in self._by_literal:
            bits = [holds_in(literal, configuration) for configuration in self.configurations]
            self._by_literal[literal] = np.array(bits, dtype=bool)
        return self._by_literal[literal]


@dataclass(frozen=True, eq=False)
class Observed:
    """Observations in columns."""

    holding: HeldTerms
    where: NDArray[np.int64]  # the configuration of each observation
    steps: NDArray[np.int64]
    values: Array
    runs: Array

    @classmethod
    def of(cls, observations: Sequence[MeanObservation]) -> Observed:
        """Observations in the order given."""
        numbers: dict[Configuration, int] = {}
        where = [numbers.setdefault(each.configuration, len(numbers)) for each in observations]
        return cls(
            HeldTerms(tuple(numbers)),
            np.array(where, dtype=np.int64),
            np.array([each.step for each in observations], dtype=np.int64),
            np.array([each.value for each in observations], dtype=np.float64),
            np.array([each.runs for each in observations], dtype=np.float64),
        )

    def __len__(self) -> int:
        return len(self.values)

    def part(self, rows: Bits) -> Observed:
        """Only these observations."""
        return Observed(self.holding, self.where[rows], self.steps[rows], self.values[rows], self.runs[rows])

    @cached_property
    def weights(self) -> Array:
        """Inverse variances: noise is a part of the value."""
        return self.runs / self.values**2

    @cached_property
    def distinct(self) -> NDArray[np.int64]:
        """The configurations that there are observations of."""
        return np.unique(self.where)

    def columns(self, scopes: Iterable[TermScope]) -> Bits:
        """A row an observation, and a column a scope: whether its configuration belongs to it."""
        columns = [self.holding.of(scope) for scope in scopes]
        if not columns:
            return np.zeros((len(self), 0), dtype=bool)
        return np.asarray(np.array(columns).T[self.where])
