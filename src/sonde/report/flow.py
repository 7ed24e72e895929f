"""Texts that fit a width: sentences, lists of items, and tables whose columns flow onto further lines."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from sonde.report.tables import GAP, shortened, table, width

LEAST_REMARK = 24  # columns; a last cell with less room goes onto a line of its own
_NO_BREAK = "\N{NO-BREAK SPACE}"


def paragraph(text: str, most: int) -> str:
    """Sentences on lines of at most `most` columns; a number stays with its %."""
    joined = text.replace(" %", f"{_NO_BREAK}%")
    return "\n".join(textwrap.wrap(joined, most)).replace(_NO_BREAK, " ")


def flowed(items: Iterable[str], most: int) -> list[str]:
    """Items side by side, on as few lines as have room for them; an item that is too wide is cut."""
    lines: list[str] = []
    for item in items:
        if lines and width(lines[-1] + GAP + item) <= most:
            lines[-1] += GAP + item
        else:
            lines.append(shortened(item, most))
    return lines


def flowing_table(head: Sequence[str], rows: Sequence[Sequence[str]], right: str, most: int) -> str:
    """A table of at most `most` columns of text; its last column is cut to what is left for it.

    Where it is too wide, each row takes several lines, indented below its first cell, the last two cells
    share the last line, and there is no head.
    """
    widths = [max(map(width, column)) for column in zip(*([head, *rows]), strict=True)]
    before = sum(widths[:-1]) + len(GAP) * (len(widths) - 1)
    if before + LEAST_REMARK <= most:
        return table(head, [[*row[:-1], shortened(row[-1], most - before)] for row in rows], right)
    return "\n".join(_flowing_row(row, _places(rows), right, most) for row in rows)


def _places(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(width, column)) for column in zip(*rows, strict=True)]


def _flowing_row(row: Sequence[str], places: Sequence[int], right: str, most: int) -> str:
    padded = [
        " " * (place - width(cell)) + cell
        if right[at : at + 1] == "r"
        else cell + " " * (place - width(cell))
        for at, (cell, place) in enumerate(zip(row[:-1], places[:-1], strict=True))
    ]
    indent = " " * (places[0] + len(GAP))
    lines = flowed(padded[1:-1], most - len(indent))
    if any(row[-2:]):
        lines.append(shortened(f"{row[-2]}: {row[-1]}", most - len(indent)))
    first = padded[0] + GAP + lines[0]
    return "\n".join(line.rstrip() for line in [first, *(indent + line for line in lines[1:])])
