"""Holds on to all processes that a command begins, so that none is left when it ends."""

# pathlib and contextlib take long to import.
# ruff: noqa: PTH123, PTH208, SIM105

from __future__ import annotations

import marshal
import os
import time

TYPE_CHECKING = False  # `typing` takes long to import
if TYPE_CHECKING:
    import signal
    from collections.abc import Set
    from typing import Any
else:
    import _signal as signal  # without the enumerations, which take long to import

READY = b"R"
MEETS = "meets"  # the only word of a message that is no report: this program waits for the other one
LENGTH_BYTES = 8
PATIENCE_SECONDS = 10.0

SET_DEATH_SIGNAL, SET_DUMPABLE, SET_CHILD_SUBREAPER = 1, 4, 36  # <linux/prctl.h>
NO_RANDOM_ADDRESSES = 0x0040000  # <linux/personality.h>


def listen(channel: int) -> dict[str, Any]:
    """The order that Sonde sends; ends this process if there is none.

    Sonde sends it only after it has heard that this process runs: from then on nothing can be left behind.
    Before anything else runs, this process is made one that nobody of the same user can trace, or take the
    channel from.
    """
    os.set_inheritable(channel, False)
    _call("prctl", SET_DUMPABLE, 0, 0, 0, 0)
    signal.signal(signal.SIGTERM, _leave)
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever sends it gets no traceback out of us
    os.write(channel, READY)
    length = _read(channel, LENGTH_BYTES)
    order: dict[str, Any] = marshal.loads(_read(channel, int.from_bytes(length, "big")))
    return order


def _read(channel: int, size: int) -> bytes:
    content = b""
    while len(content) < size:
        part = os.read(channel, size - len(content))
        if not part:
            os._exit(1)
        content += part
    return content


def answer(channel: int, report: dict[str, Any]) -> None:
    """Send the report to Sonde."""
    content = written(report).encode()
    rest = memoryview(len(content).to_bytes(LENGTH_BYTES, "big") + content)
    while rest:
        rest = rest[os.write(channel, rest) :]


def meet(channel: int) -> None:
    """Wait until Sonde says that the other program is as far as this one; ends this process with Sonde."""
    answer(channel, {MEETS: True})
    _read(channel, len(READY))


def written(value: object) -> str:
    """A value as JSON, bytes in hexadecimal; `json` takes longer to import than all that is here."""
    if isinstance(value, dict):
        return "{" + ",".join(f"{written(name)}:{written(part)}" for name, part in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join(map(written, value)) + "]"
    if isinstance(value, str):
        return '"' + "".join(map(_letter, value)) + '"'
    if isinstance(value, bytes):
        return f'"{value.hex()}"'
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else repr(value)  # a number


def _letter(letter: str) -> str:
    if " " <= letter <= "~" and letter not in '"\\':
        return letter
    units = letter.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def become_reaper() -> None:
    """Make this process the parent of all its orphaned descendants, and the end of Sonde its own."""
    _call("prctl", SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    _call("prctl", SET_DEATH_SIGNAL, int(signal.SIGTERM), 0, 0, 0)


def fix_addresses() -> None:
    """Give all processes begun from here on the same addresses in each run."""
    _call("personality", NO_RANDOM_ADDRESSES)


def _call(name: str, *numbers: int) -> None:
    """Call a function of the C library; `ctypes` takes long to import, and the part of it in C does not."""
    import _ctypes

    program: Any = None  # its own symbols, those of the C library among them
    _ctypes.call_function(_ctypes.dlsym(_ctypes.dlopen(program, 0), name), numbers)


def abandon() -> None:
    """End all descendants, then this process: Sonde is gone."""
    end_descendants(frozenset())
    os._exit(1)


def _leave(_number: int, _frame: object) -> None:
    abandon()


def end_descendants(spared: Set[int]) -> int:
    """How many descendants of this reaper had to be ended; `spared` and their descendants live on.

    All are stopped before any is killed, so that none can begin another meanwhile.
    """
    stopped: set[int] = set()
    give_up = time.monotonic() + PATIENCE_SECONDS
    while new := _left(spared) - stopped:
        _send(new, signal.SIGSTOP)
        stopped |= new
    _send(stopped, signal.SIGKILL)
    while _left(spared) and time.monotonic() < give_up:
        _send(_left(spared), signal.SIGKILL)
        time.sleep(0.0005)
    return len(stopped)


def _left(spared: Set[int]) -> set[int]:
    if not has_children():
        return set()
    return descendants(os.getpid()) - _with_descendants(spared)


def has_children() -> bool:
    """Whether there are children, and so descendants, after those that have ended are taken away."""
    try:
        while os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG):
            pass
    except ChildProcessError:
        return False
    return True


def _send(processes: Set[int], number: int) -> None:
    for process in processes:
        try:
            os.kill(process, number)
        except (ProcessLookupError, PermissionError):
            pass  # gone already, or it is not ours any more (a program with other rights)


def _with_descendants(roots: Set[int]) -> set[int]:
    return set(roots).union(*(descendants(root) for root in roots))


def descendants(root: int) -> set[int]:
    """Every living process that descends from `root`."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            parent = _living_parent(name)
            if parent:
                children.setdefault(parent, []).append(int(name))
    found: set[int] = set()
    rest = [root]
    while rest:
        for child in children.get(rest.pop(), ()):
            found.add(child)
            rest.append(child)
    return found


def _living_parent(process: str) -> int:
    """The parent of a process, or 0 if it has ended."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            state, parent = file.read().rpartition(b")")[2].split()[:2]
    except OSError:
        return 0
    return 0 if state in b"ZX" else int(parent)
