"""A plot of one series in a terminal: what is known of every revision, and where it changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from statistics import fmean

from sonde.core.findings.histories import ChangePoint, Estimate, Known, SeriesHistory
from sonde.core.revisions import History, Revision
from sonde.report.flow import flowed
from sonde.report.glyphs import UNICODE, Glyphs
from sonde.report.plots.axis_numbers import numbers_line
from sonde.report.plots.canvas import Canvas
from sonde.report.plots.scales import Scale, scale_of
from sonde.report.quantities import quantity
from sonde.report.tables import width as width_of

HEIGHT = 12
_WIDEST_REVISION = 6  # columns; a short history does not fill the line
_NARROWEST = 28  # columns, so that the ends of the axis can be named
_LAST_SECOND = 253402300799  # of the year 9999


def plot(
    series: SeriesHistory, history: History, width: int, height: int = HEIGHT, glyphs: Glyphs = UNICODE
) -> list[str]:
    """Lines of at most `width` columns, 40 or more; `height` is that of the plot without its axis.

    Below the axis, change points are numbered from 1 in the order of `series.changes`, and neighbours that
    have no room share a place: 3-5. A revision holds its value up to the next one, so that a jump is upright.
    """
    known = [estimate for estimate in series.estimates if estimate is not None]
    if not known:
        return ["No value is known."]
    scale = scale_of(known)
    labels = {
        _dot_row(scale, value, height * glyphs.down) // glyphs.down: quantity(value, series.metric)
        for value in scale.labelled()
    }
    margin = max(map(len, labels.values()), default=0)
    columns = min(width - margin - 2, max(_WIDEST_REVISION * len(series.estimates), _NARROWEST))
    drawing = _Drawing(series, scale, Canvas(columns, height, glyphs), glyphs)
    has_band = drawing.draw_band()
    drawing.draw_guides()
    drawing.draw_line()
    drawing.draw_marks()
    lines = [
        f"{labels.get(row, ''):>{margin}} {glyphs.label if row in labels else glyphs.side}{line}"
        for row, line in enumerate(drawing.canvas.lines())
    ]
    lines.append(" " * (margin + 1) + glyphs.corner + drawing.axis())
    below = [
        numbers_line([drawing.start_column(change.position) for change in series.changes], columns),
        _ends(history, columns),
    ]
    lines += [" " * (margin + 2) + line for line in below if line]
    lines += flowed(_legend(drawing, has_band), width)
    return [glyphs.written(line.rstrip()) for line in lines]


@dataclass(frozen=True)
class _Drawing:
    """A series on its canvas."""

    series: SeriesHistory
    scale: Scale
    canvas: Canvas
    glyphs: Glyphs

    def draw_line(self) -> None:
        before: Estimate | None = None
        for column in range(self.canvas.dots_across):
            inside = self._estimates(column, self.canvas.dots_across)
            values = [each.value for each in [before, *inside] if each is not None]
            if any(inside):
                self.canvas.draw(column, range(self._dot_row(max(values)), self._dot_row(min(values)) + 1))
            before = inside[-1]

    def draw_band(self) -> bool:
        """The ends of the 90 % band where they are visibly apart from the line; whether there are any."""
        is_visible = False
        for column in range(self.canvas.dots_across):
            known = [each for each in self._estimates(column, self.canvas.dots_across) if each is not None]
            if known:
                middle = self._dot_row(fmean([each.value for each in known]))
                for end in (fmean([each.low for each in known]), fmean([each.high for each in known])):
                    if abs(self._dot_row(end) - middle) > 1:
                        self.canvas.draw_faintly(column, self._dot_row(end))
                        is_visible = True
        return is_visible

    def draw_guides(self) -> None:
        """A dotted line from each change down to the axis."""
        for change in self.series.changes:
            lower = self._dot_row(min(change.before, change.after))
            for row in range(lower // self.glyphs.down, self.canvas.rows):
                self.canvas.put_behind(self.start_column(change.position), row, self.glyphs.guide)

    def draw_marks(self) -> None:
        """A mark at each measured revision, unless they would hide all else."""
        measured = _measured(self.series)
        if len(measured) <= self.canvas.columns:
            for position, value in measured.items():
                row = self._dot_row(value) // self.glyphs.down
                self.canvas.put_before(self._middle_column(position), row, self.glyphs.mark)

    def axis(self) -> str:
        """The horizontal axis, with failures, changes, and the part in which a change can lie."""
        letters = [self.glyphs.axis] * self.canvas.columns
        for change in self.series.changes:
            for column in range(*self._columns_in_doubt(change)):
                letters[column] = self.glyphs.doubt
        for position in self.series.failed:
            letters[self._middle_column(position)] = self.glyphs.failed
        for change in self.series.changes:
            letters[self.start_column(change.position)] = self.glyphs.change
        return "".join(letters)

    def start_column(self, position: int) -> int:
        """The column in which a revision begins."""
        dots, number = self.canvas.dots_across, len(self.series.estimates)
        start = -(-position * dots // number) if number < dots else ((position + 1) * dots - 1) // number
        return start // self.glyphs.across

    def _middle_column(self, position: int) -> int:
        return (2 * position + 1) * self.canvas.columns // (2 * len(self.series.estimates))

    def _columns_in_doubt(self, change: ChangePoint) -> tuple[int, int]:
        if change.is_exact:
            return 0, 0
        return self.start_column(change.earliest), self.start_column(change.latest) + 1

    def _estimates(self, column: int, columns: int) -> Sequence[Estimate | None]:
        """What one of so many columns shows: many revisions, or one that others show too."""
        number = len(self.series.estimates)
        start = column * number // columns
        return self.series.estimates[start : max(start + 1, (column + 1) * number // columns)]

    def _dot_row(self, value: float) -> int:
        return _dot_row(self.scale, value, self.canvas.dots_down)


def _measured(series: SeriesHistory) -> Mapping[int, float]:
    """The values of the measured revisions, by position."""
    return {
        position: each.value
        for position, each in enumerate(series.estimates)
        if each is not None and each.known is Known.MEASURED
    }


def _dot_row(scale: Scale, value: float, dots_down: int) -> int:
    return round((1 - scale.share(value)) * (dots_down - 1))


def _ends(history: History, columns: int) -> str:
    """The first and the last revision, with their dates where there is room."""
    first, last = history[0], history[-1]
    if len(history) == 1:
        return f"{first.short}  {_date(first)}"
    dated = f"{first.short}  {_date(first)}", f"{_date(last)}  {last.short}"
    left, right = dated if width_of("".join(dated)) + 3 <= columns else (first.short, last.short)
    return left + " " * (columns - width_of(left) - width_of(right)) + right


def _date(revision: Revision) -> str:
    seconds = min(max(revision.committed_at, 0), _LAST_SECOND)
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def _legend(drawing: _Drawing, has_band: bool) -> Iterator[str]:
    """What the characters mean, and that the axis is logarithmic."""
    series, glyphs, measured = drawing.series, drawing.glyphs, len(_measured(drawing.series))
    if measured > drawing.canvas.columns:
        yield f"{measured:,} measured, too many to mark"
    elif measured:
        yield f"{glyphs.mark} measured"
    if has_band:
        yield f"{glyphs.band} 90 % band"
    if not all(change.is_exact for change in series.changes):
        yield f"{glyphs.doubt} where a change can lie"
    if series.failed:
        yield f"{glyphs.failed} failed"
    if drawing.scale.is_log:
        yield "logarithmic axis"
