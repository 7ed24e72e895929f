"""Which constraints cannot hold together, in as few as possible."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pysat.solvers import Minisat22

from sonde.core.errors import UserError
from sonde.core.options import Literal
from sonde.space.expressions import Expression
from sonde.space.solver.deciding import is_satisfiable
from sonde.space.solver.encoding import Encoding


class NoValidConfiguration(UserError):
    """No configuration is valid, or none that has the wanted values; `constraints` cannot all hold."""

    def __init__(self, constraints: Sequence[Expression], wanted: Sequence[Literal] = ()) -> None:
        with_values = f" that has {', '.join(map(str, wanted))}" if wanted else ""
        written = [f"'{constraint}'" for constraint in constraints]
        if not written:
            reason = "an option cannot have two values. Remove one of them."
        elif len(written) == 1:
            reason = f"{written[0]} cannot hold. Change it, or remove it."
        else:
            both = "both" if len(written) == 2 else "all"
            listed = f"{', '.join(written[:-1])} and {written[-1]}"
            reason = f"{listed} cannot {both} hold. Change one of them, or remove one."
        super().__init__(f"no configuration{with_values} is valid: {reason}")
        self.constraints = tuple(constraints)
        self.wanted = tuple(wanted)


def find_conflict(encoding: Encoding, wanted: Iterable[Literal] = ()) -> tuple[Expression, ...]:
    """Constraints that cannot all hold where options have the `wanted` values; any fewer of these can.

    Empty if all constraints can hold. Found by deletion: each constraint of an unsatisfiable core is left out
    in turn, and stays out if the rest is still unsatisfiable.
    """
    values = encoding.variables.literals(wanted)
    selectors = [encoding.last + 1 + at for at in range(len(encoding.groups))]
    with Minisat22(bootstrap_with=encoding.definitions) as solver:
        for selector, group in zip(selectors, encoding.groups, strict=True):
            for clause in group:
                solver.add_clause([-selector, *clause])
        if is_satisfiable(solver, values + selectors):
            return ()
        core = _in_order(solver.get_core(), encoding.last)
        settled = 0
        while settled < len(core):
            fewer = core[:settled] + core[settled + 1 :]
            if is_satisfiable(solver, values + fewer):
                settled += 1
            else:
                # What is settled is needed, so every smaller core has it.
                core = _in_order(solver.get_core(), encoding.last)
    return tuple(encoding.constraints[selector - encoding.last - 1] for selector in core)


def _in_order(core: Iterable[int] | None, last: int) -> list[int]:
    """The selectors of a core, in the order of the constraints."""
    return sorted(literal for literal in core or () if literal > last)
