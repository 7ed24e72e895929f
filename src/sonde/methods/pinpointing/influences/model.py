"""What each term contributes to performance, at any step."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from sonde.core.options import Configuration, Term
from sonde.methods.pinpointing.influences.observations import holds_in


@dataclass(frozen=True)
class InfluenceModel:
    """Performance as a sum of influences, each of which is constant between the changes of its term.

    Influences are in the metric's unit. That of the core is what a configuration takes in which no other term
    holds: of an on/off option, `X` has an influence and `!X` none, and of any other option all values but the
    default have one. Only a term that was found to change may hold otherwise, and then counts from 0.
    """

    influences: Mapping[Term, tuple[tuple[int, float], ...]]  # from which step on it is how large
    least: float  # positive: no prediction is smaller
    relative_error: float | None  # mean, in configurations left out of the fit; None: too few to tell

    @property
    def terms(self) -> tuple[Term, ...]:
        """All terms that have an influence, the core first."""
        return tuple(self.influences)

    def influence(self, term: Term) -> tuple[tuple[int, float], ...]:
        """From which step on it is how large, the first from step 0; nothing of note: 0 throughout."""
        return self.influences.get(term, ((0, 0.0),))

    def at(self, step: int) -> Mapping[Term, float]:
        """The influence of each term at one step: the coefficients of eq. 1."""
        return {term: self._value(term, step) for term in self.influences}

    def predict(self, configuration: Configuration, step: int) -> float:
        """What a configuration takes at a step, by eq. 1; always positive."""
        total = sum(
            self._value(term, step)
            for term in self.influences
            if all(holds_in(literal, configuration) for literal in term)
        )
        return max(total, self.least)

    def _value(self, term: Term, step: int) -> float:
        phases = self.influences[term]
        return phases[bisect_right(self._beginnings[term], step) - 1][1]

    @cached_property
    def _beginnings(self) -> Mapping[Term, tuple[int, ...]]:
        return {term: tuple(begin for begin, _ in phases) for term, phases in self.influences.items()}
