"""Functions and objects that share a key become one: the order in which they lie must not matter."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from sonde.core.evidence import DataObject, Function, Key

_SIZE, _SIZE_OF_LAYOUT = 1 << 128, 1 << 64


def combine_functions(parts: Iterable[tuple[Key, Function]]) -> dict[Key, Function]:
    """One function a key; where there are several, their digests are summed."""
    groups: dict[Key, list[Function]] = {}
    for key, function in parts:
        groups.setdefault(key, []).append(function)
    return {key: group[0] if len(group) == 1 else reduce(_both, group) for key, group in groups.items()}


def combine_objects(parts: Iterable[tuple[Key, DataObject]]) -> dict[Key, DataObject]:
    """One object a key; where there are several, their digests are summed."""
    groups: dict[Key, list[DataObject]] = {}
    for key, item in parts:
        groups.setdefault(key, []).append(item)
    return {key: reduce(_both_objects, group) for key, group in groups.items()}


def _both(one: Function, other: Function) -> Function:
    return Function(
        code=_sum(one.code, other.code),
        masked=_sum(one.masked, other.masked),
        masked_for=one.masked_for | other.masked_for,
        raw=_sum(one.raw, other.raw),
        texts=_sum(one.texts, other.texts),
        length=one.length + other.length,
        calls=one.calls | other.calls,
        refers_to=one.refers_to | other.refers_to,
        layout=(one.layout + other.layout) % _SIZE_OF_LAYOUT,
    )


def _both_objects(one: DataObject, other: DataObject) -> DataObject:
    return DataObject(
        content=_sum(one.content, other.content),
        size_bytes=one.size_bytes + other.size_bytes,
        is_constant=one.is_constant and other.is_constant,
        refers_to=one.refers_to | other.refers_to,
        calls=one.calls | other.calls,
        is_gathered=one.is_gathered or other.is_gathered,
        layout=(one.layout + other.layout) % _SIZE_OF_LAYOUT,
    )


def _sum(one: str, other: str) -> str:
    """Not exclusive or, in which two equal parts would vanish."""
    return f"{(int(one, 16) + int(other, 16)) % _SIZE:032x}"
