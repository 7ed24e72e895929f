"""What runs of a busy loop say of a machine."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.effects.machine.noise import BusyRun, summarise, waited_seconds_in

seconds = st.floats(1e-3, 10.0)


def test_equal_runs_show_a_calm_machine():
    noise = summarise([BusyRun(0.05, 0.051)] * 10, pressure=0.0, load=0.1, cores=2)

    assert noise.is_calm
    assert noise.verdict == "calm: equal runs differ by 0.0% in cpu time and 0.0% in wall time"
    assert noise.advice == ""


def test_runs_that_wait_show_a_loaded_machine():
    noise = summarise([BusyRun(0.05, 0.15), BusyRun(0.05, 0.2)], pressure=0.6, load=7.25, cores=2)

    assert noise.verdict.startswith("loaded: equal runs differ by 0.0% in cpu time")
    assert "60% of the time, with a load of 7.2 on 2 cores" in noise.verdict
    assert "instructions" in noise.advice


def test_runs_that_differ_without_waiting_show_an_unsteady_machine():
    noise = summarise([BusyRun(0.05, 0.05), BusyRun(0.07, 0.07)], pressure=0.0, load=0.1, cores=2)

    assert noise.verdict.startswith("unsteady")
    assert "governor" in noise.advice


@given(st.lists(st.builds(BusyRun, seconds, seconds), min_size=2), st.floats(0, 1), st.floats(0, 99))
def test_a_machine_is_calm_if_and_only_if_there_is_nothing_to_advise(runs, pressure, load):
    noise = summarise(runs, pressure, load, cores=1)

    assert noise.is_calm == (noise.advice == "") == noise.verdict.startswith("calm")


def test_the_pressure_is_read_in_seconds():
    text = "some avg10=0.00 avg60=0.00 avg300=0.00 total=2500000\nfull avg10=0.00 total=7\n"

    assert waited_seconds_in(text) == pytest.approx(2.5)
    assert waited_seconds_in("") == 0.0
