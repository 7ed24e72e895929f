"""Tables in which a word of the command line stands beside the address of its variable.

static const struct { const char *name; int kind; void *where; } rows[] = {{"fast", FLAG, &fast}, ...};
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from sonde.core.code import Address, Global, Member, Routine, ValuePart
from sonde.core.findings.impacts import Suggestion
from sonde.methods.impact.options.names import variable_behind

FEWEST_ROWS = 2
_WORD = re.compile(r"-{0,2}[A-Za-z0-9][\w+-]*")


def table_suggestions(
    routine: Routine, globals_: Mapping[str, Global], types: Mapping[str, tuple[Member, ...]]
) -> Iterator[Suggestion]:
    """The rows of tables that a routine names which gets words of the command line."""
    names = dict.fromkeys(each.name for each in routine.outside if isinstance(each, Address))
    for name in names:
        table = globals_.get(name)
        if table is None or table.text:
            continue
        found = [
            Suggestion(_spellings(word), variable, (), table.place)
            for row in rows_of(table)
            for word, variable in _pairs(row, globals_, types)
        ]
        if len({each.words for each in found}) >= FEWEST_ROWS:
            yield from found


def rows_of(table: Global) -> Iterator[tuple[ValuePart, ...]]:
    """The parts of each row: where offsets do not grow, the next one begins."""
    row: list[ValuePart] = []
    for part in table.parts:
        if row and part.offset <= row[-1].offset:
            yield tuple(row)
            row = []
        row.append(part)
    if row:
        yield tuple(row)


def _pairs(
    row: Iterable[ValuePart], globals_: Mapping[str, Global], types: Mapping[str, tuple[Member, ...]]
) -> Iterator[tuple[str, str]]:
    """The first text of a row, if it may be a word, with each variable of the row."""
    word = ""
    variables = []
    for part in row:
        thing = globals_.get(part.address.name) if part.address is not None else None
        if thing is None or part.address is None:
            continue
        if thing.text:
            word = word or thing.text.rstrip("\0")
        elif not thing.is_constant:
            variables.append(variable_behind(part.address, globals_, types))
    if _WORD.fullmatch(word):
        yield from ((word, variable) for variable in variables if variable)


def _spellings(word: str) -> tuple[str, ...]:
    return (word,) if word.startswith("-") else (f"-{word}", f"--{word}")
