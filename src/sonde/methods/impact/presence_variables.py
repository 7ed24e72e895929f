"""What the variables of a routine hold as control goes from block to block, in all configurations at once."""

from __future__ import annotations

from collections.abc import Mapping

from sonde.methods.impact.value_tables import MOST_VALUES, Table, joined, tells_more, within

NOTHING: Table = {}


def narrowed(variables: dict[int, Table]) -> dict[int, Table]:
    """The variables without tables of too many values; the same ones, if there are no such tables."""
    if max(map(len, variables.values()), default=0) <= MOST_VALUES:
        return variables
    return {variable: joined(NOTHING, table) for variable, table in variables.items()}


def grown_variables(
    known: Mapping[int, Table], variables: Mapping[int, Table], mask: int
) -> dict[int, Table]:
    """The variables that may hold more than is known, in these configurations."""
    found: dict[int, Table] = {}
    for variable, table in variables.items():
        before = known.get(variable, NOTHING)
        if before is not table and tells_more(table, before, mask):
            found[variable] = joined(before, within(table, mask))
    return found
