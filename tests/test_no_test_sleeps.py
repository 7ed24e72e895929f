"""Tests wait for what happens, never for a time."""

import ast
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).parent
WAITING = TESTS / "real" / "sandboxes.py"  # its `wait_until` looks again and again, and fails in the end
CLOCKS = {"sleep", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time"}


def clocks_in(text: str) -> Iterator[int]:
    """The lines that sleep or read a clock; to hand a clock on is no use of it."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            match node.func:
                case ast.Attribute(value=ast.Name(id="time"), attr=name) if name in CLOCKS:
                    yield node.lineno
                case ast.Name(id=name) if name in CLOCKS:
                    yield node.lineno


def test_no_test_sleeps_or_reads_a_clock():
    files = [file for file in sorted(TESTS.rglob("*.py")) if file != WAITING]

    found = [f"{file.relative_to(TESTS)}:{line}" for file in files for line in clocks_in(file.read_text())]

    assert not found, "wait for a file, a pipe or the state of a process, as `wait_until` does"


def test_a_use_of_a_clock_is_found():
    assert list(clocks_in("import time\ntime.sleep(1)\nask(time.monotonic)\n")) == [2]
    assert list(clocks_in("from time import perf_counter\nbegan = perf_counter()\n")) == [2]
