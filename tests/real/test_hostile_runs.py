"""Benchmarks that try to reach what is not theirs: the runner, its channel, the programs of the meter."""

import os
from pathlib import Path

import pytest

from sonde.core.results import Metric
from sonde.effects.runs import BUILD, Meter, Runs, in_shell
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
def runs(tmp_path: Path) -> Runs:
    return open_runs("bubblewrap", tmp_path)


def test_descriptors_of_those_who_watch_cannot_be_taken(runs, build):
    said = printed(runs, f"python3 {BUILD}/taking.py", build)

    assert said.splitlines().count("watcher taken []") >= 1
    assert all(line.endswith("taken []") for line in said.splitlines() if line.startswith("watcher"))


def test_a_benchmark_that_ends_its_gauge_fails(runs, build):
    lines = "echo '1 1 1 1 0 0 0' >/proc/$PPID/fd/3; kill -9 $PPID; sleep 5"

    failed = fail(runs, order(*in_shell(lines)), build)

    assert "killed" in failed.reason


@pytest.mark.needs("valgrind")
def test_the_programs_of_the_meter_cannot_be_replaced(runs, build):
    lines = 'for file in "$VALGRIND_LIB"/*; do rm -f "$file"; echo forged >"$file" && echo replaced; done'

    said = printed(runs, lines, build, metric=Metric.INSTRUCTIONS, meter=Meter.CALLGRIND)

    assert "replaced" not in said
    assert "Read-only file system" in said


@pytest.mark.needs("valgrind")
@pytest.mark.parametrize("target", ["/dev/zero", "/etc/shadow"])
def test_links_in_the_place_of_counts_are_not_followed(runs, build, target):
    linking = f"cd /sonde/meter; ln -s {target} counts/1; ln -s {target} logs/log.1; mkfifo counts/2"
    wanted = order(*in_shell(linking), metric=Metric.INSTRUCTIONS, meter=Meter.CALLGRIND)

    assert measure(runs, wanted, build).metrics  # its own counts are there, the rest is not looked at


@pytest.mark.needs("valgrind")
def test_a_run_that_removes_its_counts_fails(runs, build):
    lines = "rm -rf /sonde/meter/counts /sonde/meter/logs; ln -s / /sonde/meter/logs; exit 9"
    wanted = order(*in_shell(lines), metric=Metric.INSTRUCTIONS, meter=Meter.CALLGRIND)

    assert "exit code" in fail(runs, wanted, build).reason


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
