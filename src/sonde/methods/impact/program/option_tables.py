"""Tables of `struct option`, as getopt_long reads them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sonde.core.code import Global

NAME, FLAG, VALUE = 0, 16, 24  # offsets of the fields: name, has_arg, flag, val


@dataclass(frozen=True)
class LongOption:
    """One row."""

    name: str
    value: int
    variable: str  # where getopt_long stores the value itself, if anywhere


def long_options(table: Global, globals_: Mapping[str, Global]) -> Iterator[LongOption]:
    """The rows of a table; what of it cannot be read is left out."""
    name, variable = "", ""
    for part in table.parts:
        if part.offset == NAME:
            literal = globals_.get(part.address.name) if part.address else None
            name = literal.text.rstrip("\0") if literal else ""
            variable = ""
        elif part.offset == FLAG and part.address is not None:
            flag = globals_.get(part.address.name)
            variable = flag.variable.name if flag and flag.variable else part.address.name
        elif part.offset == VALUE and name:
            if part.number is not None:
                yield LongOption(name, part.number, variable)
            name = ""
