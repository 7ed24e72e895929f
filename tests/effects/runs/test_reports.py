"""Reports of runs become metrics or failures in words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.results import Failed, Gauges, Metric
from sonde.core.subject import Server
from sonde.effects.runs import Meter, RunOrder, RunReport
from sonde.effects.runs.reports import find_number, read_report

NUMBERS = {"wall": 2.0, "cpu": 1.5, "memory": 4096.0, "involuntary_switches": 3.0, "pressure": 0.25}
ORDER = RunOrder(("xz",), Metric.CPU, server=Server("serve", 8080, 30.0))


def step(name: str, code: int = 0, timed_out: bool = False, **more):
    return {"step": name, "code": code, "timed_out": timed_out, "exceeded": "", "seconds": 1.0} | {
        "head": b"said",
        "tail": b"",
        "size_bytes": 4,
        **more,
    }


def report(failed=None, **numbers):
    return {"failed": failed, "run": step("run"), "numbers": NUMBERS | numbers, "left_behind": 1}


def test_a_plain_run_has_wall_cpu_and_memory():
    expected = ((Metric.WALL, 2.0), (Metric.CPU, 1.5), (Metric.MEMORY, 4096.0))

    read = read_report(report(), ORDER, None)

    assert isinstance(read, RunReport)
    assert read == RunReport(expected, Gauges(3, 0.25), left_behind=1, output=read.output)


def output_of(said: bytes, pattern: str = "", size_bytes: int | None = None) -> str:
    run = step(
        "run", head=said[:6], tail=said[6:], size_bytes=len(said) if size_bytes is None else size_bytes
    )
    metric = Metric.PRINTED if pattern else Metric.CPU
    read = read_report(report() | {"run": run}, RunOrder(("xz",), metric, pattern=pattern), None)
    assert isinstance(read, RunReport)
    return read.output


def test_what_is_printed_has_a_digest_that_tells_outputs_apart():
    assert output_of(b"so it is") == output_of(b"so it is")
    assert len({output_of(each) for each in (b"", b"\0", b"so it is", b"so it is\n", b"\xff", b"\xfe")}) == 6
    assert output_of(b"so it is", size_bytes=200_000) != output_of(b"so it is", size_bytes=200_001)


def test_the_number_that_is_measured_is_no_difference_in_what_is_printed():
    pattern = r"took ([0-9.]+)"

    assert output_of(b"took 99 s, took 5", pattern) == output_of(b"took 100 s, took 7.5", pattern)
    assert output_of(b"took 99 s, took 5", pattern) != output_of(b"took 99 min, took 5", pattern)
    assert output_of(b"took 99 of 3", pattern) != output_of(b"took 99 of 4", pattern)


def test_a_run_under_perf_has_instructions_as_well():
    read = read_report(report(), RunOrder(("xz",), Metric.INSTRUCTIONS, Meter.PERF), 77.0)

    assert isinstance(read, RunReport)
    assert dict(read.metrics) == {
        Metric.WALL: 2.0,
        Metric.CPU: 1.5,
        Metric.MEMORY: 4096.0,
        Metric.INSTRUCTIONS: 77.0,
    }


def test_a_run_under_callgrind_has_instructions_only():
    order = RunOrder(("xz",), Metric.INSTRUCTIONS, Meter.VALGRIND)

    read = read_report(report(), order, 77.0)

    assert isinstance(read, RunReport)
    assert read.metrics == ((Metric.INSTRUCTIONS, 77.0),)


@pytest.mark.parametrize(
    ("failed", "reason"),
    [
        (step("run", 3), "The benchmark ended with exit code 3."),
        (step("run", -11), "The benchmark ended with segmentation fault (SIGSEGV)."),
        (step("run", timed_out=True), "The benchmark did not end within 300 s."),
        (step("setup", 1), "The setup ended with exit code 1."),
        (step("setup", timed_out=True), "The setup did not end within 300 s."),
        (step("warm-up run", 1), "The warm-up run ended with exit code 1."),
        (step("teardown", 1), "The teardown ended with exit code 1."),
        (
            step("server", 1, how="ended"),
            "The server ended with exit code 1 before it answered on port 8080.",
        ),
        (step("server", how="never answered"), "The server did not answer on port 8080 within 30 s."),
        (step("server", how="port in use"), "Port 8080 is already in use, so the server was not started."),
    ],
)
def test_a_step_that_fails_is_named_with_its_output(failed, reason):
    read = read_report(report(failed), ORDER, None)

    assert isinstance(read, Failed)
    assert (read.reason, read.output) == (reason, "said")


def test_a_time_limit_under_valgrind_says_that_it_is_slow():
    order = RunOrder(("xz",), Metric.INSTRUCTIONS, Meter.VALGRIND)

    read = read_report(report(step("run", timed_out=True)), order, None)

    assert isinstance(read, Failed)
    assert (
        read.reason
        == "The benchmark did not end within 300 s, under valgrind, which is 3 to 30 times slower."
    )


def test_what_took_too_long_says_how_long_it_was_let():
    for name in ("setup", "run", "warm-up run", "teardown"):
        read = read_report(report(step(name, timed_out=True)), ORDER, None)

        assert isinstance(read, Failed)
        assert (read.timed_out_after, read.is_lasting) == (300.0, True)


@pytest.mark.parametrize(
    ("failed", "is_lasting"),
    [
        (step("run", 3), True),
        (step("run", -9), True),
        (step("server", how="never answered"), True),
        (step("server", how="port in use"), False),
        (step("setup", 1, head=b"cp: No space left on device\n", size_bytes=28), False),
        (step("run", 1, head=b"No space left on device\n", tail=b"x" * 5000, size_bytes=5024), False),
    ],
)
def test_what_has_nothing_to_do_with_the_point_does_not_last(failed, is_lasting):
    read = read_report(report(failed), ORDER, None)

    assert isinstance(read, Failed)
    assert (read.is_lasting, read.timed_out_after) == (is_lasting, 0.0)


def test_a_meter_that_cannot_count_says_why():
    read = read_report(report(), RunOrder(("xz",), Metric.INSTRUCTIONS, Meter.VALGRIND), "It forked.")

    assert isinstance(read, Failed)
    assert (read.reason, read.output) == ("It forked.", "said")


@given(number=st.floats(allow_nan=False, allow_infinity=False), others=st.lists(st.integers()))
def test_the_last_number_is_found_whatever_came_before(number, others):
    output = "".join(f"took {other} ms\n" for other in others) + f"took {number!r} ms\nthe end\n"

    assert find_number(r"^took (\S+) ms$", output) == number


@pytest.mark.parametrize(
    ("output", "why"),
    [
        ("nothing", "The pattern 'took (.*)' was not found in the output."),
        ("took ages", "The pattern 'took (.*)' found 'ages', which is not a number."),
        ("took nan", "The pattern 'took (.*)' found 'nan', which is not finite."),
        ("took inf", "The pattern 'took (.*)' found 'inf', which is not finite."),
    ],
)
def test_what_is_no_number_is_told(output, why):
    assert find_number("took (.*)", output) == why
