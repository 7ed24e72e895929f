"""A history in one short line."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from sonde.core.findings.histories import Estimate
from sonde.report.plots.scales import scale_between

LEAST_SPAN = 0.1  # of the level; with eight heights, what differs by less looks flat


def sparkline(estimates: Sequence[Estimate | None], columns: int, levels: str) -> str:
    """At most so many characters, each the revision among its own that is farthest from the median.

    So a slow spell stays visible, however short it was. A gap is a blank.
    """
    known = [estimate.value for estimate in estimates if estimate is not None]
    if not known:
        return ""
    scale = scale_between(min(known), max(known), LEAST_SPAN)
    middle = scale.share(median(known))
    number = min(columns, len(estimates))
    line = ""
    for column in range(number):
        start, stop = column * len(estimates) // number, (column + 1) * len(estimates) // number
        values = [estimate.value for estimate in estimates[start:stop] if estimate is not None]
        shares = [scale.share(max(values)), scale.share(min(values))] if values else []
        farthest = max(shares, key=lambda share: abs(share - middle), default=None)
        line += " " if farthest is None else levels[min(int(farthest * len(levels)), len(levels) - 1)]
    return line
