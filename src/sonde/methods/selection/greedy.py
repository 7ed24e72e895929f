"""Algorithm 1 of the paper: indicators that together cover all hits, at a low price.

As printed, it does not end where a hit can be covered for nothing, and it covers a hit without any change by
a threshold of 0, so that everything runs. Here the search for the dearest hit starts below zero, and a
threshold is above zero. Of several indicators with one price, the one that covers most hits is taken.

Beyond the paper, a template may be several indicators that must hold together, and thresholds may leave room
below the smallest hit: it is only the smallest so far.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sonde.methods.selection.examples import Example
from sonde.methods.selection.indicators import INDICATORS, PAPER, Values
from sonde.methods.selection.predictors import Predictor, ReachedAndChanged, ReachedByIndicators

Template = tuple[str, ...]  # the names of indicators that hold together
Matrix = NDArray[np.float64]  # a row an example, a column an indicator
Mask = NDArray[np.bool_]

# A hit misses a condition that n hits fulfil with a probability of 1 / (n + 1): 10 % at nine.
LEAST_HITS_FOR_SEVERAL = 9


@dataclass(frozen=True)
class Templates:
    """What the algorithm chooses from."""

    templates: tuple[Template, ...]
    room: float = 1.0  # a threshold is so much of the value of the hit that it is made for
    fallback: Callable[[str, tuple[str, ...]], Predictor] = ReachedAndChanged  # where nothing can be learned


# Table I. Ranks leave no room: half of a rank says nothing. The paper has no proof that would go before.
OF_PAPER: Final = Templates(tuple((indicator.name,) for indicator in PAPER), fallback=ReachedByIndicators)

# How much of the cost changed, and how much of that. Ranks and numbers of functions do not tell it, and what
# is static alone is the same for every benchmark. `objch` is there for hits without a changed function.
OF_COST: Final = Templates((("share", "weight"), ("share",), ("objch",)), room=0.25)


@dataclass(frozen=True)
class Term:
    """Conditions that hold together: each indicator is at least its threshold, which is above zero."""

    conditions: tuple[tuple[str, float], ...]

    def holds(self, values: Values) -> bool:
        """Whether all conditions are fulfilled."""
        return all(values.get(name, 0.0) >= threshold for name, threshold in self.conditions)

    def words(self) -> str:
        """The conditions in words."""
        return " and ".join(INDICATORS[name].condition(least) for name, least in self.conditions)

    def statement(self, values: Values) -> str:
        """What the indicators are, in words."""
        return ", ".join(INDICATORS[name].statement(values.get(name, 0.0)) for name, _ in self.conditions)


@dataclass(frozen=True)
class Disjunction:
    """Runs a benchmark if one of the terms holds."""

    terms: tuple[Term, ...]
    hits: int  # that it was learned from
    uncoverable: int  # hits in which no indicator shows anything
    warnings: tuple[str, ...] = ()

    def runs(self, values: Values) -> bool:
        """Whether one of the terms holds."""
        return any(term.holds(values) for term in self.terms)

    def words(self) -> str:
        """The rule, in one sentence."""
        return "Run a benchmark if " + ", or if ".join(term.words() for term in self.terms) + "."

    def why(self, values: Values) -> str:
        """The facts that a term holds for, or those that all terms miss."""
        for term in self.terms:
            if term.holds(values):
                return term.statement(values)
        return "below the rule's limits: " + "; ".join(
            dict.fromkeys(term.statement(values) for term in self.terms)
        )


@dataclass(frozen=True)
class GreedyLearner:
    """Learns a disjunction by Algorithm 1."""

    templates: Templates = OF_COST

    def learn(self, examples: Sequence[Example]) -> Predictor:
        """Terms that cover all hits that can be covered; without any, whatever changed runs."""
        hits = [example.values for example in examples if example.is_hit]
        misses = [example.values for example in examples if not example.is_hit]
        if not hits:
            return self.templates.fallback("no performance changes are known to learn from", ())
        terms, uncoverable = cover(hits, misses, self.templates)
        warnings: tuple[str, ...] = ()
        if uncoverable:
            warnings = (
                f"{uncoverable} of {len(hits)} hits are visible in no indicator, so no rule covers them.",
            )
        if not terms:
            return self.templates.fallback("no indicator shows the known hits", warnings)
        return Disjunction(terms, len(hits), uncoverable, warnings)


def cover(
    hits: Sequence[Values], misses: Sequence[Values], templates: Templates
) -> tuple[tuple[Term, ...], int]:
    """The terms that Algorithm 1 chooses, and how many hits no term can cover."""
    names = list(dict.fromkeys(name for template in templates.templates for name in template))
    H, D = _matrix(hits, names), _matrix(misses, names)
    options = [_cheapest(h, H, D, names, templates) for h in H]
    open_ = np.array([option is not None for option in options], dtype=bool)
    uncoverable = int(np.sum(~open_))
    terms = []
    while open_.any():
        # Lines 18 to 27. A hit that can be covered for nothing has a price of 0, which is above -infinity.
        dearest = max(
            (option for option, is_open in zip(options, open_, strict=True) if is_open and option),
            key=lambda option: (option.price, option.covers, option.thresholds),
        )
        open_ &= ~_holds(H, dearest, names)
        terms.append(_widened(dearest, H, D, names, templates.room))
    return tuple(dict.fromkeys(terms)), uncoverable


@dataclass(frozen=True)
class _Option:
    template: Template
    thresholds: tuple[float, ...]
    price: int
    covers: int


def _cheapest(h: Matrix, H: Matrix, D: Matrix, names: list[str], templates: Templates) -> _Option | None:
    """The template and thresholds that cover a hit for the lowest price (lines 6 to 14)."""
    found: list[_Option] = []
    for template in templates.templates:
        columns = [names.index(name) for name in template]
        able = int(np.sum((H[:, columns] > 0).all(axis=1)))
        if (h[columns] <= 0).any() or (len(template) > 1 and able < LEAST_HITS_FOR_SEVERAL):
            continue
        thresholds = tuple(float(value) for value in templates.room * h[columns])
        option = _Option(template, thresholds, 0, 0)
        price, covers = int(_holds(D, option, names).sum()), int(_holds(H, option, names).sum())
        found.append(_Option(template, thresholds, price, covers))
    return min(found, key=lambda option: (option.price, -option.covers), default=None)


def _widened(option: _Option, H: Matrix, D: Matrix, names: list[str], room: float) -> Term:
    """The term with thresholds that leave room below every hit it covers, if that costs nothing more."""
    columns = [names.index(name) for name in option.template]
    covered = H[_holds(H, option, names)][:, columns]
    lower = tuple(float(value) for value in np.minimum(room * covered.min(axis=0), option.thresholds))
    wide = _Option(option.template, lower, 0, 0)
    is_free = int(_holds(D, wide, names).sum()) == option.price
    chosen = lower if is_free else option.thresholds
    return Term(tuple(zip(option.template, chosen, strict=True)))


def _holds(rows: Matrix, option: _Option, names: list[str]) -> Mask:
    holds: Mask = np.ones(len(rows), dtype=bool)
    for name, threshold in zip(option.template, option.thresholds, strict=True):
        holds &= rows[:, names.index(name)] >= threshold
    return holds


def _matrix(values: Sequence[Values], names: list[str]) -> Matrix:
    rows = [[each.get(name, 0.0) for name in names] for each in values]
    return np.array(rows, dtype=float).reshape(len(values), len(names))
