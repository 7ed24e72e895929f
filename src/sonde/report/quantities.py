"""Numbers with units, as people read them."""

from __future__ import annotations

import math

from sonde.core.results import Metric

_TIMES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))
_COUNTS = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
_SIZES = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"))


def quantity(value: float, metric: Metric) -> str:
    """A value of a metric with four digits and its unit."""
    match metric:
        case Metric.CPU | Metric.WALL:
            return _scaled(value, _TIMES, "s")
        case Metric.INSTRUCTIONS:
            return _scaled(value, _COUNTS, "")
        case Metric.MEMORY:
            return _scaled(value, _SIZES, "B")
        case Metric.PRINTED:
            return f"{value:.6g}"


def size(size_bytes: float) -> str:
    """A number of bytes."""
    return _scaled(size_bytes, _SIZES, "B")


def duration(seconds: float) -> str:
    """A time span, coarse: `8.2 s`, `3 min 20 s`, `2 h 5 min`."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min"


def percent(ratio: float) -> str:
    """A ratio as a signed change: 1.1 is `+10.0 %`."""
    return f"{(ratio - 1) * 100:+.1f} %"


def share_text(share: float) -> str:
    """A share with about two digits: `0.4 %`, `12 %`."""
    return f"{100 * share:.2g} %" if share < 0.1 else f"{100 * share:.0f} %"


def threshold_text(threshold: float) -> str:
    """The size of a change that a user chose, as exactly as it was written: `12.5 %`."""
    return f"{100 * threshold:.6g} %"


def finite(number: float) -> float | None:
    """A number that JSON can hold: null where it is infinite, as the end of an interval that is open."""
    return number if math.isfinite(number) else None


def counted(number: int, noun: str) -> str:
    """`1 run`, `2 runs`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _scaled(value: float, units: tuple[tuple[float, str], ...], smallest: str) -> str:
    for scale, unit in units:
        if abs(value) >= scale:
            return f"{value / scale:.4g} {unit}".rstrip()
    return f"{value:.4g} {smallest}".rstrip()
