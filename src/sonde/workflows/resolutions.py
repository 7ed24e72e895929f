"""How finely each metric can be looked at."""

from __future__ import annotations

from dataclasses import dataclass

from sonde.core.results import Metric


@dataclass(frozen=True)
class MetricResolution:
    """How finely a metric can be looked at: relative deviation, and the size from which a change matters."""

    noise_floor: float
    magnitude: float
    is_counted: bool = False  # its noise is that of repeated runs, whatever its series looks like


RESOLUTIONS = {
    Metric.INSTRUCTIONS: MetricResolution(0.001, 0.01, is_counted=True),
    Metric.MEMORY: MetricResolution(0.005, 0.03),
    Metric.CPU: MetricResolution(0.01, 0.05),
    Metric.WALL: MetricResolution(0.01, 0.05),
    Metric.PRINTED: MetricResolution(0.01, 0.05),
}
