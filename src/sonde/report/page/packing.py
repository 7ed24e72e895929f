"""Histories as few bytes: rows of equal revisions, logarithms in steps of 0.01 %, compressed.

A row covers successive revisions. A series with more rows than there is room for is put in buckets: a row
then has the least and the largest value of its revisions, and every state that occurs in it.
"""

from __future__ import annotations

import math
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntFlag
from zlib import compress

from sonde.core.findings.histories import Estimate, Known, SeriesHistory

RESOLUTION = 1e-4  # of a logarithm: 0.01 %
_LEAST = 1e-300  # stands for zero on a logarithmic axis
_MOST_STEPS = 1 << 30  # a band may be as wide as any float


class PointState(IntFlag):
    """How the points of a row are known; 0: they do not exist."""

    MEASURED = 1
    PROVEN = 2
    ESTIMATED = 4
    FAILED = 8


_STATES = {
    Known.MEASURED: PointState.MEASURED,
    Known.PROVEN: PointState.PROVEN,
    Known.ESTIMATED: PointState.ESTIMATED,
}


@dataclass(frozen=True, slots=True)
class PackedRow:
    """Successive revisions from `start` on, up to the next row; values in steps of the resolution."""

    start: int
    states: int  # PointState
    low: int  # the least value
    high: int  # the largest
    below: int  # from the least value down to the end of the band
    above: int


def rows_of(series: SeriesHistory, at_most: int) -> list[PackedRow]:
    """The rows of a series; in buckets of equal width if there would be more than `at_most`."""
    failed = frozenset(series.failed)
    rows = list(_joined(_row(at, estimate, at in failed) for at, estimate in enumerate(series.estimates)))
    return rows if len(rows) <= at_most else list(_bucketed(rows, len(series.estimates), at_most))


def packed_rows(rows: Sequence[PackedRow]) -> str:
    """The rows, column by column: differences to the row before as variable-length integers."""
    columns = (
        _differences([row.start for row in rows]),
        [row.states for row in rows],
        map(_zigzag, _differences([row.low for row in rows])),
        [row.high - row.low for row in rows],
        [row.below for row in rows],
        [row.above for row in rows],
    )
    return packed(b"".join(_varint(number) for column in columns for number in column))


def packed(content: bytes) -> str:
    """Compressed bytes as text."""
    return b64encode(compress(content, 9)).decode()


def _row(at: int, estimate: Estimate | None, has_failed: bool) -> PackedRow:
    state = PointState.FAILED if has_failed else PointState(0)
    if estimate is None:
        return PackedRow(at, state, 0, 0, 0, 0)
    state = state or _STATES[estimate.known]
    value, low, high = _steps(estimate.value), _steps(estimate.low), _steps(estimate.high)
    return PackedRow(at, state, value, value, max(0, value - low), max(0, high - value))


def _steps(value: float) -> int:
    steps = round(math.log(max(value, _LEAST)) / RESOLUTION) if value < math.inf else _MOST_STEPS
    return max(-_MOST_STEPS, min(steps, _MOST_STEPS))


def _joined(rows: Iterable[PackedRow]) -> Iterator[PackedRow]:
    """Without rows that say the same as the one before; failures and measurements stay single."""
    before = None
    for row in rows:
        same = (row.states, row.low, row.high, row.below, row.above)
        if same != before:
            yield row
        before = same


def _bucketed(rows: Sequence[PackedRow], length: int, at_most: int) -> Iterator[PackedRow]:
    edges = [number * length // at_most for number in range(at_most)]
    at = 0
    for number, start in enumerate(edges):
        end = edges[number + 1] if number + 1 < at_most else length
        while at + 1 < len(rows) and rows[at + 1].start <= start:
            at += 1
        last = at
        while last + 1 < len(rows) and rows[last + 1].start < end:
            last += 1
        yield _bucket(start, rows[at : last + 1])


def _bucket(start: int, rows: Sequence[PackedRow]) -> PackedRow:
    states = 0
    for row in rows:
        states |= row.states
    valued = [row for row in rows if row.states & ~PointState.FAILED] or [
        row for row in rows if row.high or row.low
    ]
    if not valued:
        return PackedRow(start, states, 0, 0, 0, 0)
    low, high = min(row.low for row in valued), max(row.high for row in valued)
    floor = min(row.low - row.below for row in valued)
    ceiling = max(row.high + row.above for row in valued)
    return PackedRow(start, states, low, high, low - floor, ceiling - high)


def _differences(numbers: Sequence[int]) -> list[int]:
    return [number - before for before, number in zip([0, *numbers], numbers, strict=False)]


def _zigzag(number: int) -> int:
    """Small for numbers that are small, whatever their sign."""
    return number * 2 if number >= 0 else -number * 2 - 1


def _varint(number: int) -> bytes:
    """Seven bits a byte, the lowest first; the highest bit says that more follow."""
    content = bytearray()
    while number > 127:
        content.append(number & 127 | 128)
        number >>= 7
    content.append(number)
    return bytes(content)
