"""The reader of packed series once more, in plain Python: what the script of the page does."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from zlib import decompress

from sonde.report.page.packing import CourseRows


@dataclass(frozen=True)
class PlainRow:
    """A row of a series, with plain numbers."""

    start: int
    states: int
    low: int
    high: int
    below: int
    above: int


def plain(rows: CourseRows) -> list[PlainRow]:
    columns = (rows.start, rows.states, rows.low, rows.high, rows.below, rows.above)
    return [PlainRow(*(int(number) for number in row)) for row in zip(*columns, strict=True)]


def unpacked(text: str, count: int) -> list[PlainRow]:
    numbers = _integers(decompress(b64decode(text)))
    starts = list(accumulate(next(numbers) for _ in range(count)))
    states = [next(numbers) for _ in range(count)]
    lows = list(accumulate(_signed(next(numbers)) for _ in range(count)))
    spans, below, above = ([next(numbers) for _ in range(count)] for _ in range(3))
    columns = zip(starts, states, lows, spans, below, above, strict=True)
    return [
        PlainRow(start, state, low, low + span, down, up) for start, state, low, span, down, up in columns
    ]


def _integers(content: bytes) -> Iterator[int]:
    number = shift = 0
    for byte in content:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            yield number
            number = shift = 0


def _signed(number: int) -> int:
    return -(number + 1) // 2 if number % 2 else number // 2
