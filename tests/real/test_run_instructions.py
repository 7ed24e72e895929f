"""Instructions of real benchmarks, counted by callgrind and perf."""

from dataclasses import replace
from pathlib import Path

import pytest

from sonde.core.errors import MissingTool
from sonde.core.results import Metric
from sonde.effects.runs import Meter, SandboxRuns, choose_meter, in_shell
from sonde.effects.sandbox import Processes
from tests.real.run_orders import PROGRAM, fail, measure, open_runs, open_runs_without_compiler, order
from tests.real.sandboxes import BOTH, compile_program


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_program(tmp_path_factory.mktemp("build")).parent


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state")


@pytest.fixture
def runs(kind, state) -> SandboxRuns:
    return open_runs(kind, state)


@pytest.fixture
def runs_without_compiler(kind, monkeypatch, tmp_path) -> SandboxRuns:
    return open_runs_without_compiler(kind, tmp_path, monkeypatch)


def counted(runs: SandboxRuns, build: Path, *argv: str, **fields) -> float:
    wanted = order(*argv, metric=Metric.INSTRUCTIONS, meter=Meter.VALGRIND, **fields)
    report = measure(runs, wanted, build)
    assert [metric for metric, _ in report.metrics] == [Metric.INSTRUCTIONS]
    return report.metrics[0][1]


@BOTH
@pytest.mark.needs("valgrind")
def test_instructions_repeat_exactly(runs, build):
    assert counted(runs, build, PROGRAM, "burn", "100000") == counted(runs, build, PROGRAM, "burn", "100000")


@BOTH
@pytest.mark.needs("valgrind")
def test_instructions_of_all_processes_are_summed_once(runs, build):
    start = counted(runs, build, PROGRAM)
    million = counted(runs, build, PROGRAM, "burn", "1000000") - start

    # Each forked child burns two millions, and none counts again what its parent did before.
    assert counted(runs, build, PROGRAM, "fork", "3") == pytest.approx(start + 7 * million, rel=0.01)
    # Each program that a process becomes burns one million, and none is lost.
    assert counted(runs, build, PROGRAM, "become", "3") == pytest.approx(3 * (start + million), rel=0.01)
    # The shell in between is small.
    assert counted(runs, build, PROGRAM, "system") == pytest.approx(2 * start + 3 * million, rel=0.05)


@BOTH
@pytest.mark.needs("valgrind")
@pytest.mark.parametrize(
    ("argv", "reason"),
    [
        ((PROGRAM, "exit", "3"), "The benchmark ended with exit code 3."),
        ((PROGRAM, "crash"), "The benchmark ended with segmentation fault (SIGSEGV)."),
        (("no-such-program",), "The benchmark ended with exit code 127."),
    ],
)
def test_exit_codes_are_seen_through_callgrind(runs, build, argv, reason):
    wanted = order(*argv, metric=Metric.INSTRUCTIONS, meter=Meter.VALGRIND)

    assert fail(runs, wanted, build).reason == reason


@BOTH
@pytest.mark.needs("valgrind")
def test_output_under_callgrind_is_that_of_the_benchmark_alone(runs, build):
    wanted = order(*in_shell("echo only this; exit 3"), metric=Metric.INSTRUCTIONS, meter=Meter.VALGRIND)

    assert fail(runs, wanted, build).output == "only this\n"


@BOTH
@pytest.mark.needs("perf", "valgrind")
def test_exit_codes_are_seen_through_perf_even_where_it_cannot_count(runs, build):
    wanted = order(PROGRAM, "exit", "3", metric=Metric.INSTRUCTIONS, meter=Meter.PERF)

    for _ in range(20):  # perf itself would now and then lose it
        assert fail(runs, wanted, build).reason == "The benchmark ended with exit code 3."
    crashed = replace(wanted, argv=(PROGRAM, "crash"))
    assert fail(runs, crashed, build).reason == "The benchmark ended with segmentation fault (SIGSEGV)."
    if choose_meter(Metric.INSTRUCTIONS, Processes(), runs._sandbox) is Meter.VALGRIND:
        uncounted = fail(runs, replace(wanted, argv=(PROGRAM,)), build)
        assert uncounted.reason == "The run ended well, but its instructions could not be counted."


@BOTH
def test_perf_without_a_compiler_is_refused(runs_without_compiler, build):
    with pytest.raises(MissingTool, match="needs a C compiler"):
        runs_without_compiler.run(order(PROGRAM, metric=Metric.INSTRUCTIONS, meter=Meter.PERF), build)
