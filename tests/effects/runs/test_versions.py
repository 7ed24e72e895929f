"""The versions of meters."""

import pytest

from sonde.effects.runs.orders import Meter
from sonde.effects.runs.versions import meter_version
from sonde.effects.sandbox import Processes


def test_accounts_of_the_kernel_have_no_version():
    assert meter_version(Meter.PLAIN, Processes()) == ""


@pytest.mark.needs("valgrind")
def test_the_version_of_valgrind_and_of_our_counter_is_told():
    program, counter = meter_version(Meter.VALGRIND, Processes()).split(", ")

    assert program.startswith("valgrind-")
    assert counter
