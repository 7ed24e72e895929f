"""Short names for configurations and series."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.core.findings.histories import SeriesHistory
from sonde.core.options import Configuration
from sonde.report.tables import shortened, width


def difference(configuration: Configuration, default: Configuration) -> str:
    """A configuration by the values in which it differs from the default one."""
    different = [str(literal) for literal in configuration if default[literal.option] != literal.value]
    return ",".join(different) or "default"


def series_name(series: SeriesHistory, default: Configuration) -> str:
    """Its benchmark and its configuration."""
    return f"{series.benchmark}, {difference(series.configuration, default)}"


def series_names(series: Sequence[SeriesHistory], default: Configuration) -> list[str]:
    """The names of several series; without their configuration where it is the default one for all."""
    if all(each.configuration == default for each in series):
        return [each.benchmark for each in series]
    return [series_name(each, default) for each in series]


def shortened_inside(name: str, most: int) -> str:
    """`name` cut in its middle where it is wider than `most`, for names often differ at their end only."""
    line = shortened(name, width(name))
    if width(line) <= most:
        return line
    start, columns = len(line), 0
    while (columns := columns + width(line[start - 1])) <= most - most // 2:
        start -= 1
    return shortened(line, most // 2) + line[start:]
