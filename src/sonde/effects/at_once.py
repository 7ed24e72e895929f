"""Several tasks at once, each in a process of its own that begins as a copy of this one."""

from __future__ import annotations

import ctypes
import os
import pickle
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")

_SET_DEATH_SIGNAL = 1  # <linux/prctl.h>


def at_once(tasks: Sequence[Callable[[], T]]) -> list[T]:
    """What each task gives, in their order; the first one is done here.

    What the others give must be something that can be pickled. They are for computing: whatever else a task
    changes is lost with its process. One that fails, or whose process is ended by others, is done again here.
    """
    if len(tasks) < 2 or processors() < 2:
        return [task() for task in tasks]
    _libc()  # once, before there are copies
    copies: list[_Copy] = []
    try:
        with suppress(OSError):  # there cannot be more processes
            for task in tasks[1:]:
                copies.append(_begin(task))
        first = tasks[0]()
        found = [_result(copy.rest(), task) for copy, task in zip(copies, tasks[1:], strict=False)]
        return [first, *found, *(task() for task in tasks[1 + len(copies) :])]
    finally:
        for copy in copies:
            copy.end()


def processors() -> int:
    """How many of them this process may use."""
    return len(os.sched_getaffinity(0))


@dataclass(frozen=True)
class _Copy:
    """A copy of this process that does a task."""

    process: int
    answers: int  # a pipe

    def rest(self) -> bytes:
        """What it says until it ends."""
        pieces = []
        while piece := os.read(self.answers, 1 << 20):
            pieces.append(piece)
        return b"".join(pieces)

    def end(self) -> None:
        os.close(self.answers)
        with suppress(ProcessLookupError):
            os.kill(self.process, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(self.process, 0)


def _begin(task: Callable[[], object]) -> _Copy:
    answers, saying = os.pipe()
    parent = os.getpid()
    try:
        process = os.fork()
    except OSError:
        os.close(answers)
        os.close(saying)
        raise
    if process:
        os.close(saying)
        return _Copy(process, answers)
    try:  # from here on in the copy, which must never come back
        _libc().prctl(_SET_DEATH_SIGNAL, int(signal.SIGKILL), 0, 0, 0)
        if os.getppid() == parent:
            with os.fdopen(saying, "wb") as file:
                file.write(pickle.dumps(task()))
    finally:
        os._exit(0)


def _result(said: bytes, task: Callable[[], T]) -> T:
    try:
        found: T = pickle.loads(said)
    except (EOFError, pickle.UnpicklingError):
        return task()
    return found


@cache
def _libc() -> Any:
    return ctypes.CDLL(None)
