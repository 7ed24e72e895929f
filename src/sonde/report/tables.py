"""Tables of plain text."""

from __future__ import annotations

from collections.abc import Sequence
from unicodedata import combining, east_asian_width

GAP = "  "


def table(head: Sequence[str], rows: Sequence[Sequence[str]], right: str = "") -> str:
    """Aligned columns under a head; `right` has an `r` at each column that is aligned to the right."""
    columns = list(zip(*([head, *rows] if any(head) else rows), strict=True))
    widths = [max(map(width, column)) for column in columns]
    lines = []
    for row in [head, *rows] if any(head) else rows:
        cells = [
            _padded(cell, widths[place], right[place : place + 1] == "r") for place, cell in enumerate(row)
        ]
        lines.append(GAP.join(cells).rstrip())
    return "\n".join(lines)


def shortened(text: str, most: int) -> str:
    """`text` on one line, cut with an ellipsis where it is wider than `most`; no control characters."""
    kept: list[str] = []
    columns = 0
    longest = 0  # letters that leave a column for the ellipsis
    for letter in text:
        shown = letter if letter.isprintable() else " "
        columns += width(shown)
        if columns > most:
            return "".join(kept[:longest]).rstrip() + "…"
        kept.append(shown)
        if columns < most:
            longest = len(kept)
    return "".join(kept)


def width(text: str) -> int:
    """How many columns a terminal needs for `text`."""
    return sum(0 if combining(letter) else 2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def _padded(text: str, columns: int, to_the_right: bool) -> str:
    space = " " * (columns - width(text))
    return space + text if to_the_right else text + space
