"""Models with as many of some literals as possible: what nearest and farthest configurations come from."""

from __future__ import annotations

from collections.abc import Sequence

from pysat.examples.rc2 import RC2
from pysat.formula import WCNF

from sonde.space.solver.encoding import Encoding


def model_with_most(
    encoding: Encoding, wanted: Sequence[int], given: Sequence[int], tie_break: Sequence[int] = ()
) -> list[int] | None:
    """A model with the `given` literals and as many of the `wanted` ones as any; None if there is no model.

    Among several of these, one with as many of the literals of `tie_break` as any.

    MaxSAT with unsatisfiable cores: Ignatiev, Morgado and Marques-Silva, "RC2: an efficient MaxSAT solver",
    2019.
    """
    formula = WCNF()
    formula.extend([*encoding.clauses, *([literal] for literal in given)])
    weights = dict.fromkeys(wanted, len(tie_break) + 1)  # each counts more than all of `tie_break`
    for literal in tie_break:
        weights[literal] = weights.get(literal, 0) + 1
    for literal, weight in weights.items():
        if (gain := weight - weights.get(-literal, 0)) > 0:
            formula.append([literal], weight=gain)
    with RC2(formula, solver="g4", adapt=True, exhaust=True, minz=True) as search:
        model: list[int] | None = search.compute()
        return model
