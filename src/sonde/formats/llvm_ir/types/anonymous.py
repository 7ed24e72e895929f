"""Which structure of the source a type of LLVM without a name is: both lie at the same place in another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from sonde.formats.llvm_ir.types.layouts import TypeLayouts, structure_name
from sonde.formats.llvm_ir.types.structures import Structures

_ANONYMOUS = re.compile(r'%"?(?:struct|union|class)\.anon(?:\.\d+)?"?$')


def match_anonymous(
    layouts: TypeLayouts,
    structures: Structures,
    named: Iterable[str],
    variables: Mapping[str, tuple[str, str]],
) -> tuple[dict[str, str], dict[str, str]]:
    """(anonymous type -> structure, structure -> type), from named types and from variables' types.

    `variables` has for the name of each global its type, and the note of its type in the source.
    """
    notes = {key: record for key, record in structures.records() if key}
    found: dict[str, str] = {}
    types: dict[str, str] = {}
    for type_ in named:
        key = structure_name(type_)
        if not _ANONYMOUS.match(type_) and key in notes:
            types.setdefault(key, type_)
            _descend(layouts, structures, type_, notes[key], found)
    for variable, (type_, note) in variables.items():
        element, record = layouts.element(type_), structures.record(note, through_pointers=False)
        if record and _ANONYMOUS.match(element) and element not in found:
            structures.name(record, f"typeof {variable}")
            found[element] = structures.key(record)
            _descend(layouts, structures, element, record, found)
    _match_by_layout(layouts, structures, [each for each in named if each not in found], found)
    for type_, key in found.items():
        types.setdefault(key, type_)
    return found, types


def _descend(
    layouts: TypeLayouts, structures: Structures, type_: str, record: str, found: dict[str, str]
) -> None:
    layout = layouts.of(type_)
    inner = [
        (offset, element)
        for offset, field in zip(layout.offsets, layout.fields, strict=True)
        if _ANONYMOUS.match(element := layouts.element(field)) and element not in found
    ]
    if not inner:
        return
    members = structures.direct_members(record)
    for offset, element in inner:
        note = members.get(offset)
        if note:
            found[element] = structures.key(note)
            _descend(layouts, structures, element, note, found)


def _match_by_layout(
    layouts: TypeLayouts, structures: Structures, named: Iterable[str], found: dict[str, str]
) -> None:
    """What lies in unions is not among LLVM's fields: match it if only one structure has this layout."""
    open_types = [type_ for type_ in named if _ANONYMOUS.match(type_)]
    if not open_types:
        return
    taken = set(found.values())
    candidates = [
        (structures.size(record), {field.member.offset for field in structures.fields(record)}, key)
        for key, record in structures.records()
        if key not in taken and structures.is_anonymous(record)
    ]
    for type_ in open_types:
        layout = layouts.of(type_)
        fitting = [
            key for size, offsets, key in candidates if size == layout.size and offsets <= set(layout.offsets)
        ]
        if len(fitting) == 1 and fitting[0]:
            found[type_] = fitting[0]
