"""Orders that do not fit together are refused."""

import pytest

from sonde.core.results import Metric
from sonde.core.subject import Server
from sonde.effects.runs import Meter, RunOrder, in_shell


def test_an_order_needs_a_command():
    with pytest.raises(ValueError, match="needs a command"):
        RunOrder((), Metric.CPU)


@pytest.mark.parametrize(
    ("metric", "meter"),
    [(Metric.INSTRUCTIONS, Meter.PLAIN), (Metric.CPU, Meter.VALGRIND), (Metric.WALL, Meter.PERF)],
)
def test_a_meter_must_measure_the_metric(metric, meter):
    with pytest.raises(ValueError, match="does not measure"):
        RunOrder(("true",), metric, meter)


@pytest.mark.parametrize("pattern", ["", "time: .*", "(?:time) .*"])
def test_a_printed_number_needs_a_group(pattern):
    with pytest.raises(ValueError, match="no group"):
        RunOrder(("true",), Metric.PRINTED, pattern=pattern)


def test_a_run_may_take_as_long_as_all_its_steps():
    order = RunOrder(
        in_shell("x"), Metric.CPU, warmups=2, timeout_seconds=100.0, server=Server("y", 80, 30.0)
    )

    assert order.longest_seconds >= 5 * 100.0 + 30.0
