"""Every instruction of all processes is counted once, by whatever system call they begin."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from sonde.core.results import Metric
from sonde.effects.runs import Meter, RunOrder, RunReport, SandboxRuns, in_shell
from tests.needed_programs import require_programs
from tests.real.run_orders import open_runs
from tests.slow_cases import slow_except

pytestmark = pytest.mark.needs("valgrind")

SOURCE = r"""
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
pid_t _Fork(void);
static char stack[1 << 20];

static void burn(long millions)
{
    long rounds = millions * 1000000 / 6; /* of six instructions each, by gcc and clang on x86-64 */
    for (volatile long i = 0; i < rounds; i++);
}
static int burn_child(void *none) { burn(6); _exit(0); }
static void *burn_thread(void *none) { burn(6); return NULL; }
static void *fork_thread(void *none)
{
    burn(6);
    if (fork() == 0) { burn(6); _exit(0); }
    return NULL;
}
static void in_threads(void *(*work)(void *))
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_create(threads + i, NULL, work, NULL);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
}

int main(int count, char **argv)
{
    const char *what = count > 1 ? argv[1] : "";
    char *six[] = {argv[0], "six", NULL}, line[4096];
    pid_t child;
    snprintf(line, sizeof line, "%s six", argv[0]);
    if (strcmp(what, "six") == 0) { burn(6); return 0; }
    burn(30);
#define CASE(name) if (strcmp(what, name) == 0)
    CASE("fork") if (fork() == 0) { burn(6); return 0; }
    CASE("fork, _exit") if (fork() == 0) _exit(0);
    CASE("fork, killed by itself") if (fork() == 0) { burn(6); raise(SIGKILL); }
    CASE("fork, killed") { if ((child = fork()) == 0) pause(); kill(child, SIGKILL); }
    CASE("fork, terminated") { if ((child = fork()) == 0) pause(); kill(child, SIGTERM); }
    CASE("fork, fork, fork")
        for (int depth = 0; depth < 3; depth++) {
            if (fork() != 0) break;
            burn(6);
        }
    CASE("fork thrice") for (int i = 0; i < 3; i++) if (fork() == 0) { burn(6); return 0; }
    CASE("fork, exec") if (fork() == 0) { burn(6); execv(argv[0], six); }
    CASE("fork, exec fails") if (fork() == 0) { burn(6); execl("/none", "none", NULL); _exit(1); }
    CASE("vfork, exec") if (vfork() == 0) { execv(argv[0], six); _exit(1); }
    CASE("vfork, exec fails") if (vfork() == 0) { execl("/none", "none", NULL); _exit(1); }
    CASE("posix_spawn") posix_spawn(&child, argv[0], NULL, NULL, six, environ);
    CASE("posix_spawn fails") posix_spawn(&child, "/none", NULL, NULL, six, environ);
    CASE("system") system(line);
    CASE("popen") pclose(popen(line, "r"));
    CASE("exec") execv(argv[0], six);
    CASE("exec fails") { execl("/none", "none", NULL); burn(6); }
    CASE("fexecve") fexecve(open("/proc/self/exe", O_RDONLY), six, environ);
    CASE("execveat") execveat(AT_FDCWD, argv[0], six, environ, 0);
    CASE("threads") in_threads(burn_thread);
    CASE("threads, fork") in_threads(fork_thread);
    CASE("_Fork") if (_Fork() == 0) { burn(6); _exit(0); }
    CASE("clone") clone(burn_child, stack + sizeof stack, SIGCHLD, NULL);
    CASE("SYS_fork") if (syscall(SYS_fork) == 0) { burn(6); _exit(0); }
    CASE("SYS_fork, exec") if (syscall(SYS_fork) == 0) execv(argv[0], six);
    CASE("SYS_fork, SYS_execve") if (syscall(SYS_fork) == 0) syscall(SYS_execve, argv[0], six, environ);
    CASE("SYS_execve") syscall(SYS_execve, argv[0], six, environ);
    CASE("fork, SYS_fork") {
        if (fork() == 0) _exit(0);
        burn(30);
        if (syscall(SYS_fork) == 0) _exit(0);
    }
    CASE("fork, SYS_fork in child") if (fork() == 0) { burn(30); if (syscall(SYS_fork) == 0) _exit(0); }
    CASE("fork, SYS_execve") {
        if (fork() == 0) _exit(0);
        burn(30);
        syscall(SYS_execve, argv[0], six, environ);
    }
    CASE("fork, long SYS_execve") if (fork() == 0) { burn(300); syscall(SYS_execve, argv[0], six, environ); }
    while (wait(NULL) > 0);
    return 0;
}
"""

# What is done -> million instructions, beside those that start a program (0.1) and a shell (0.2)
COUNTED = {
    "nothing": 30,
    "fork": 36,
    "fork, _exit": 30,
    "fork, killed by itself": 36,
    "fork, killed": 30,
    "fork, terminated": 30,
    "fork, fork, fork": 48,
    "fork thrice": 48,
    "fork, exec": 42,
    "fork, exec fails": 36,
    "vfork, exec": 36,
    "vfork, exec fails": 30,
    "posix_spawn": 36,
    "posix_spawn fails": 30,
    "system": 36,
    "popen": 36,
    "exec": 36,
    "exec fails": 36,
    "fexecve": 36,
    "execveat": 36,
    "threads": 48,
    "threads, fork": 66,
    "_Fork": 36,
    "clone": 36,
    "SYS_fork": 36,
    "SYS_fork, exec": 36,
    "SYS_fork, SYS_execve": 36,
    "SYS_execve": 36,
    "fork, SYS_fork": 60,
    "fork, SYS_fork in child": 60,
    "fork, SYS_execve": 66,
    "fork, long SYS_execve": 336,
}
FEW = ("fork", "fork, killed", "fork, exec", "vfork, exec", "posix_spawn", "threads, fork", "SYS_execve")


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    require_programs(["cc"], os.environ)
    folder = tmp_path_factory.mktemp("build")
    words = ["cc", "-O0", "-w", "-pthread", "-x", "c", "-"]
    subprocess.run([*words, "-o", folder / "dynamic"], input=SOURCE, text=True, check=True)
    static = subprocess.run(
        [*words, "-static", "-o", folder / "static"], input=SOURCE, text=True, check=False
    )
    if static.returncode == 0 and shutil.which("strip"):
        subprocess.run(["strip", folder / "static", "-o", folder / "stripped"], check=True)
    return folder


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> SandboxRuns:
    return open_runs("bare", tmp_path_factory.mktemp("state"))


def count(runs: SandboxRuns, build: Path, *argv: str) -> float | str:
    """Million instructions, or why they cannot be counted."""
    came = runs.run(RunOrder(argv, Metric.INSTRUCTIONS, Meter.VALGRIND), build)
    return dict(came.metrics)[Metric.INSTRUCTIONS] / 1e6 if isinstance(came, RunReport) else came.reason


def count_program(runs: SandboxRuns, build: Path, program: str, what: str) -> float | str:
    if not (build / program).exists():
        pytest.skip("static programs cannot be made here: the static C library or strip is missing")
    return count(runs, build, f"/sonde/build/{program}", what)


@pytest.mark.parametrize("program", slow_except(["dynamic"], ["dynamic", "static", "stripped"]))
@pytest.mark.parametrize(("what", "millions"), slow_except(FEW, COUNTED.items()))
def test_every_process_is_counted_once(runs, build, program, what, millions):
    assert count_program(runs, build, program, what) == pytest.approx(millions, abs=0.8)


@pytest.mark.parametrize(
    "what", slow_except(["fork, exec"], ["fork, exec", "SYS_fork", "SYS_execve", "fork, long SYS_execve"])
)
def test_the_same_is_counted_in_the_sandbox(tmp_path, build, what):
    runs = open_runs("bubblewrap", tmp_path)

    assert count_program(runs, build, "dynamic", what) == pytest.approx(COUNTED[what], abs=0.8)


SIX = "/sonde/build/dynamic six"
LINES = {
    f"{SIX} | {SIX} | cat": 12,
    f"({SIX}; true); {SIX} & wait": 12,
    f"x=$({SIX}); exec {SIX}": 12,
    f"for i in 1 2 3; do {SIX}; done": 18,
    f"env -i {SIX}": 6,
    f"echo six | xargs /sonde/build/dynamic; timeout 60 {SIX}": 12,
}


@pytest.mark.parametrize("shell", slow_except(["sh"], ["sh", "bash"]))
@pytest.mark.parametrize(("line", "millions"), slow_except([*LINES][:2], LINES.items()))
def test_shells_are_counted_once(runs, build, shell, line, millions):
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")

    # A shell and the small programs that it starts take up to 3 million themselves.
    assert count(runs, build, shell, "-c", line) == pytest.approx(millions + 1.5, abs=1.5)


IMPORTS = "import multiprocessing.pool, os, subprocess"
POOL = (
    "with multiprocessing.get_context('fork').Pool(2) as pool: pool.map(os.system, ['/sonde/build/dynamic'])"
)
PYTHON = (
    "subprocess.run(['/sonde/build/dynamic'])",
    "subprocess.run('/sonde/build/dynamic; true', shell=True, close_fds=False)",
    "subprocess.run(['/sonde/build/dynamic'], preexec_fn=lambda: None)",
    "os.fork() or os._exit(os.system('/sonde/build/dynamic')); os.wait()",
    POOL,
)


@pytest.fixture(scope="module")
def python_alone(runs, build) -> float | str:
    return count(runs, build, "/usr/bin/python3", "-c", IMPORTS)


@pytest.mark.parametrize("code", slow_except(PYTHON[:1], PYTHON))
def test_python_is_counted_once(runs, build, python_alone, code):
    both = count(runs, build, "/usr/bin/python3", "-c", f"{IMPORTS}\n{code}")

    assert isinstance(both, float), both
    assert both - python_alone == pytest.approx(30, abs=8)  # Python's own a second time would be 90 more


@pytest.mark.slow
def test_a_shell_line_of_many_processes_is_counted_the_same_each_time(runs, build):
    line = in_shell(f"for i in 1 2 3; do (echo $i | cat) & done; wait; {SIX}")

    first, second = count(runs, build, *line), count(runs, build, *line)

    assert isinstance(first, float), first
    assert first == pytest.approx(second, rel=0.01)
