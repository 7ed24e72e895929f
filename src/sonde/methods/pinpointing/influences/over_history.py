"""From a model over steps to influences over the history, as users know it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sonde.core.findings.pinpoints import Influence
from sonde.core.options import Configuration, Term
from sonde.methods.pinpointing.influences.model import InfluenceModel


def over_history(
    model: InfluenceModel, positions: Sequence[int], life: Callable[[Term], tuple[int, int]]
) -> tuple[Influence, ...]:
    """The influence of each term while its options exist; terms that never do are left out.

    `positions` has the position in the history of each step, and `life` tells the first step at which the
    options of a term exist, and one after the last.
    """
    influences = []
    for scope in model.scopes:
        first, end = life(scope.term)
        phases = model.influence(scope.term, scope.unless)
        if first < end:
            at_first = [value for step, value in phases if step <= first][-1]
            later = [(step, value) for step, value in phases if first < step < end]
            over_time = tuple((positions[step], value) for step, value in [(first, at_first), *later])
            gone_at = positions[end] if end < len(positions) else None
            influences.append(Influence(scope.term, over_time, gone_at, scope.unless))
    return tuple(influences)


def with_literals(default: Configuration, term: Term) -> Configuration:
    """A configuration in which a term holds, and all else is as in the default."""
    return Configuration.of({**default.chosen, **{literal.option: literal.value for literal in term}})
