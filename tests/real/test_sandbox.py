"""Processes in the sandbox and without it."""

import os
import signal
import subprocess
import sys
import threading

import pytest

from sonde.core.errors import MissingTool
from sonde.effects.sandbox import Abandoned, Bare, Mount, Processes, Sandbox, SandboxView
from sonde.effects.sandbox.worlds import PATH
from tests.real.sandboxes import BOTH, living, open_sandbox, wait_until


@pytest.fixture
def processes() -> Processes:
    return Processes()


@pytest.fixture
def mark(request: pytest.FixtureRequest) -> str:
    """A number of seconds to sleep that no other process sleeps."""
    return f"86{abs(hash((request.node.name, os.getpid()))) % 10**8:08d}"


def shell(processes: Processes, line: str, sandbox: Sandbox, world: SandboxView | None = None, **limits):
    return processes.run(("sh", "-c", line), sandbox=sandbox, world=world or SandboxView(), **limits)


@BOTH
def test_exit_code_and_output_are_told(kind, processes):
    ended = shell(processes, "echo out; echo err >&2; exit 3", open_sandbox(kind))

    assert (ended.code, ended.timed_out, ended.output, ended.left_behind) == (3, False, "out\nerr\n", 0)


@BOTH
def test_a_program_that_is_missing_is_told_as_a_shell_would(kind, processes):
    ended = processes.run(("no-such-program",), sandbox=open_sandbox(kind))

    assert ended.code == 127
    assert ended.output == "sonde: cannot run 'no-such-program': No such file or directory\n"


@BOTH
def test_a_signal_is_told_as_a_negative_code(kind, processes):
    assert shell(processes, "kill -SEGV $$", open_sandbox(kind)).code == -signal.SIGSEGV


@BOTH
def test_no_signal_is_ignored_by_inheritance(kind, processes):
    ended = shell(processes, "grep SigIgn /proc/self/status", open_sandbox(kind))

    of_the_c_library = 1 << 31 | 1 << 32  # posix_spawn ignores the two signals that threads use
    assert int(ended.output.split()[1], 16) & ~of_the_c_library == 0


@BOTH
def test_only_the_variables_of_the_world_are_there(kind, processes):
    world = SandboxView(variables=(("PATH", PATH), ("ANSWER", "42")))

    ended = processes.run(("env",), sandbox=open_sandbox(kind), world=world)

    assert sorted(ended.output.splitlines()) == ["ANSWER=42", f"PATH={PATH}"]


@BOTH
def test_a_file_can_be_given_to_read(kind, processes, tmp_path):
    (tmp_path / "text").write_text("content")
    world = SandboxView((Mount(tmp_path, "/sonde/tree"),), folder="/sonde/tree")

    assert (
        processes.run(("cat",), sandbox=open_sandbox(kind), world=world, stdin="/sonde/tree/text").output
        == "content"
    )


@BOTH
def test_targets_in_words_variables_and_folder_are_placed(kind, processes, tmp_path):
    (tmp_path / "text").write_text("content")
    world = SandboxView(
        (Mount(tmp_path, "/sonde/tree"),), "/sonde/tree", (("PATH", PATH), ("TREE", "/sonde/tree"))
    )

    ended = shell(processes, "cat /sonde/tree/text $TREE/text text", open_sandbox(kind), world)

    assert ended.output == "content" * 3


@BOTH
def test_children_that_were_left_behind_are_ended(kind, processes, mark):
    family = f"sleep {mark} & echo begun; sleep {mark}"
    line = f"(setsid sleep {mark} >/dev/null 2>&1 &); {{ setsid sh -c '{family}' & }} | head -n 1"

    ended = shell(processes, line, open_sandbox(kind))

    assert (ended.code, ended.output) == (0, "begun\n")
    assert ended.left_behind >= 3
    assert living(mark) == []


