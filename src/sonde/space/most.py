"""Models with as many of some literals as possible: the heart of nearest and farthest configurations."""

from __future__ import annotations

from collections.abc import Sequence

from pysat.examples.rc2 import RC2
from pysat.formula import WCNF

from sonde.space.encoding import Encoding


def model_with_most(encoding: Encoding, wanted: Sequence[int], given: Sequence[int]) -> list[int] | None:
    """A model with the `given` literals and as many of the `wanted` ones as any; None if there is no model.

    MaxSAT with unsatisfiable cores: Ignatiev, Morgado and Marques-Silva, "RC2: an efficient MaxSAT solver",
    2019.
    """
    formula = WCNF()
    formula.extend([*encoding.clauses, *([literal] for literal in given)])
    formula.extend([[literal] for literal in wanted], weights=[1] * len(wanted))
    with RC2(formula, solver="g4", adapt=True, exhaust=True, minz=True) as search:
        model: list[int] | None = search.compute()
        return model
