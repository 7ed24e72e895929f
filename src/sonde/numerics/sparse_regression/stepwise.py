"""Columns enter and leave, one at a time, as long as that lowers the cost."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np

from sonde.numerics.sparse_regression.cost import ROUNDING, ChoiceRules
from sonde.numerics.sparse_regression.swept import Swept

ROUNDS = 3  # of entering and leaving; two nearly always do
PATIENCE = 10  # columns that may enter without lowering the cost, for one that does may follow


def choose(swept: Swept, rules: ChoiceRules, forced: Sequence[int]) -> list[int]:
    """The columns that cost least, as far as greed finds them; those that are forced come first."""
    kept = swept.independent(forced)
    chosen = kept
    for _ in range(ROUNDS):
        swept.begin(chosen)
        more = _enter(swept, rules, chosen, len(kept))
        fewer = _leave(swept, rules, more, kept)
        is_settled = len(fewer) == len(more) or set(fewer) == set(chosen)
        chosen = fewer
        if is_settled:
            break
    return chosen


def _enter(swept: Swept, rules: ChoiceRules, chosen: Sequence[int], forced: int) -> list[int]:
    """These columns, and as many more as cost least; where many matter alike, one alone may not pay."""
    entered = list(chosen)
    spent = float(rules.prices[entered[forced:]].sum())
    least_cost, number = float(rules.cost(swept.squares, spent, len(entered))), len(entered)
    while len(entered) - forced < rules.most and swept.squares > ROUNDING**2:
        is_new = swept.is_new()
        left = np.where(is_new, swept.left, 1.0)
        is_worthy = is_new & (np.abs(swept.along) >= rules.least * left)
        if not is_worthy.any():
            break
        gains = swept.along**2 / left
        costs = rules.cost(swept.squares - gains, spent + rules.prices, len(entered) + 1)
        costs[~is_worthy] = inf
        best = int(np.argmin(costs))
        if not costs[best] < inf:
            break
        swept.turn(best)
        entered.append(best)
        spent += float(rules.prices[best])
        if costs[best] < least_cost:
            least_cost, number = float(costs[best]), len(entered)
        elif len(entered) - number == PATIENCE:
            break
    for column in entered[number:]:
        swept.turn(column)
    return entered[:number]


def _leave(swept: Swept, rules: ChoiceRules, chosen: Sequence[int], kept: Sequence[int]) -> list[int]:
    """These columns without those whose leaving lowers the cost, or that are not worth one."""
    staying = list(chosen)
    may_leave = swept.is_chosen.copy()
    may_leave[list(kept)] = False
    spent = float(rules.prices[may_leave].sum())
    while may_leave.any():
        variances = np.where(may_leave, -swept.left, 1.0)
        losses = swept.along**2 / variances
        costs = rules.cost(swept.squares + losses, spent - rules.prices, len(staying) - 1)
        is_small = may_leave & (np.abs(swept.along) < rules.least)
        leaving = int(np.argmin(np.where(is_small if is_small.any() else may_leave, costs, inf)))
        if not is_small.any() and not costs[leaving] <= rules.cost(swept.squares, spent, len(staying)):
            break
        swept.turn(leaving)
        staying.remove(leaving)
        may_leave[leaving] = False
        spent -= float(rules.prices[leaving])
    return staying
