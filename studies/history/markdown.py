"""Tables and bars in Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

BAR = 40  # letters that stand for 1


def table(head: Sequence[str], rows: Sequence[Sequence[str]], texts: int = 1) -> str:
    """A table whose first columns, so many, are texts, and the others numbers."""
    marks = ["---" if at < texts else "--:" for at in range(len(head))]
    return "\n".join("| " + " | ".join(row) + " |" for row in (head, marks, *rows))


def bars(heights: Mapping[str, float]) -> str:
    """A bar a name, from 0 to 1, as a block of plain text."""
    width = max(map(len, heights), default=0)
    lines = [
        f"{name:{width}}  {height:4.2f}  {'█' * round(BAR * height)}" for name, height in heights.items()
    ]
    return "\n".join(["```text", *lines, "```"])


def percent(share: float) -> str:
    return f"{share:.0%}".replace("%", " %")
