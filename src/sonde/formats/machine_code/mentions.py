"""The names that occur in each function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from sonde.formats.elf.extents import NOWHERE, Integers
from sonde.formats.machine_code.meanings import Meaning
from sonde.formats.machine_code.references import Resolved

_T = TypeVar("_T")


@dataclass(frozen=True)
class Mentions:
    """What each function mentions, by its number; functions that mention nothing are left out."""

    calls: dict[int, frozenset[str]]
    objects: dict[int, frozenset[int]]
    imports: dict[int, frozenset[str]]


def find_mentions(resolved: Resolved, labels: Sequence[str]) -> Mentions:
    """The functions, objects and names of other files that the references of each function lead to."""
    owners = resolved.references.owners
    names = list(labels)
    named = [(number, each) for number, each in enumerate(resolved.found) if each.calls or each.objects]
    through = _through(resolved, named, lambda meaning: meaning.calls, names)
    calls = _grouped([(owners, resolved.functions), through], names)
    imported: list[str] = []
    imports = _grouped([_through(resolved, named, lambda meaning: meaning.imports, imported)], imported)
    numbers: list[int] = list(range(int(resolved.objects.max(initial=0)) + 1))
    numbers += range(len(numbers), int(resolved.around[1].max(initial=0)) + 1)
    through = _through(resolved, named, lambda meaning: meaning.objects, numbers)
    objects = _grouped([(owners, resolved.objects), resolved.around, through], numbers)
    return Mentions(calls, objects, imports)


def _through(
    resolved: Resolved,
    named: Sequence[tuple[int, Meaning]],
    of: Callable[[Meaning], Iterable[_T]],
    values: list[_T],
) -> tuple[Integers, Integers]:
    """(function, place in `values`) for what is found in meanings; new values are appended."""
    places: dict[_T, int] = {}
    pairs: list[tuple[int, int]] = []  # a meaning, a place
    for number, meaning in named:
        for value in of(meaning):
            if value not in places:
                places[value] = len(values)
                values.append(value)
            pairs.append((number, places[value]))
    if not pairs:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    table = np.array(pairs, np.int64)
    firsts = np.searchsorted(table[:, 0], np.arange(len(resolved.found) + 1))
    counts = np.diff(firsts)
    chosen = np.flatnonzero((resolved.meanings != NOWHERE) & (counts[resolved.meanings] > 0))
    meanings = resolved.meanings[chosen]
    times = counts[meanings]
    steps = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
    rows = np.repeat(firsts[meanings], times) + steps
    return np.repeat(resolved.references.owners[chosen], times), table[rows, 1]


def _grouped(parts: Iterable[tuple[Integers, Integers]], values: Sequence[_T]) -> dict[int, frozenset[_T]]:
    """The values of each owner."""
    pairs = [owners[numbers != NOWHERE] << 32 | numbers[numbers != NOWHERE] for owners, numbers in parts]
    different = np.sort(np.concatenate(pairs))
    different = different[np.diff(different, prepend=-1) != 0]
    firsts = np.flatnonzero(np.diff(different >> 32, prepend=-1) != 0)
    owners = different[firsts] >> 32
    found = [values[number] for number in (different & 0xFFFFFFFF).tolist()]
    lasts = [*firsts.tolist(), len(found)][1:]
    rows = zip(owners.tolist(), firsts.tolist(), lasts, strict=True)
    return {owner: frozenset(found[first:last]) for owner, first, last in rows}