@BOTH
def test_one_that_never_ends_is_ended_with_all_its_children(kind, processes, mark):
    sandbox, line = open_sandbox(kind), f"setsid sleep {mark} & echo begun; sleep {mark}"

    for seconds in (0.3, 3.0, 30.0, 300.0):  # as long as a busy machine takes to begin
        ended = shell(processes, line, sandbox, timeout_seconds=seconds)
        assert ended.timed_out
        assert living(mark) == []
        if ended.output:
            break

    assert ended.output == "begun\n"


@BOTH
def test_one_that_forks_all_the_time_is_ended(kind, processes, mark):
    code = f"import os\nwhile True:\n  if os.fork() == 0: os.execvp('sleep', ['sleep', '{mark}'])\n"

    ended = processes.run(("/usr/bin/python3", "-c", code), sandbox=open_sandbox(kind), timeout_seconds=0.3)

    assert ended.timed_out
    assert living(mark) == []


@BOTH
def test_one_that_ignores_signals_is_ended(kind, processes, mark):
    line = f"trap '' TERM HUP INT; sleep {mark}; sleep {mark}"

    assert shell(processes, line, open_sandbox(kind), timeout_seconds=0.3).timed_out
    assert living(mark) == []


@BOTH
def test_a_gigabyte_of_output_is_taken_in_little_memory(kind, tmp_path):
    open_sandbox(kind)
    code = (
        "import resource\n"
        "from sonde.effects.sandbox import *\n"
        f"sandbox = Bare() if {kind == 'bare'} else find_sandbox()\n"
        "line = 'echo first; head -c 1000000000 /dev/zero; echo last'\n"
        "ended = Processes().run(('sh', '-c', line), sandbox=sandbox, keep_bytes=1000)\n"
        # Not ru_maxrss of this process, which knows the size of the tests that started it.
        "own = int(open('/proc/self/status').read().split('VmHWM:')[1].split()[0])\n"
        "peak = max(own, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
        "print(ended.code, ended.size_bytes, len(ended.head), len(ended.tail), peak < 64 << 10)\n"
        "print(ended.output.startswith('first'), ended.output.endswith('last\\n'))\n"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stdout.split() == ["0", "1000000011", "1000", "1000", "True", "True", "True"]


@BOTH
def test_everything_can_be_ended_from_another_thread(kind, processes, mark):
    sandbox = open_sandbox(kind)
    told: list[object] = []

    def work():
        try:
            told.append(shell(processes, f"setsid sleep {mark} & sleep {mark}", sandbox))
        except Abandoned as interrupted:
            told.append(interrupted)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    wait_until(lambda: len(living(f"sleep {mark}")) >= 6)
    processes.end_all()
    for thread in threads:
        thread.join()

    assert [type(each) for each in told] == [Abandoned] * 3
    assert living(mark) == []
    assert shell(processes, "exit 5", sandbox).code == 5  # others can follow


@BOTH
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_nothing_stays_when_sonde_is_killed(kind, mark, number):
    open_sandbox(kind)
    code = (
        # Whoever runs the tests in the background lets them ignore this signal.
        "import signal\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from sonde.effects.sandbox import *\n"
        f"sandbox = Bare() if {kind == 'bare'} else find_sandbox()\n"
        f"line = '(setsid sleep {mark} &); setsid sh -c \"sleep {mark}; sleep {mark}\" & sleep {mark}'\n"
        "Processes().run(('sh', '-c', line), sandbox=sandbox)\n"
    )
    sonde = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
    wait_until(lambda: len(living(f"sleep {mark}")) >= 3)

    sonde.send_signal(number)
    sonde.wait()

    wait_until(lambda: not living(mark))


@BOTH
def test_nothing_stays_when_sonde_is_killed_while_it_starts_something(kind, mark):
    open_sandbox(kind)
    code = (
        "import os, signal, sys\n"
        "from sonde.effects.sandbox import *\n"
        f"sandbox = Bare() if {kind == 'bare'} else find_sandbox()\n"
        "processes, calls, end = Processes(), 0, int(sys.argv[1])\n"
        "def count(*_):\n"
        "    global calls\n"
        "    calls += 1\n"
        "    if calls == end: os.kill(os.getpid(), signal.SIGKILL)\n"
        "sys.setprofile(count)\n"
        f"processes.run(('sh', '-c', 'setsid sleep {mark} & true'), sandbox=sandbox)\n"
        "sys.setprofile(None)\n"
        "print(calls)\n"
    )

    def run(end: int) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run([sys.executable, "-c", code, str(end)], stdout=subprocess.PIPE, check=False)

    calls = int(run(0).stdout)
    codes = {run(end).returncode for end in range(1, calls, calls // 15)}  # the moment is what is tested

    assert -signal.SIGKILL in codes
    wait_until(lambda: not living(mark))


def test_there_is_no_network_in_the_sandbox(processes):
    code = "import socket; socket.create_connection(('192.0.2.1', 80), timeout=5)"

    ended = processes.run(("/usr/bin/python3", "-c", code), sandbox=open_sandbox("bubblewrap"))

    assert "Network is unreachable" in ended.output


def test_the_loopback_of_the_sandbox_is_its_own(processes):
    code = "import socket; s = socket.create_server(('127.0.0.1', 1025)); print(socket.if_nameindex())"

    ended = processes.run(("/usr/bin/python3", "-c", code), sandbox=open_sandbox("bubblewrap"))

    assert ended.output == "[(1, 'lo')]\n"


def test_only_writable_mounts_can_be_written_in_the_sandbox(processes, tmp_path):
    for name in ("tree", "shown"):
        (tmp_path / name).mkdir()
    mounts = (
        Mount(tmp_path / "tree", "/sonde/tree", writable=True),
        Mount(tmp_path / "shown", "/sonde/shown"),
    )
    files = "/x /usr/x /etc/x /sonde/x /sonde/shown/x /sonde/tree/x"
    line = f"for file in {files}; do (: >$file) 2>/dev/null && echo $file; done"

    ended = shell(processes, line, open_sandbox("bubblewrap"), SandboxView(mounts))

    assert ended.output == "/sonde/tree/x\n"
    assert (tmp_path / "tree" / "x").stat().st_uid == os.geteuid()


def test_other_files_and_processes_are_out_of_sight_in_the_sandbox(processes, tmp_path):
    (tmp_path / "secret").write_text("")
    hidden = f"{tmp_path}/secret /root/.ssh /home /etc/shadow /var"
    line = f"ls {hidden} 2>&1 | grep -vc 'No such file'; ls /proc | grep -c '^[0-9]'"

    ended = shell(processes, line, open_sandbox("bubblewrap"))
    cannot_be_seen, number_of_processes = ended.output.split()

    assert cannot_be_seen == "0"
    assert int(number_of_processes) < 10


def test_there_are_no_rights_in_the_sandbox(processes):
    ended = shell(
        processes, "id -u; grep CapEff /proc/self/status; mount -t tmpfs x /tmp", open_sandbox("bubblewrap")
    )

    assert ended.output.split()[:3] == ["1000", "CapEff:", "0000000000000000"]
    assert ended.code != 0


@pytest.mark.needs("cc")
def test_a_compiler_works_in_the_sandbox(processes, tmp_path):
    (tmp_path / "a.c").write_text(
        '#include <math.h>\n#include <stdio.h>\nint main(void) { puts("ran"); return 0; }\n'
    )
    world = SandboxView((Mount(tmp_path, "/sonde/tree", writable=True),), folder="/sonde/tree")

    assert shell(processes, "cc -o a a.c -lm && ./a", open_sandbox("bubblewrap"), world).output == "ran\n"


def test_a_mount_that_is_missing_is_an_error_that_names_it(processes, tmp_path):
    world = SandboxView((Mount(tmp_path / "missing", "/sonde/tree"),))

    with pytest.raises(MissingTool, match=r"Can't find source path .*missing"):
        processes.run(("true",), sandbox=open_sandbox("bubblewrap"), world=world)


def test_a_working_folder_that_is_missing_is_told(processes):
    ended = processes.run(("true",), sandbox=Bare(), world=SandboxView(folder="/no/such/folder"))

    assert ended.output == "sonde: cannot work in '/no/such/folder': No such file or directory\n"
    assert not ended.succeeded
