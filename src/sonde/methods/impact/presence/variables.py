"""What the variables of a routine hold as control goes from block to block, in all configurations at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sonde.methods.impact.presence.value_tables import MOST_VALUES, Table, joined, tells_more, within

NOTHING: Table = {}


def kept_variables(variables: Mapping[int, Table], kept: Iterable[int]) -> dict[int, Table]:
    """Those of the variables that are kept, without tables of too many values."""
    return {
        each: variables[each] if len(variables[each]) <= MOST_VALUES else joined(NOTHING, variables[each])
        for each in kept
        if each in variables
    }


def grown_variables(
    known: Mapping[int, Table], variables: Mapping[int, Table], kept: Iterable[int], mask: int
) -> dict[int, Table]:
    """Those of the kept variables that may hold more than is known, in these configurations."""
    found: dict[int, Table] = {}
    for variable in kept:
        table = variables.get(variable)
        if table is None:
            continue
        before = known.get(variable, NOTHING)
        if before is not table and tells_more(table, before, mask):
            found[variable] = joined(before, within(table, mask))
    return found
