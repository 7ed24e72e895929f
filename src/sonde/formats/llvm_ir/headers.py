"""The first line of a routine, and of a routine that lies elsewhere."""

from __future__ import annotations

import re
from typing import NamedTuple

from sonde.formats.llvm_ir.types.pieces import NAME, closing, split_at_commas, split_at_spaces

WEAK = frozenset({"weak", "weak_odr", "linkonce", "linkonce_odr", "available_externally"})
_NAME = re.compile(rf"@({NAME})\(")
_GROUP = re.compile(r" #(\d+)")
_NOTE = re.compile(r"!dbg !(\d+)")
_ATTRIBUTES = re.compile(r"^attributes #(\d+) = \{(.*)\}$", re.MULTILINE)
_PARAMETER = re.compile(rf"%{NAME}$")


class RoutineHeader(NamedTuple):
    """What the first line says."""

    token: str  # `@name`
    is_internal: bool
    parameters: tuple[str, ...]  # `%name`
    types: tuple[str, ...]  # of the parameters, as in the text
    is_variadic: bool
    groups: tuple[str, ...]  # of attributes
    note: str  # that describes it; empty without debug information
    is_weak: bool = False


def read_header(line: str) -> RoutineHeader | None:
    """The header in a line that begins with `define` or `declare`."""
    found = _NAME.search(line)
    if found is None:
        return None
    end = closing(line, found.end() - 1)
    parameters = [each for each in split_at_commas(line[found.end() : end]) if each.strip()]
    is_variadic = bool(parameters) and parameters[-1] == "..."
    names, types = [], []
    for at, parameter in enumerate(parameters[:-1] if is_variadic else parameters):
        named = _PARAMETER.search(parameter)
        names.append(named[0] if named else f"%{at}")
        types.append(split_at_spaces(parameter)[0])
    linkage = line[: found.start()].split()[1:3]
    note = _NOTE.search(line, end)
    return RoutineHeader(
        f"@{found[1]}",
        "internal" in linkage or "private" in linkage,
        tuple(names),
        tuple(types),
        is_variadic,
        tuple(_GROUP.findall(line, end)),
        note[1] if note else "",
        any(word in WEAK for word in linkage),
    )


def groups_that_never_return(text: str) -> frozenset[str]:
    """The numbers of the groups of attributes that say so."""
    start = text.find("\nattributes #")  # behind all routines
    groups = _ATTRIBUTES.findall(text, start) if start >= 0 else []
    return frozenset(number for number, body in groups if " noreturn " in body)
