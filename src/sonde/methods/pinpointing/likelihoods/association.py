"""Which options make a step a change: section 3.3.2."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sonde.core.options import Configuration, Literal
from sonde.methods.pinpointing.likelihoods.lasso import fit_lasso
from sonde.methods.pinpointing.likelihoods.likelihood import Floats
from sonde.space.space import Space

FEWEST = 3  # columns for which eq. 7 can tell anything


@dataclass(frozen=True)
class LikelihoodModel:
    """A linear model of the likelihood whose literals only raise it.

    A coefficient below zero says that the likelihood is higher without the option: that is `!X`, or all other
    values of it, and so much less that is common to all. The paper's options have no sign.
    """

    literals: tuple[Literal, ...]
    of_literals: Floats
    of_core: float  # the intercept: what all configurations have in common


def associated(influences: LikelihoodModel, factor: float) -> tuple[tuple[Literal, ...], bool]:
    """The literals whose influence exceeds the threshold of eq. 7, and whether the core's does."""
    shares, core = as_shares(influences)
    threshold = influence_threshold(shares, factor)
    literals = zip(influences.literals, shares, strict=True)
    return tuple(literal for literal, share in literals if share > threshold), core > threshold


def as_shares(influences: LikelihoodModel) -> tuple[Floats, float]:
    """Influences as parts of their sum, for which eq. 7 has 1 / n as their mean.

    The intercept, which is compared to the same threshold, is one of the parts where it is positive: so
    what little the options add to a change of the core is not blown up.
    """
    core = max(influences.of_core, 0.0)
    total = float(influences.of_literals.sum()) + core
    if total <= 0:
        return np.zeros(len(influences.literals)), 0.0
    return influences.of_literals / total, core / total


def influence_threshold(shares: Floats, factor: float) -> float:
    """t_influence of eq. 7.

    With one or two options it is never exceeded: all influence at one of two gives 1. So there are at least
    three, of which those that do not exist have no influence.
    """
    count = max(len(shares), FEWEST)
    equal = 1.0 / count
    squares = float(np.sum((equal - shares) ** 2)) + (count - len(shares)) * equal**2
    return equal + factor * float(np.sqrt(squares / count))


class OptionColumns:
    """The options as columns of 0 and 1: one an on/off option, one a value of any other."""

    def __init__(self, space: Space) -> None:
        self._groups: list[list[Literal]] = [
            [Literal(option.name, True)]
            if option.is_switch
            else [Literal(option.name, value) for value in option.values]
            for option in space.options
        ]
        self._literals = [literal for group in self._groups for literal in group]

    def of(self, configurations: Sequence[Configuration]) -> Floats:
        """A row a configuration."""
        rows = [
            [each.chosen[literal.option] == literal.value for literal in self._literals]
            for each in configurations
        ]
        return np.array(rows, dtype=np.float64).reshape(len(configurations), len(self._literals))

    def influences(self, rows: Floats, likelihoods: Floats, folds: int) -> LikelihoodModel:
        """The linear model of the likelihoods of some configurations at a candidate step."""
        coefficients, core = fit_lasso(rows, likelihoods, folds)
        literals: list[Literal] = []
        raised: list[float] = []
        at = 0
        for group in self._groups:
            own = coefficients[at : at + len(group)].tolist()
            at += len(group)
            if len(group) == 1 and group[0].value is True:
                is_on = own[0] >= 0
                literals.append(group[0] if is_on else Literal(group[0].option, False))
                raised.append(abs(own[0]))
                core += min(own[0], 0.0)
            else:
                literals += group
                raised += [each - min(own) for each in own]
                core += min(own)
        return LikelihoodModel(tuple(literals), np.array(raised, dtype=np.float64), core)
