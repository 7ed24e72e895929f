"""The variable behind an address, as project files name it: `verbose`, `opts.level`, `keyfield.month`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sonde.core.code import Address, Global, Kind, Member, Routine

MAIN = "main"
NAMELESS = "typeof "  # begins the name of a structure that has none in the source, before its variable's


class _Spot(NamedTuple):
    """A place in a variable, or in any structure of a type."""

    name: str
    type: str  # the structure that it is; empty if it is none
    offset: int


def variable_at(
    routine: Routine, address: int, globals_: Mapping[str, Global], types: Mapping[str, tuple[Member, ...]]
) -> str:
    """How the variable is called; empty for memory without a name."""
    return _name_of(_spot(routine, address, globals_, types), types)


def variable_behind(
    address: Address, globals_: Mapping[str, Global], types: Mapping[str, tuple[Member, ...]]
) -> str:
    """How the global at an address is called, or its field."""
    return _name_of(_spot_of_global(address, globals_, types), types)


def _name_of(spot: _Spot | None, types: Mapping[str, tuple[Member, ...]]) -> str:
    if spot is None:
        return ""
    if not spot.type:
        return spot.name
    fields = _fields(spot.type, spot.offset, types)
    return f"{spot.name}.{fields}" if fields else ""


def _spot_of_global(
    address: Address, globals_: Mapping[str, Global], types: Mapping[str, tuple[Member, ...]]
) -> _Spot | None:
    thing = globals_.get(address.name)
    if thing is None or thing.variable is None:
        return None
    return _Spot(thing.variable.name, _structure(thing.variable.type, thing.size, types), address.offset)


def _spot(
    routine: Routine, address: int, globals_: Mapping[str, Global], types: Mapping[str, tuple[Member, ...]]
) -> _Spot | None:
    if address < 0:
        outside = routine.outside[~address]
        thing = globals_.get(outside.name) if isinstance(outside, Address) else None
        if thing is None or not isinstance(outside, Address):
            return None
        owner, dot, _ = thing.name.partition(".")
        if dot and thing.is_internal and owner == routine.name:
            return None  # a static variable of the routine that reads words: it keeps where it is in them
        return _spot_of_global(outside, globals_, types)
    position = address - routine.parameters
    if position < 0:
        return None
    each = routine.instructions[position]
    if each.kind is Kind.LOCAL and address in routine.variables:
        variable = routine.variables[address]
        name = variable.name if routine.name == MAIN else f"{routine.shown or routine.name}:{variable.name}"
        return _Spot(name, _structure(variable.type, each.size, types), 0)
    if each.kind is Kind.FIELD:
        base = _spot(routine, each.operands[0], globals_, types)
        if base is not None:
            return base._replace(offset=base.offset + each.offset)
        if each.type:
            return _Spot(each.type.removeprefix(NAMELESS), each.type, each.offset)
    return None


def _structure(type: str, size: int, types: Mapping[str, tuple[Member, ...]]) -> str:
    """The structure that a variable of this size is; empty if it only points to one."""
    last = max((each.offset for each in types.get(type, ())), default=0)
    return type if type in types and size > last else ""


def _fields(type: str, offset: int, types: Mapping[str, tuple[Member, ...]]) -> str:
    """The field at an offset, `zopts.iterations` if it is one of a field; empty if that is not clear."""
    before = [each for each in types.get(type, ()) if each.offset <= offset]
    nearest = [each for each in before if each.offset == max(other.offset for other in before)]
    if len(nearest) != 1:
        return ""
    (member,) = nearest
    if member.offset == offset or member.type not in types:
        return member.name
    inner = _fields(member.type, offset - member.offset, types)
    return f"{member.name}.{inner}" if inner else ""
