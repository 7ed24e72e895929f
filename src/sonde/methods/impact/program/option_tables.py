"""Tables of `struct option`, as getopt_long reads them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sonde.core.code import Address, Global, Instruction, Kind, Routine, ValuePart
from sonde.methods.impact.constants import number_of

NAME, FLAG, VALUE, ROW = 0, 16, 24, 32  # offsets of the fields name, flag and val, and the size of a row
FILLING = ("llvm.memset", "llvm.lifetime", "memset")  # what makes a local table empty
COPYING = ("llvm.memcpy", "llvm.memmove", "memcpy")  # what copies a constant to it


class LongOption(NamedTuple):
    """One row."""

    name: str
    value: int
    variable: str  # where getopt_long stores the value itself, if anywhere


class LongOptions(NamedTuple):
    """The rows of a table, as far as they can be read."""

    rows: tuple[LongOption, ...] = ()
    is_complete: bool = True  # whether there are no others


class _Part(NamedTuple):
    """Something that a table holds, in the order of its rows."""

    offset: int
    address: Address | None = None
    number: int | None = None


UNREADABLE = LongOptions((), False)
SOMEWHERE = Address("")  # a variable that is not known by name


def rows_of(table: Global, globals_: Mapping[str, Global]) -> LongOptions:
    """The rows of a global table."""
    return _rows(map(_part_of, table.parts), globals_) if table.is_defined else UNREADABLE


def rows_of_local(routine: Routine, operand: int, globals_: Mapping[str, Global]) -> LongOptions:
    """The rows of a table that a routine has as a variable."""
    table = _base(routine, operand)
    if table is None:
        return UNREADABLE
    parts: list[_Part] = []
    inside = {table[0]: 0}  # values that are addresses within it, with their offsets
    for position, each in enumerate(routine.instructions):
        value = routine.parameters + position
        if each.kind is Kind.FIELD and each.operands[0] in inside:
            inside[value] = (inside[each.operands[0]] + each.offset) % ROW
        elif each.kind is Kind.STORE and each.operands[0] in inside:
            parts.append(_stored(routine, each.operands[1], inside[each.operands[0]]))
        elif each.kind is Kind.CALL and not inside.keys().isdisjoint(each.operands):
            copied = _copied(routine, each, globals_)
            if copied is None:
                return UNREADABLE
            parts += copied
        elif not inside.keys().isdisjoint(each.operands[each.kind is Kind.STORE :]) and _keeps(each):
            return UNREADABLE  # somebody else may write to it
    return _rows(parts, globals_)


def _rows(parts: Iterable[_Part], globals_: Mapping[str, Global]) -> LongOptions:
    """Zeros are left out: a row begins with a name, and a value that is missing is 0."""
    found: list[LongOption] = []
    is_complete = True
    for part in parts:
        if part.offset == NAME and part.number != 0:
            literal = globals_.get(part.address.name) if part.address else None
            name = literal.text.rstrip("\0") if literal else ""
            is_complete &= bool(name)
            found.append(LongOption(name, 0, ""))
        elif found and part.offset == FLAG and part.address is not None:
            found[-1] = found[-1]._replace(variable=_name_of(part.address, globals_))
        elif found and part.offset == VALUE:
            is_complete &= part.number is not None
            found[-1] = found[-1]._replace(value=part.number or 0)
    return LongOptions(tuple(each for each in found if each.name), is_complete)


def _part_of(part: ValuePart) -> _Part:
    return _Part(part.offset, part.address, part.number)


def _name_of(flag: Address, globals_: Mapping[str, Global]) -> str:
    known = globals_.get(flag.name)
    return known.variable.name if known and known.variable else flag.name or "?"


def _base(routine: Routine, operand: int) -> tuple[int, int] | None:
    """The variable of the routine that an address lies in, and where."""
    offset = 0
    while operand >= routine.parameters:
        each = routine.instructions[operand - routine.parameters]
        if each.kind is Kind.LOCAL:
            return operand, offset
        if each.kind is not Kind.FIELD:
            return None
        operand, offset = each.operands[0], offset + each.offset
    return None


def _stored(routine: Routine, operand: int, offset: int) -> _Part:
    """What a routine stores there."""
    outside = routine.outside[~operand] if operand < 0 else None
    if isinstance(outside, Address):
        return _Part(offset, outside)
    number = number_of(routine, operand)
    if isinstance(number, int):
        return _Part(offset, None, number)
    return _Part(offset, SOMEWHERE if offset == FLAG else None)


def _copied(routine: Routine, call: Instruction, globals_: Mapping[str, Global]) -> list[_Part] | None:
    """What a call puts into a table; None if that is not known."""
    called = routine.outside[~call.operands[0]] if call.operands[0] < 0 else None
    name = called.name if isinstance(called, Address) else ""
    if name.startswith(COPYING):
        source = routine.outside[~call.operands[2]] if call.operands[2] < 0 else None
        table = globals_.get(source.name) if isinstance(source, Address) else None
        return [_part_of(each) for each in table.parts] if table is not None else None
    return [] if name.startswith(FILLING) or "getopt" in name else None


def _keeps(each: Instruction) -> bool:
    """Whether an instruction keeps an address, so that others may use it."""
    return each.kind in (Kind.STORE, Kind.RETURN, Kind.PHI)
