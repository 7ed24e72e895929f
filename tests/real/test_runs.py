"""Runs of real benchmarks: right numbers, exact environment, failures in words, nothing left behind."""

import os
import resource
import signal
import statistics
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from sonde.core.errors import MissingTool
from sonde.core.results import Failed, Metric, Stage
from sonde.core.subject import Server, Surroundings
from sonde.effects.runs import (
    BUILD,
    SCRATCH,
    Meter,
    RunOrder,
    RunReport,
    Runs,
    choose_meter,
    in_shell,
    stage_inputs,
)
from sonde.effects.runs.inputs import MODIFIED_AT
from sonde.effects.sandbox import Processes
from tests.real.sandboxes import BOTH, compile_program, living, open_sandbox
from tests.real.test_sandbox import wait_until

PROGRAM = f"{BUILD}/program"
MEGABYTE = 1 << 20


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_program(tmp_path_factory.mktemp("build")).parent


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state")


@pytest.fixture
def runs(kind, state) -> Runs:
    return Runs(open_sandbox(kind), state, Processes(), Surroundings())


@pytest.fixture
def runs_without_compiler(kind, state, monkeypatch, tmp_path) -> Runs:
    """As on a machine that has no C compiler."""
    sandbox = open_sandbox(kind)
    monkeypatch.setenv("PATH", str(tmp_path))
    return Runs(sandbox, tmp_path, Processes(), Surroundings())


def order(*argv: str, **fields) -> RunOrder:
    return RunOrder(argv, fields.pop("metric", Metric.CPU), **fields)


def measure(runs: Runs, wanted: RunOrder, build: Path, inputs: Path | None = None) -> RunReport:
    report = runs.run(wanted, build, inputs)
    assert isinstance(report, RunReport), report
    return report


def least_cpu(runs: Runs, wanted: RunOrder, build: Path) -> float:
    """Of three runs: a machine that is busy, or stands still for a moment, can only add."""
    return min(dict(measure(runs, wanted, build).metrics)[Metric.CPU] for _ in range(3))


def fail(runs: Runs, wanted: RunOrder, build: Path, inputs: Path | None = None) -> Failed:
    failed = runs.run(wanted, build, inputs)
    assert isinstance(failed, Failed), failed
    assert failed.stage is Stage.RUN
    return failed


def printed(runs: Runs, line: str, build: Path, inputs: Path | None = None, **fields) -> str:
    """What a shell line prints; it is made to fail, since only failures show their output."""
    return fail(runs, order(*in_shell(f"{line}\nexit 9"), **fields), build, inputs).output


