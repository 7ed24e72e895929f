"""Which values can be compared: those that are positive and finite."""

from __future__ import annotations

from math import inf

from sonde.core.results import Failed, Measurement, Metric, Result, Stage


def usable_values(result: Result, metric: Metric) -> tuple[float, ...]:
    """The value of each sample; none if it failed, or if one of them is not positive: ratios need that."""
    if isinstance(result.outcome, Failed):
        return ()
    values = _values(result.outcome, metric)
    return values if all(0 < value < inf for value in values) else ()


def why_unusable(result: Result, metric: Metric) -> Failed | None:
    """Why a point has no usable value; None if it has."""
    if isinstance(result.outcome, Failed):
        return result.outcome
    if usable_values(result, metric):
        return None
    wrong = [value for value in _values(result.outcome, metric) if not 0 < value < inf]
    if not wrong:
        return Failed(Stage.RUN, f"There is no value of the metric {metric.value}.")
    kind = "positive" if wrong[0] <= 0 else "finite"
    return Failed(Stage.RUN, f"The value is not {kind}: it is {wrong[0]:g}, so it cannot be compared.")


def _values(measurement: Measurement, metric: Metric) -> tuple[float, ...]:
    return tuple(sample.values[metric] for sample in measurement.samples if metric in sample.values)
