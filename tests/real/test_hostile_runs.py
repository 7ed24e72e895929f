"""Benchmarks that try to reach what is not theirs: the runner, its channel, the programs of the meter."""

import os
from pathlib import Path

import pytest

from sonde.core.results import Failed, Metric
from sonde.effects.runs import BUILD, Meter, RunOrder, SandboxRuns, in_shell
from sonde.effects.runs.counter import NOT_OURS
from sonde.effects.runs.runs import TOO_MUCH
from tests.real.run_orders import fail, measure, open_runs, order, printed

pytestmark = pytest.mark.needs("bwrap")

TAKING = r"""
import ctypes, os

PIDFD_OPEN, PIDFD_GETFD = 434, 438
libc = ctypes.CDLL(None)
for name in filter(str.isdigit, os.listdir("/proc")):
    if int(name) not in (1, os.getpid()):
        line = open(f"/proc/{name}/cmdline").read()
        if "sonde/inside" in line or line.startswith("/sonde/gauge"):
            watcher = libc.syscall(PIDFD_OPEN, int(name), 0)
            taken = [each for each in range(32) if libc.syscall(PIDFD_GETFD, watcher, each, 0) >= 0]
            for each in range(32):
                try:
                    taken.append(os.open(f"/proc/{name}/fd/{each}", os.O_RDWR | os.O_NONBLOCK))
                except OSError:
                    pass
            print("watcher", "taken", taken)
"""


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("build")
    (folder / "taking.py").write_text(TAKING)
    return folder


@pytest.fixture
def runs(tmp_path: Path) -> SandboxRuns:
    return open_runs("bubblewrap", tmp_path)


def test_descriptors_of_those_who_watch_cannot_be_taken(runs, build):
    said = printed(runs, f"python3 {BUILD}/taking.py", build)

    assert said.splitlines().count("watcher taken []") >= 1
    assert all(line.endswith("taken []") for line in said.splitlines() if line.startswith("watcher"))


TRACING = r"""
import ctypes, os

ATTACH, DETACH, OF_ANY_KIND = 16, 17, 0x40000000
libc = ctypes.CDLL(None)
ours = os.getpid(), os.getppid()
for name in filter(str.isdigit, os.listdir("/proc")):
    if int(name) not in ours and libc.ptrace(ATTACH, int(name), 0, 0) == 0:
        os.waitpid(int(name), OF_ANY_KIND)
        libc.ptrace(DETACH, int(name), 0, 0)
        print("traced", name)
print("tried")
"""


def test_no_process_that_watches_can_be_traced(runs, tmp_path):
    """It could be made to start programs whose work would count for nobody."""
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "tracing.py").write_text(TRACING)

    assert printed(runs, f"python3 {BUILD}/tracing.py", tmp_path / "build") == "tried\n"


def test_no_setting_of_the_kernel_can_be_written(runs, build):
    """They belong to root, whose number code inside has if root has started Sonde."""
    line = "find /proc -writable -not -type l -not -path '/proc/[0-9]*' 2>/dev/null; echo looked"

    assert printed(runs, line, build) == "looked\n"


@pytest.mark.parametrize(
    "line", ["kill -INT 1", "prlimit --pid 1 --nofile=0:0", "prlimit --pid 1 --data=0:0"]
)
def test_what_a_run_does_to_its_runner_is_no_mistake_of_sonde(runs, build, line):
    wanted = order(*in_shell(f"{line}; seq 100000"), warmups=1)

    outcome = runs.run(wanted, build)

    assert not isinstance(outcome, Failed) or not outcome.is_lasting


def test_a_benchmark_that_ends_its_gauge_fails(runs, build):
    lines = "echo '1 1 1 1 0 0 0' >/proc/$PPID/fd/3; kill -9 $PPID; sleep 5"

    failed = fail(runs, order(*in_shell(lines)), build)

    assert "killed" in failed.reason


def counting(lines: str) -> RunOrder:
    return order(*in_shell(lines), metric=Metric.INSTRUCTIONS, meter=Meter.VALGRIND)


def counted(runs: SandboxRuns, lines: str, build: Path) -> float:
    return dict(measure(runs, counting(lines), build).metrics)[Metric.INSTRUCTIONS]


