"""Sandboxes and small programs for the tests that run real processes."""

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sonde.effects.sandbox import Bare, Bubblewrap, Sandbox, Unavailable, find_sandbox
from tests.needed_programs import require_programs

BOTH = pytest.mark.parametrize("kind", ["bubblewrap", "bare"])

PROGRAM = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void burn(long rounds) { for (volatile long i = 0; i < rounds; i++); }

int main(int count, char **argv)
{
    const char *what = count > 1 ? argv[1] : "";
    long number = count > 2 ? atol(argv[2]) : 0;
    if (strcmp(what, "burn") == 0)
        burn(number);
    if (strcmp(what, "touch") == 0)
        memset(malloc(number), 1, number);
    if (strcmp(what, "spin") == 0) { /* so many ms of processor time */
        while (clock() < number * (CLOCKS_PER_SEC / 1000));
        printf("spun %f s\n", (double)clock() / CLOCKS_PER_SEC);
    }
    if (strcmp(what, "crash") == 0)
        *(volatile int *)0 = 1;
    if (strcmp(what, "address") == 0)
        printf("address %lu\n", (unsigned long)&count);
    if (strcmp(what, "fork") == 0) {
        burn(1000000);
        for (int child = 0; child < number; child++)
            if (fork() == 0) { burn(2000000); return 0; }
        while (wait(NULL) > 0);
    }
    if (strcmp(what, "become") == 0) { /* so many programs in one process, each of which burns */
        burn(1000000);
        char next[32];
        snprintf(next, sizeof next, "%ld", number - 1);
        if (number > 1)
            execl(argv[0], argv[0], "become", next, (char *)NULL);
    }
    if (strcmp(what, "system") == 0) {
        char line[4096];
        burn(1000000);
        snprintf(line, sizeof line, "%s burn 2000000", argv[0]);
        return WEXITSTATUS(system(line));
    }
    return strcmp(what, "exit") == 0 ? (int)number : 0;
}
"""


def open_sandbox(kind: str) -> Sandbox:
    """The sandbox of that kind; skips the test where it does not work."""
    if kind == "bare":
        return Bare()
    require_programs(["bwrap"], os.environ)
    found = find_sandbox()
    if isinstance(found, Unavailable):
        pytest.skip(found.reason)
    assert isinstance(found, Bubblewrap)
    return found


def compile_program(folder: Path) -> Path:
    """A program that burns, touches, crashes and forks as it is told: `<folder>/program`."""
    require_programs(["cc"], os.environ)
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "program"
    subprocess.run(["cc", "-O0", "-x", "c", "-o", program, "-"], input=PROGRAM, text=True, check=True)
    return program


def long_sleep(number: int) -> str:
    """A number of seconds that nobody else sleeps: no other test, nor this one in another process."""
    return f"8{number:02}{os.getpid():07}"


def living(mark: str) -> list[str]:
    """The command lines of all living processes in which `mark` occurs."""
    lines = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue  # it has ended meanwhile
            if mark in line:
                lines.append(line)
    return lines


def wait_until(is_true: Callable[[], bool], seconds: float = 300.0) -> None:
    """Return as soon as it is true; fail if it never becomes so. The limit only ends what hangs."""
    give_up = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < give_up, "it did not become true"
        time.sleep(0.005)