@BOTH
def test_processor_time_is_what_the_kernel_accounts_for(runs, build):
    def outside() -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([build / "program", "burn", "30000000"], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def inside() -> float:
        return dict(measure(runs, order(PROGRAM, "burn", "30000000"), build).metrics)[Metric.CPU]

    ratios = [inside() / outside() for _ in range(15)]

    assert statistics.median(ratios) == pytest.approx(1.0, rel=0.2)


@BOTH
def test_processor_time_of_a_spinning_program_is_exact(runs, build):
    assert least_cpu(runs, order(PROGRAM, "spin", "200"), build) == pytest.approx(0.2, rel=0.1)


@BOTH
def test_wall_time_is_at_least_what_was_slept(runs, build):
    values = dict(measure(runs, order("sleep", "0.2"), build).metrics)

    assert values[Metric.WALL] >= 0.2
    assert values[Metric.CPU] < 0.1


@BOTH
def test_processor_time_of_children_and_of_orphans_counts(runs, build):
    line = f"{PROGRAM} spin 50; (setsid {PROGRAM} spin 50 &); {PROGRAM} spin 200"

    assert least_cpu(runs, order(*in_shell(line)), build) == pytest.approx(0.3, rel=0.1)


@BOTH
def test_peak_memory_is_what_the_program_touches(runs, build):
    little = dict(measure(runs, order(PROGRAM), build).metrics)[Metric.MEMORY]
    much = dict(measure(runs, order(PROGRAM, "touch", str(50 * MEGABYTE)), build).metrics)[Metric.MEMORY]

    assert 0.3 * MEGABYTE < little < 2 * MEGABYTE
    assert much - little == pytest.approx(50 * MEGABYTE, rel=0.02)


@BOTH
def test_without_a_compiler_small_memory_is_left_out_and_large_is_right(runs_without_compiler, build):
    little = dict(measure(runs_without_compiler, order(PROGRAM), build).metrics)
    much = dict(measure(runs_without_compiler, order(PROGRAM, "touch", str(50 * MEGABYTE)), build).metrics)

    assert set(little) == {Metric.WALL, Metric.CPU}
    assert much[Metric.MEMORY] == pytest.approx(51 * MEGABYTE, rel=0.03)


@BOTH
def test_without_a_compiler_the_metric_memory_fails_in_words(runs_without_compiler, build):
    failed = fail(runs_without_compiler, order(PROGRAM, metric=Metric.MEMORY), build)

    assert failed.reason.endswith("Install a C compiler (package gcc).")


@BOTH
def test_gauges_tell_of_a_busy_machine(runs, build):
    rivals = [
        subprocess.Popen([build / "program", "spin", "60000"]) for _ in range(2 * (os.cpu_count() or 1))
    ]
    try:
        gauges = measure(runs, order(PROGRAM, "spin", "200"), build).gauges
    finally:
        for rival in rivals:
            rival.kill()
            rival.wait()

    assert gauges.involuntary_switches > 0
    assert 0 <= gauges.pressure <= 1


@BOTH
def test_the_environment_is_what_was_promised_and_nothing_else(runs, build):
    lines = set(printed(runs, "env", build, variables=(("ANSWER", "42"),)).splitlines())

    names = {line.partition("=")[0] for line in lines}
    assert names == {
        "PATH",
        "HOME",
        "LC_ALL",
        "TZ",
        "PYTHONHASHSEED",
        "PERL_HASH_SEED",
        "ANSWER",
        "PWD",
    }  # PWD: the shell's
    assert {"LC_ALL=C.UTF-8", "TZ=UTC", "PYTHONHASHSEED=0", "PERL_HASH_SEED=0", "ANSWER=42"} <= lines


@BOTH
def test_paths_are_the_same_in_each_run_and_the_scratch_folder_is_fresh(runs, build):
    line = f"pwd; echo $HOME {BUILD} {SCRATCH}; ls -A; touch left"

    first, second = (printed(runs, line, build) for _ in range(2))

    assert first == second
    assert "left" not in second


def test_paths_in_the_sandbox_are_fixed(state, build):
    runs = Runs(open_sandbox("bubblewrap"), state, Processes(), Surroundings())

    assert (
        printed(runs, "pwd; echo $HOME; ls /sonde/build", build)
        == "/sonde/scratch\n/sonde/scratch\nprogram\n"
    )


@BOTH
def test_nothing_of_a_run_stays_on_disk(runs, build, state):
    measure(runs, order(*in_shell("mkdir -p a/b; touch a/b/c; chmod 0 a/b a; ln -s / root")), build)

    assert list((state / "scratch").iterdir()) == []


def test_the_build_cannot_be_changed_by_a_run_in_the_sandbox(state, build):
    runs = Runs(open_sandbox("bubblewrap"), state, Processes(), Surroundings())

    assert "Read-only file system" in printed(runs, "touch /sonde/build/x", build)


@BOTH
def test_inputs_appear_in_the_scratch_folder_with_fixed_times(runs, build, state, tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "corpus").write_text("content")
    (tmp_path / "top").write_text("top")
    inputs = stage_inputs(tmp_path, ["deep/corpus", "top"], state)

    output = printed(runs, "cat deep/corpus top; stat -c ' %Y' deep/corpus", build, inputs.path)

    assert output == f"contenttop {MODIFIED_AT}\n"


@BOTH
def test_a_run_cannot_change_the_staged_inputs(runs, build, state, tmp_path):
    (tmp_path / "corpus").write_text("content")
    inputs = stage_inputs(tmp_path, ["corpus"], state)

    printed(runs, "echo other >corpus; rm -f corpus", build, inputs.path)

    assert (inputs.path / "corpus").read_text() == "content"


@BOTH
def test_a_file_of_the_scratch_folder_can_be_read_from_stdin(runs, build, state, tmp_path):
    (tmp_path / "corpus").write_text("content")
    inputs = stage_inputs(tmp_path, ["corpus"], state)

    assert printed(runs, "cat", build, inputs.path, stdin="corpus") == "content"


@BOTH
@pytest.mark.parametrize(
    ("argv", "reason"),
    [
        ((PROGRAM, "exit", "3"), "The benchmark ended with exit code 3."),
        ((PROGRAM, "crash"), "The benchmark ended with segmentation fault (SIGSEGV)."),
        (in_shell("kill -KILL $$"), "The benchmark ended with killed, perhaps for lack of memory (SIGKILL)."),
        (in_shell("kill -USR1 $$"), "The benchmark ended with signal SIGUSR1."),
        (("no-such-program",), "The benchmark ended with exit code 127."),
    ],
)
def test_a_run_that_ends_badly_has_failed(runs, build, argv, reason):
    assert fail(runs, order(*argv), build).reason == reason


@BOTH
def test_other_exit_codes_can_count_as_success(runs, build):
    measure(runs, order(PROGRAM, "exit", "3", exit_codes=(0, 3)), build)

    assert (
        fail(runs, order(PROGRAM, exit_codes=(3,)), build).reason == "The benchmark ended with exit code 0."
    )


@BOTH
def test_a_failure_shows_the_end_of_the_output(runs, build):
    output = printed(runs, "seq 1000000; echo the reason >&2", build)

    assert output.endswith("999999\n1000000\nthe reason\n")
    assert len(output) <= 4000


@BOTH
def test_a_run_that_never_ends_is_ended_with_its_children(runs, build):
    line = "sh -c 'trap \"\" TERM; exec -a x sleep 8612340001' & setsid sleep 8612340001 & sleep 8612340001"

    failed = fail(runs, order(*in_shell(line), timeout_seconds=0.4), build)

    assert failed.reason == "The benchmark did not end within 0.4 s."
    assert living("8612340001") == []


@BOTH
def test_what_a_run_leaves_behind_is_ended_and_counted(runs, build):
    line = (
        "(setsid sleep 8612340002 >/dev/null 2>&1 &); sleep 8612340002 & yes 8612340002 >/dev/null & exit 0"
    )

    report = measure(runs, order(*in_shell(line)), build)

    assert report.left_behind == 3
    assert living("8612340002") == []


@BOTH
def test_a_gigabyte_of_output_is_no_failure(runs, build):
    wanted = order(
        *in_shell("head -c 1000000000 /dev/zero; echo speed 17"), metric=Metric.PRINTED, pattern="speed (.*)"
    )

    assert dict(measure(runs, wanted, build).metrics)[Metric.PRINTED] == 17


@BOTH
def test_the_last_number_that_the_benchmark_prints_counts(runs, build):
    line = "echo 'took 3.5 ms'; echo 'took 2.5e3 ms' >&2"

    report = measure(runs, order(*in_shell(line), metric=Metric.PRINTED, pattern=r"took (\S+) ms"), build)

    assert dict(report.metrics)[Metric.PRINTED] == 2500
    assert Metric.WALL in dict(report.metrics)


@BOTH
def test_a_number_that_is_not_printed_is_a_failure_with_the_output(runs, build):
    failed = fail(runs, order("echo", "nothing", metric=Metric.PRINTED, pattern=r"took (\d+)"), build)

    assert failed.reason == "The pattern 'took (\\\\d+)' was not found in the output."
    assert failed.output == "nothing\n"


@BOTH
def test_a_benchmark_cannot_write_the_report_itself(runs, build):
    line = "for fd in 3 4 5 6 7 8 9; do (echo 1 1 1 1 1 0 1 >&$fd) 2>/dev/null && echo wrote to $fd; done"

    assert printed(runs, line, build) == ""


@BOTH
def test_steps_come_in_order_and_warmups_are_repeated(runs, build):
    wanted = order(
        *in_shell("echo run >>log"), setup="echo setup >>log", warmups=2, teardown="cat log; exit 7"
    )

    failed = fail(runs, wanted, build)

    assert failed.reason == "The teardown ended with exit code 7."
    assert failed.output == "setup\nrun\nrun\nrun\n"


@BOTH
def test_a_setup_that_fails_ends_the_run_but_not_the_teardown(runs, build, tmp_path):
    shared = Surroundings(writable=(str(tmp_path),))
    runs = Runs(runs._sandbox, runs._state, Processes(), shared)
    wanted = order(PROGRAM, setup="echo no room; exit 1", teardown=f"touch {tmp_path}/torn-down")

    failed = fail(runs, wanted, build)

    assert (failed.reason, failed.output) == ("The setup ended with exit code 1.", "no room\n")
    assert (tmp_path / "torn-down").exists()


@BOTH
def test_a_warmup_that_fails_ends_the_run(runs, build):
    wanted = order(*in_shell("test -e first && exit 3; touch first"), warmups=2)

    assert fail(runs, wanted, build).reason == "The warm-up run ended with exit code 3."


@BOTH
def test_what_the_setup_starts_lives_until_the_teardown(runs, build):
    wanted = order(
        *in_shell("kill -0 $(cat id)"),
        setup="sleep 8612340003 >/dev/null 2>&1 & echo $! >id",
        teardown="kill -0 $(cat id)",
    )

    assert measure(runs, wanted, build).left_behind == 0
    assert living("8612340003") == []


SERVE = (
    "import http.server as h; h.HTTPServer(('127.0.0.1', {port}), h.BaseHTTPRequestHandler).serve_forever()"
)
ASK = "import socket; socket.create_connection(('127.0.0.1', {port})).close()"


def server(port: int, line: str = SERVE, timeout_seconds: float = 20.0) -> Server:
    return Server(f'/usr/bin/python3 -c "{line.format(port=port)}"', port, timeout_seconds)


@BOTH
def test_a_server_answers_during_the_run_and_is_gone_after_it(runs, build):
    port = free_port()

    report = measure(
        runs, order("/usr/bin/python3", "-c", ASK.format(port=port), server=server(port), warmups=1), build
    )

    assert report.left_behind == 0
    assert living(f"'127.0.0.1', {port}") == []


@BOTH
def test_a_server_that_ends_at_once_is_a_failure(runs, build):
    port = free_port()

    failed = fail(runs, order(PROGRAM, server=server(port, "raise SystemExit('no licence')")), build)

    assert failed.reason == f"The server ended with exit code 1 before it answered on port {port}."
    assert failed.output == "no licence\n"


@BOTH
def test_a_server_that_never_answers_is_a_failure(runs, build):
    port = free_port()

    failed = fail(
        runs, order(PROGRAM, server=server(port, "import time; time.sleep(8612340004)", 0.5)), build
    )

    assert failed.reason == f"The server did not answer on port {port} within 0.5 s."
    assert living("8612340004") == []


def free_port() -> int:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as listening:
        number: int = listening.getsockname()[1]
        return number


@BOTH
def test_addresses_are_fixed_unless_they_shall_be_random(runs, build):
    def addresses(aslr: bool) -> set[float]:
        wanted = order(PROGRAM, "address", metric=Metric.PRINTED, pattern=r"address (\d+)", aslr=aslr)
        return {dict(measure(runs, wanted, build).metrics)[Metric.PRINTED] for _ in range(4)}

    assert len(addresses(aslr=False)) == 1
    assert len(addresses(aslr=True)) > 1


@BOTH
def test_without_a_compiler_all_but_memory_is_the_same(runs_without_compiler, build):
    runs = runs_without_compiler
    wanted = order(PROGRAM, "address", metric=Metric.PRINTED, pattern=r"address (\d+)")
    left = order(*in_shell("setsid sleep 8612340006 >/dev/null 2>&1 & exit 0"))

    assert len({dict(measure(runs, wanted, build).metrics)[Metric.PRINTED] for _ in range(3)}) == 1
    assert least_cpu(runs, order(PROGRAM, "spin", "200"), build) == pytest.approx(0.2, rel=0.1)
    assert (
        fail(runs, order(PROGRAM, "crash"), build).reason
        == "The benchmark ended with segmentation fault (SIGSEGV)."
    )
    assert fail(runs, order("no-such-program"), build).reason == "The benchmark ended with exit code 127."
    assert fail(runs, order("sleep", "8612340006", timeout_seconds=0.2), build).reason.startswith(
        "The benchmark did not"
    )
    assert measure(runs, left, build).left_behind == 1
    assert living("8612340006") == []


def counted(runs: Runs, build: Path, *argv: str, **fields) -> float:
    wanted = order(*argv, metric=Metric.INSTRUCTIONS, meter=Meter.CALLGRIND, **fields)
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
    wanted = order(*argv, metric=Metric.INSTRUCTIONS, meter=Meter.CALLGRIND)

    assert fail(runs, wanted, build).reason == reason


@BOTH
@pytest.mark.needs("valgrind")
def test_output_under_callgrind_is_that_of_the_benchmark_alone(runs, build):
    wanted = order(*in_shell("echo only this; exit 3"), metric=Metric.INSTRUCTIONS, meter=Meter.CALLGRIND)

    assert fail(runs, wanted, build).output == "only this\n"


@BOTH
@pytest.mark.needs("perf", "valgrind")
def test_exit_codes_are_seen_through_perf_even_where_it_cannot_count(runs, build):
    wanted = order(PROGRAM, "exit", "3", metric=Metric.INSTRUCTIONS, meter=Meter.PERF)

    for _ in range(20):  # perf itself would now and then lose it
        assert fail(runs, wanted, build).reason == "The benchmark ended with exit code 3."
    crashed = replace(wanted, argv=(PROGRAM, "crash"))
    assert fail(runs, crashed, build).reason == "The benchmark ended with segmentation fault (SIGSEGV)."
    if choose_meter(Metric.INSTRUCTIONS, Processes(), runs._sandbox) is Meter.CALLGRIND:
        uncounted = fail(runs, replace(wanted, argv=(PROGRAM,)), build)
        assert uncounted.reason == "The run ended well, but its instructions could not be counted."


@BOTH
def test_perf_without_a_compiler_is_refused(runs_without_compiler, build):
    with pytest.raises(MissingTool, match="needs a C compiler"):
        runs_without_compiler.run(order(PROGRAM, metric=Metric.INSTRUCTIONS, meter=Meter.PERF), build)


@BOTH
def test_nothing_stays_when_sonde_is_killed_during_a_run(kind, runs, build, tmp_path):
    code = (
        "from pathlib import Path\n"
        "from sonde.core.results import Metric\n"
        "from sonde.core.subject import Surroundings\n"
        "from sonde.effects.runs import *\n"
        "from sonde.effects.sandbox import *\n"
        f"sandbox = Bare() if {kind == 'bare'} else find_sandbox()\n"
        f"runs = Runs(sandbox, Path({str(tmp_path)!r}), Processes(), Surroundings())\n"
        "line = '(setsid sleep 8612340005 &); setsid sleep 8612340005 & sleep 8612340005'\n"
        f"runs.run(RunOrder(in_shell(line), Metric.CPU, setup='sleep 8612340005 &'), Path({str(build)!r}))\n"
    )
    sonde = subprocess.Popen([sys.executable, "-c", code])
    wait_until(lambda: len(living("sleep 8612340005")) >= 4)

    sonde.send_signal(signal.SIGKILL)
    sonde.wait()

    wait_until(lambda: not living("8612340005") and not living(str(tmp_path)))