@pytest.mark.needs("valgrind")
def test_the_programs_of_the_meter_cannot_be_replaced(runs, build):
    lines = (
        'for file in "$VALGRIND_LIB"/*; do rm -f "$file"; '
        'test -p "$file" || { echo forged >"$file" && echo replaced; }; done'
    )

    said = printed(runs, lines, build, metric=Metric.INSTRUCTIONS, meter=Meter.VALGRIND)

    assert "replaced" not in said
    assert "Read-only file system" in said


WORK = "seq 100000 >/sonde/scratch/seen"
UNCOUNTED = {
    "taken from the pipe": f"{WORK}; cat <$VALGRIND_LIB/counts >taken & sleep 3; kill $!",
    "made readable": f"{WORK}; chmod 600 $VALGRIND_LIB/counts; timeout 3 cat $VALGRIND_LIB/counts",
    "removed": f"rm -f $VALGRIND_LIB/counts; mkfifo $VALGRIND_LIB/counts; {WORK}",
    "left out by a variable": f"export VALGRIND_OPTS='--trace-children-skip=*'; sh -c '{WORK}; true'",
    "left out by its words": f"export VALGRIND_OPTS='--trace-children-skip-by-arg=*'; sh -c '{WORK}; true'",
    "left out by a file": f"echo '--trace-children-skip=*' >.valgrindrc; sh -c '{WORK}; true'",
    "counted elsewhere": f"export VALGRIND_OPTS=--counts=/dev/null; sh -c '{WORK}; true'",
    "seen by another tool": f"export VALGRIND_OPTS=--tool=none; sh -c '{WORK}; true'",
}


@pytest.mark.needs("valgrind")
@pytest.mark.parametrize("trick", UNCOUNTED)
def test_a_run_cannot_take_back_what_it_executed(runs, build, trick):
    honest = counted(runs, f"{WORK}; true", build)

    assert counted(runs, f"{UNCOUNTED[trick]}; true", build) > honest


@pytest.mark.needs("valgrind")
@pytest.mark.parametrize("line", ["-1000000", "a", "9" * 30])
def test_what_is_no_count_is_not_taken_for_one(runs, build, line):
    failed = fail(runs, counting(f"echo {line} >$VALGRIND_LIB/counts"), build)

    assert failed.reason == NOT_OURS


@pytest.mark.needs("valgrind")
def test_links_in_the_place_of_logs_are_not_followed(runs, build):
    lines = "rm -rf /sonde/meter/logs; ln -s / /sonde/meter/logs; exit 9"

    assert "exit code" in fail(runs, counting(lines), build).reason


@pytest.mark.needs("valgrind")
def test_logs_without_end_are_looked_through_in_part(runs, build):
    lines = (
        "cd /sonde/meter/logs; for name in a b c; do echo odd >$name; truncate -s 500M $name; done; exit 9"
    )

    assert len(fail(runs, counting(lines), build).output) < 1 << 20


@pytest.mark.needs("valgrind")
def test_an_instrument_is_not_read_if_the_run_has_written_too_much(runs, build):
    lines = "cd /sonde/meter/logs; truncate -s 900M a; truncate -s 900M b"

    assert fail(runs, counting(lines), build).reason == TOO_MUCH


DENIED = r"""
import ctypes

libc = ctypes.CDLL(None, use_errno=True)
for name, number in (("mount", 165), ("bpf", 321), ("keyctl", 250), ("pidfd_getfd", 438), ("getpid", 39)):
    found = libc.syscall(number, 0, 0, 0, 0, 0)
    print(name, "denied" if found < 0 and ctypes.get_errno() == 1 else "allowed")
"""


def test_system_calls_that_nobody_needs_are_denied(runs, tmp_path):
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "calling.py").write_text(DENIED)

    said = printed(runs, f"unshare --user --map-root-user python3 {BUILD}/calling.py", tmp_path / "build")

    told = "mount denied\nbpf denied\nkeyctl denied\npidfd_getfd denied\ngetpid allowed\n"
    assert said == told


def test_folders_in_memory_have_a_limit(runs, build):
    said = printed(runs, "df --output=size -B1 /tmp /dev/shm | tail -n 2", build)

    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    assert all(abs(int(size) - memory // 4) < 1 << 20 for size in said.split())
