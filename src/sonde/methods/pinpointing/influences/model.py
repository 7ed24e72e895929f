"""What each term contributes to performance, at any step."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from sonde.core.options import Configuration, Term
from sonde.methods.pinpointing.influences.scope import TermScope


@dataclass(frozen=True)
class InfluenceModel:
    """Performance as a sum of influences, each of which is constant between the changes of its term.

    Influences are in the metric's unit. That of the core is what a configuration takes in which no other term
    holds: of an on/off option, `X` has an influence and `!X` none, and of any other option all values but the
    default have one. Only a term that was found to change may hold otherwise, or have exceptions, and then
    counts from 0.
    """

    influences: Mapping[TermScope, tuple[tuple[int, float], ...]]  # from which step on it is how large
    least: float  # positive: no prediction is smaller
    relative_error: float | None  # mean, in configurations left out of the fit; None: too few to tell

    @property
    def scopes(self) -> tuple[TermScope, ...]:
        """All terms that have an influence, with their exceptions, the core first."""
        return tuple(self.influences)

    def influence(self, term: Term, unless: Term = frozenset()) -> tuple[tuple[int, float], ...]:
        """From which step on it is how large, the first from step 0; nothing of note: 0 throughout."""
        return self.influences.get(TermScope(term, unless), ((0, 0.0),))

    def at(self, step: int) -> Mapping[TermScope, float]:
        """The influence of each term at one step: the coefficients of eq. 1."""
        return {scope: self._value(scope, step) for scope in self.influences}

    def predict(self, configuration: Configuration, step: int) -> float:
        """What a configuration takes at a step, by eq. 1; always positive."""
        total = sum(self._value(scope, step) for scope in self.influences if scope.has(configuration))
        return max(total, self.least)

    def _value(self, scope: TermScope, step: int) -> float:
        phases = self.influences[scope]
        return phases[bisect_right(self._beginnings[scope], step) - 1][1]

    @cached_property
    def _beginnings(self) -> Mapping[TermScope, tuple[int, ...]]:
        return {scope: tuple(begin for begin, _ in phases) for scope, phases in self.influences.items()}
