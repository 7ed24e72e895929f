"""Many texts and whole numbers as few bytes, fast to unpack: what snapshots and profiles are made of."""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Generic, TypeVar

T = TypeVar("T")
H = TypeVar("H", bound=Hashable)

LEVEL = 1  # digests make up most of it, and hardly get smaller by more effort
WIDTH = 8  # bytes of a number
_NOTHING: frozenset[Any] = frozenset()


class FirstSeenNumbers(Generic[H]):
    """Numbers things in the order in which they are met."""

    def __init__(self, things: Iterable[H] = ()) -> None:
        self._numbers = {thing: number for number, thing in enumerate(dict.fromkeys(things))}

    def __call__(self, thing: H) -> int:
        return self._numbers.setdefault(thing, len(self._numbers))

    def __iter__(self) -> Iterator[H]:
        return iter(self._numbers)


class NumberColumns:
    """Columns of whole numbers from 0 to 2**64, to be packed and read again in the same order."""

    def __init__(self, columns: Iterable[Sequence[int]] = ()) -> None:
        self._columns = list(columns)
        self._next = iter(self._columns)

    def add(self, numbers: Iterable[int]) -> None:
        """Append a column."""
        self._columns.append(array("Q", numbers))

    def add_sets(self, sets: Iterable[Iterable[int]]) -> None:
        """Append sets of numbers: a column of their sizes, then one of all their members."""
        ordered = [sorted(each) for each in sets]
        self.add(map(len, ordered))
        self.add(number for each in ordered for number in each)

    def take(self) -> Sequence[int]:
        """The next column."""
        return next(self._next)

    def take_sets(self, things: Sequence[T]) -> list[frozenset[T]]:
        """The next sets, of the things that their members number."""
        sizes, members = self.take(), map(things.__getitem__, self.take())
        return [frozenset(islice(members, size)) if size else _NOTHING for size in sizes]

    def pack(self, head: object) -> bytes:
        """The columns, and `head`, which is anything in the terms of JSON, as bytes."""
        written = json.dumps([list(map(len, self._columns)), head], separators=(",", ":")).encode()
        parts = [array("Q", [len(written)]), *(array("Q", column) for column in self._columns)]
        size, *columns = (_little(part).tobytes() for part in parts)
        return zlib.compress(b"".join([size, written, *columns]), LEVEL)


def unpack(packed: bytes) -> tuple[Any, NumberColumns]:
    """What `Columns.pack` was given: the head and the columns."""
    content = zlib.decompress(packed)
    (length,) = _little(array("Q", content[:WIDTH]))
    start = WIDTH + length
    lengths, head = json.loads(content[WIDTH:start])
    columns = []
    for many in lengths:
        end = start + WIDTH * many
        columns.append(_little(array("Q", content[start:end])))
        start = end
    return head, NumberColumns(columns)


def _little(numbers: array[int]) -> array[int]:
    """Numbers to and from the order of bytes in which they are stored."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
