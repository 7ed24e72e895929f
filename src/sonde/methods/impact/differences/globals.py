"""Globals whose first values differ between two programs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sonde.core.code import Global
from sonde.methods.impact.differences.forms import Names
from sonde.methods.impact.program.linking import Program


@dataclass(frozen=True)
class GlobalDifference:
    """A global whose first value differs: its numbers in the programs, and where."""

    old: int | None
    new: int | None
    old_offsets: tuple[int, ...]
    new_offsets: tuple[int, ...]


def differing_globals(
    old: Program, new: Program, pairs: Mapping[int, int], old_names: Names, new_names: Names
) -> tuple[GlobalDifference, ...]:
    """The globals that differ, of those that correspond in the old and the new program."""
    found = []
    for a, b in pairs.items():
        before, after = old.globals[a], new.globals[b]
        if before is after:
            continue
        old_parts, new_parts = _parts(before, old_names), _parts(after, new_names)
        if old_parts == new_parts:
            continue
        keys = [
            key
            for key in {**old_parts, **new_parts}
            if _contents(old_parts, key) != _contents(new_parts, key)
        ]
        found.append(
            GlobalDifference(
                a,
                b,
                tuple(sorted({_offset(key, before, old_names) for key in keys})),
                tuple(sorted({_offset(key, after, new_names) for key in keys})),
            )
        )
    return tuple(found)


Parts = Mapping[object, Sequence[tuple[int, object]]]  # by field: offsets and contents


def _contents(parts: Parts, key: object) -> list[object]:
    return [content for _, content in parts.get(key, ())]


def _parts(each: Global, names: Names) -> dict[object, list[tuple[int, object]]]:
    found: dict[object, list[tuple[int, object]]] = defaultdict(list)
    type = each.variable.type if each.variable else ""
    for part in each.parts:
        content: object = part.content if part.address is None else names.outside(part.address)
        found[names.field(type, part.offset)].append((part.offset, content))
    return {key: [(0, content) for _, content in those] for key, those in found.items()}


def _offset(key: object, each: Global, names: Names) -> int:
    if isinstance(key, int):
        return key
    type = each.variable.type if each.variable else ""
    return next((offset for offset, name in names.types.get(type, {}).items() if name == key), 0)
