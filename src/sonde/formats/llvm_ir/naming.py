"""Names for globals that the source does not name: by what they hold, not by a number that counts them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sonde.formats.llvm_ir.constants import Constants
from sonde.formats.llvm_ir.definitions import Definition
from sonde.formats.llvm_ir.initial_values import digest
from sonde.formats.llvm_ir.types.layouts import TypeLayouts, without_numbers
from sonde.formats.llvm_ir.types.pieces import plain, unescaped

_NUMBERED = re.compile(r"(.*?)\.\d+$")
_LITERAL = re.compile(r'c"([^"]*)"$')


def stable_names(definitions: Iterable[Definition], layouts: TypeLayouts) -> dict[str, str]:
    """Other names by `@name`, for literals and for what the compiler numbers.

    `@.str.12` becomes `.str:<digest>`. Constants with the same content get the same name, which is all they
    are; variables are told apart by a count.
    """
    names: dict[str, str] = {}
    constants = Constants(layouts, {}, names)
    taken: set[str] = set()
    # Those that mention others come last, so that these have their names already.
    for each in sorted(definitions, key=lambda each: "@" in each.value):
        if not each.is_internal or not each.is_defined or is_named(each):
            continue
        found = _NUMBERED.match(plain(each.token))
        base = found[1] if found else plain(each.token)
        content = constants.readable(each.value) if "@" in each.value else each.value
        name = f"{base}:{digest(without_numbers(each.type) + content)}"
        if not each.is_constant or "unnamed_addr" not in each.words:
            count, first = 1, name
            while name in taken:
                count += 1
                name = f"{first}#{count}"
        taken.add(name)
        names[each.token] = name
    return names


def is_named(definition: Definition) -> bool:
    """Whether the name of an internal global comes from the source, or says more than a number."""
    name = plain(definition.token)
    is_counted = _NUMBERED.match(name) is not None or name in {".str", ".compoundliteral", "constinit"}
    is_literal = "private" in definition.words and (is_counted or _is_unnamed_text(definition))
    return not is_literal and (bool(definition.note) or not is_counted)


def _is_unnamed_text(definition: Definition) -> bool:
    """Whether it is a text that variables of a routine begin with: `char name[] = "text"`.

    Clang calls it `__const.routine.name`, whatever it says, and so in each unit that has such a routine.
    """
    return not definition.note and bool(literal_text(definition))


def literal_text(definition: Definition) -> str:
    """The text of a literal, without the zero that ends it; empty if it is none."""
    found = _LITERAL.match(definition.value)
    if found is None or not definition.is_constant or "private" not in definition.words:
        return ""
    return unescaped(found[1]).decode("utf-8", "replace").removesuffix("\0")
