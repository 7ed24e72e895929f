"""The steps of a run: failures in words, and nothing left behind."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sonde.core.results import Metric
from sonde.core.subject import Server, Surroundings
from sonde.effects.runs import SandboxRuns, in_shell
from sonde.effects.sandbox import Processes
from tests.real.run_orders import PROGRAM, fail, measure, open_runs, order, printed
from tests.real.sandboxes import BOTH, compile_program, living, long_sleep, wait_until

SERVE = (
    "import http.server as h; h.HTTPServer(('127.0.0.1', {port}), h.BaseHTTPRequestHandler).serve_forever()"
)
ASK = "import socket; socket.create_connection(('127.0.0.1', {port})).close()"


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_program(tmp_path_factory.mktemp("build")).parent


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state")


@pytest.fixture
def runs(kind, state) -> SandboxRuns:
    return open_runs(kind, state)


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
    mark = long_sleep(1)
    line = f"sh -c 'trap \"\" TERM; exec -a x sleep {mark}' & setsid sleep {mark} & sleep {mark}"

    failed = fail(runs, order(*in_shell(line), timeout_seconds=0.4), build)

    assert failed.reason == "The benchmark did not end within 0.4 s."
    assert living(mark) == []


@BOTH
def test_what_a_run_leaves_behind_is_ended_and_counted(runs, build):
    mark = long_sleep(2)
    line = f"(setsid sleep {mark} >/dev/null 2>&1 &); sleep {mark} & yes {mark} >/dev/null & exit 0"

    report = measure(runs, order(*in_shell(line)), build)

    assert report.left_behind == 3
    assert living(mark) == []


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
    runs = SandboxRuns(runs._sandbox, runs._state, Processes(), shared)
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
    mark = long_sleep(3)
    wanted = order(
        *in_shell("kill -0 $(cat id)"),
        setup=f"sleep {mark} >/dev/null 2>&1 & echo $! >id",
        teardown="kill -0 $(cat id)",
    )

    assert measure(runs, wanted, build).left_behind == 0
    assert living(mark) == []


def server(port: int, line: str = SERVE, timeout_seconds: float = 300.0) -> Server:
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
    port, mark = free_port(), long_sleep(4)

    failed = fail(runs, order(PROGRAM, server=server(port, f"import time; time.sleep({mark})", 0.5)), build)

    assert failed.reason == f"The server did not answer on port {port} within 0.5 s."
    assert living(mark) == []


def free_port() -> int:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as listening:
        number: int = listening.getsockname()[1]
        return number


@BOTH
def test_nothing_stays_when_sonde_is_killed_during_a_run(kind, runs, build, tmp_path):
    mark = long_sleep(5)
    code = (
        "from pathlib import Path\n"
        "from sonde.core.results import Metric\n"
        "from sonde.core.subject import Surroundings\n"
        "from sonde.effects.runs import *\n"
        "from sonde.effects.sandbox import *\n"
        f"sandbox = Bare() if {kind == 'bare'} else find_sandbox()\n"
        f"runs = SandboxRuns(sandbox, Path({str(tmp_path)!r}), Processes(), Surroundings())\n"
        f"line = '(setsid sleep {mark} &); setsid sleep {mark} & sleep {mark}'\n"
        f"runs.run(RunOrder(in_shell(line), Metric.CPU, setup='sleep {mark} &'), Path({str(build)!r}))\n"
    )
    sonde = subprocess.Popen([sys.executable, "-c", code])
    wait_until(lambda: len(living(f"sleep {mark}")) >= 4)

    sonde.send_signal(signal.SIGKILL)
    sonde.wait()

    wait_until(lambda: not living(mark) and not living(str(tmp_path)))
