"""A space as a solver sees it: variables, and clauses by constraint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sonde.core.options import Option
from sonde.space.expressions import Expression
from sonde.space.solver.clauses import Clause, ClauseWriter
from sonde.space.variables import Variables


@dataclass(frozen=True)
class Encoding:
    """Options and constraints in the solver's terms."""

    variables: Variables
    constraints: tuple[Expression, ...]
    definitions: tuple[Clause, ...]  # of option values and new variables; some model satisfies them all
    groups: tuple[tuple[Clause, ...], ...]  # the clauses of each constraint
    clauses: tuple[Clause, ...]  # all of the above
    last: int  # the last variable in use


def encode(options: Sequence[Option], constraints: Sequence[Expression]) -> Encoding:
    """The variables and clauses of a space; always the same for the same space."""
    variables = Variables(options)
    writer = ClauseWriter(variables)
    groups = tuple(tuple(writer.clauses_of(constraint)) for constraint in constraints)
    definitions = tuple(writer.definitions)
    # The last clause always holds; through it a solver knows of the variables that no constraint has.
    mention = [[writer.last, -writer.last]] if writer.last else []
    clauses = (*definitions, *(clause for group in groups for clause in group), *mention)
    return Encoding(variables, tuple(constraints), definitions, groups, clauses, writer.last)
