"""How finely each metric can be looked at."""

from __future__ import annotations

from dataclasses import dataclass

from sonde.core.results import Metric


@dataclass(frozen=True)
class Care:
    """How finely a metric can be looked at: relative deviation, and the size from which a change matters."""

    noise_floor: float
    magnitude: float
    is_counted: bool = False  # its noise is that of repeated runs, whatever its series looks like


CARE = {
    Metric.INSTRUCTIONS: Care(0.001, 0.01, is_counted=True),
    Metric.MEMORY: Care(0.005, 0.03),
    Metric.CPU: Care(0.01, 0.05),
    Metric.WALL: Care(0.01, 0.05),
    Metric.PRINTED: Care(0.01, 0.05),
}
