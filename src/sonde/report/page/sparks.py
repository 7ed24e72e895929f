"""A history in a few letters, which the list of series draws as a line."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.core.findings.histories import Estimate
from sonde.report.plots.sparkline import sparkline

COLUMNS = 48
LEVELS = "0123456789abcdefghijklmnopqrstuvwxyz"  # the lowest first


def spark(estimates: Sequence[Estimate | None]) -> str:
    """A letter for each of at most 48 columns; a blank where there is no value."""
    return sparkline(estimates, COLUMNS, LEVELS)
