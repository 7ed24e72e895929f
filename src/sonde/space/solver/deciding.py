"""Questions to a SAT solver, with a limit: some short formulas would keep it busy for ever."""

from __future__ import annotations

from collections.abc import Sequence

from pysat.solvers import Minisat22

from sonde.core.errors import UserError

# Some seconds of search. Feature models of thousands of options need a few hundred.
MOST_CONFLICTS = 200_000


class TooIntricate(UserError):
    """The constraints of a space cannot be decided in a reasonable time."""


def is_satisfiable(solver: Minisat22, assumptions: Sequence[int] = ()) -> bool:
    """Whether the clauses of `solver` can hold together with `assumptions`; raises TooIntricate.

    The limit counts conflicts, not time, so that every machine gives the same answer.
    """
    solver.conf_budget(MOST_CONFLICTS)
    answer = solver.solve_limited(assumptions=list(assumptions))
    if answer is None:
        raise TooIntricate(
            "the constraints are too complex: no valid configuration was found, nor excluded, "
            f"after {MOST_CONFLICTS:,} conflicts. Remove constraints that count many options at "
            "once."
        )
    return bool(answer)
