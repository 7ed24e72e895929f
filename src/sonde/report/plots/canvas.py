"""A rectangle of characters on which one draws with dots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sonde.report.glyphs import Glyphs


class Canvas:
    """Cells of dots and characters. The first row of cells, and of dots, is the upper one."""

    def __init__(self, columns: int, rows: int, glyphs: Glyphs) -> None:
        self.columns = columns
        self.rows = rows
        self.dots_across = columns * glyphs.across
        self.dots_down = rows * glyphs.down
        self._glyphs = glyphs
        self._dots: dict[tuple[int, int], int] = {}
        self._behind: dict[tuple[int, int], str] = {}
        self._before: dict[tuple[int, int], str] = {}

    def draw(self, column: int, rows: Iterable[int]) -> None:
        """Set the dots of one column."""
        across, down = self._glyphs.across, self._glyphs.down
        for row in rows:
            cell = column // across, row // down
            number = row % down * across + column % across
            self._dots[cell] = self._dots.get(cell, 0) | 1 << number

    def draw_faintly(self, column: int, row: int) -> None:
        """A dot that looks lighter than a line of dots."""
        if self._glyphs.faint:
            self.put_behind(column // self._glyphs.across, row // self._glyphs.down, self._glyphs.faint)
        elif column % self._glyphs.across == 0:
            self.draw(column, [row])

    def put_behind(self, column: int, row: int, letter: str) -> None:
        """A character in a cell, seen where no dot is set."""
        self._behind[column, row] = letter

    def put_before(self, column: int, row: int, letter: str) -> None:
        """A character in a cell, which hides its dots."""
        self._before[column, row] = letter

    def lines(self) -> Iterator[str]:
        """The rows as text."""
        for row in range(self.rows):
            yield "".join(self._letter(column, row) for column in range(self.columns))

    def _letter(self, column: int, row: int) -> str:
        cell = column, row
        if cell in self._before:
            return self._before[cell]
        if cell in self._dots:
            return self._glyphs.dots[self._dots[cell]]
        return self._behind.get(cell, " ")
