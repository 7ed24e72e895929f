"""Durations, sizes and budgets as people write them: `90s`, `10m`, `2GB`, `3%`."""

from __future__ import annotations

import math
import re

from sonde.core.errors import UsageError

_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_BYTES = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
_BYTES |= {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}
_BYTES_BY_LOWER_CASE = {unit.lower(): size for unit, size in _BYTES.items()}

DURATION_PATTERN = r"^[0-9]+(\.[0-9]+)? ?(ms|s|m|h|d)$"
SIZE_PATTERN = r"^[0-9]+(\.[0-9]+)? ?([kKMGT]?B|[KMGT]iB)$"
BUDGET_PATTERN = r"^((?P<number>[0-9]+(\.[0-9]+)?) ?(?P<unit>%|s|m|h|d|))?$"

_MOST_BYTES = 1 << 63
_QUANTITY = re.compile(r"([0-9]+(?:\.[0-9]+)?) ?([A-Za-z]+)")


def seconds_of(written: object) -> float:
    """The seconds of a duration: a number of seconds, or a text such as "90s", "10m" or "2h"."""
    seconds = _number(written)
    if seconds is None and isinstance(written, str):
        match = _QUANTITY.fullmatch(written.strip())
        if match and match[2] in _SECONDS:
            seconds = float(match[1]) * _SECONDS[match[2]]
    if seconds is None:
        raise ValueError(
            'is not a duration. Write seconds as a number, or a string such as "90s", "10m" or "2h".'
        )
    if seconds <= 0:
        raise ValueError("is not positive. Write a longer duration.")
    return seconds


def bytes_of(written: object) -> int:
    """The bytes of a size: a number of bytes, or a text such as "500MB" or "2GB"."""
    size = _number(written)
    if size is None and isinstance(written, str):
        match = _QUANTITY.fullmatch(written.strip())
        if match and match[2].lower() in _BYTES_BY_LOWER_CASE:
            size = float(match[1]) * _BYTES_BY_LOWER_CASE[match[2].lower()]
    if size is None or not 0 <= size < _MOST_BYTES:
        raise ValueError('is not a size. Write bytes as a number, or a string such as "500MB" or "2GB".')
    return int(size)


def parse_size(text: str) -> int:
    """The bytes of a size that an argument gives, such as `500MB`; digits alone are bytes."""
    try:
        return bytes_of(int(text) if text.strip().isdigit() else text)
    except ValueError as error:
        raise UsageError(f"'{text}' {error}") from None


def budget_of(written: object) -> str:
    """A budget as text: a number of runs, a share of the points, a duration; empty: unlimited."""
    text = str(written) if isinstance(written, int) and not isinstance(written, bool) else written
    match = re.fullmatch(BUDGET_PATTERN, text.strip()) if isinstance(text, str) else None
    if match and match["number"]:
        number = float(match["number"])
        is_whole = match["unit"] != "" or number == int(number)
        is_share_of_all = match["unit"] != "%" or number <= 100
        match = match if number > 0 and is_whole and is_share_of_all else None
    if match is None:
        raise ValueError('is not a budget. Write runs ("200"), a share up to 100% ("3%") or a time ("2h").')
    return match.group()


def _number(written: object) -> float | None:
    if isinstance(written, bool) or not isinstance(written, int | float) or not is_finite(written):
        return None
    return float(written)


def is_finite(number: float) -> bool:
    """Whether a number is one that can be computed with; whole numbers in a file may be of any length."""
    try:
        return math.isfinite(number)
    except OverflowError:
        return False
