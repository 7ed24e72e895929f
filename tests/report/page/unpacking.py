"""The reader of packed series once more, in plain Python: what the script of the page does."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterator
from itertools import accumulate
from zlib import decompress

from sonde.report.page.packing import PackedRow


def unpacked(text: str, count: int) -> list[PackedRow]:
    numbers = _integers(decompress(b64decode(text)))
    starts = list(accumulate(next(numbers) for _ in range(count)))
    states = [next(numbers) for _ in range(count)]
    lows = list(accumulate(_signed(next(numbers)) for _ in range(count)))
    spans, below, above = ([next(numbers) for _ in range(count)] for _ in range(3))
    columns = zip(starts, states, lows, spans, below, above, strict=True)
    return [
        PackedRow(start, state, low, low + span, down, up) for start, state, low, span, down, up in columns
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
