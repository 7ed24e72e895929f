"""Histories as few bytes: rows of equal revisions, logarithms in steps of 0.01 %, compressed.

A row covers successive revisions. A series with more rows than there is room for is put in buckets: a row
then has the least and the largest value of its revisions, and every state that occurs in it.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntFlag
from operator import attrgetter
from zlib import compress

import numpy as np
from numpy.typing import NDArray

from sonde.core.findings.histories import Estimate, Known, SeriesHistory

RESOLUTION = 1e-4  # of a logarithm: 0.01 %
_LEAST, _MOST = 1e-300, 1e300  # stand for zero and for infinity on a logarithmic axis
_NUMBERS = attrgetter("value", "low", "high")

Integers = NDArray[np.int64]


class PointState(IntFlag):
    """How the points of a row are known; 0: they do not exist."""

    MEASURED = 1
    PROVEN = 2
    ESTIMATED = 4
    FAILED = 8


_STATES = {
    Known.MEASURED: int(PointState.MEASURED),
    Known.PROVEN: int(PointState.PROVEN),
    Known.ESTIMATED: int(PointState.ESTIMATED),
}


@dataclass(frozen=True)
class CourseRows:
    """Rows as columns. Row `i` covers the revisions from `start[i]` up to `start[i + 1]`.

    Values are in steps of the resolution. A row without a value, because nothing exists or is known there,
    has zeros.
    """

    start: Integers
    states: Integers  # PointState
    low: Integers  # the least value
    high: Integers  # the largest
    below: Integers  # from the least value down to the end of the band
    above: Integers
    is_bucketed: bool = False  # whether a row may stand for different values

    def __len__(self) -> int:
        return len(self.start)


def rows_of(series: SeriesHistory, at_most: int) -> CourseRows:
    """The rows of a series; in buckets of equal width if there would be more than `at_most`."""
    points = _points(series)
    new = np.zeros(len(points), bool)
    new[:1] = True
    for column in (points.states, points.low, points.below, points.above):
        new[1:] |= column[1:] != column[:-1]
    first = np.flatnonzero(new)
    if len(first) > at_most:
        return _bucketed(points, at_most)
    return CourseRows(
        first,
        points.states[first],
        points.low[first],
        points.high[first],
        points.below[first],
        points.above[first],
    )


def packed_rows(rows: CourseRows) -> str:
    """The rows, column by column: differences to the row before as variable-length integers."""
    columns = (
        np.diff(rows.start, prepend=0),
        rows.states,
        _zigzag(np.diff(rows.low, prepend=0)),
        rows.high - rows.low,
        rows.below,
        rows.above,
    )
    return packed(b"".join(map(_varints, columns)))


def packed(content: bytes) -> str:
    """Compressed bytes as text."""
    return b64encode(compress(content, 9)).decode()


def _points(series: SeriesHistory) -> CourseRows:
    """A row for each revision."""
    estimates, length = series.estimates, len(series.estimates)
    exists = np.fromiter((each is not None for each in estimates), bool, length)
    known = [each for each in estimates if each is not None]
    states = np.zeros(length, np.int64)
    states[exists] = np.fromiter((_STATES[each.known] for each in known), np.int64, len(known))
    states[list(series.failed)] = PointState.FAILED
    value, low, high = (_filled(column, exists) for column in _steps(known))
    start = np.arange(length, dtype=np.int64)
    return CourseRows(start, states, value, value, np.maximum(value - low, 0), np.maximum(high - value, 0))


def _steps(known: Sequence[Estimate]) -> Integers:
    """Values and both ends of their bands as steps of the resolution, one row each."""
    numbers = np.array([_NUMBERS(each) for each in known], float).reshape(-1, 3)
    steps: Integers = np.rint(np.log(np.clip(numbers, _LEAST, _MOST)) / RESOLUTION).astype(np.int64).T
    return steps


def _filled(column: Integers, exists: NDArray[np.bool_]) -> Integers:
    """The numbers of those points that exist, zeros elsewhere."""
    filled = np.zeros(len(exists), np.int64)
    filled[exists] = column
    return filled


def _bucketed(points: CourseRows, at_most: int) -> CourseRows:
    """Rows of about equal width; what has no value does not count for the extremes."""
    start = np.arange(at_most, dtype=np.int64) * len(points) // at_most
    has_value = (points.states & ~int(PointState.FAILED)) != 0
    has_value |= (points.states != 0) & (points.low + points.above != 0)
    farthest = np.int64(1) << 40
    low = np.minimum.reduceat(np.where(has_value, points.low, farthest), start)
    high = np.maximum.reduceat(np.where(has_value, points.high, -farthest), start)
    floor = np.minimum.reduceat(np.where(has_value, points.low - points.below, farthest), start)
    ceiling = np.maximum.reduceat(np.where(has_value, points.high + points.above, -farthest), start)
    filled = np.logical_or.reduceat(has_value, start)
    low, high, below, above = (
        np.where(filled, column, 0) for column in (low, high, low - floor, ceiling - high)
    )
    states = np.bitwise_or.reduceat(points.states, start)
    return CourseRows(start, states, low, high, below, above, is_bucketed=True)


def _zigzag(numbers: Integers) -> Integers:
    """Small for numbers that are small, whatever their sign."""
    return np.where(numbers >= 0, numbers * 2, -numbers * 2 - 1)


def _varints(numbers: Integers) -> bytes:
    """Seven bits a byte, the lowest first; the highest bit says that more follow."""
    longest = max(1, -(-int(numbers.max(initial=0)).bit_length() // 7))
    shifts = 7 * np.arange(longest)
    rest = numbers[:, None] >> shifts
    is_needed = (rest != 0) | (shifts == 0)
    has_more = np.zeros_like(is_needed)
    has_more[:, :-1] = is_needed[:, 1:]
    content = ((rest & 127) | (has_more * 128)).astype(np.uint8)
    return bytes(content[is_needed])
