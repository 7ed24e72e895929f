"""How a process ended, in values and in words."""

from __future__ import annotations

import signal
from dataclasses import dataclass

_FAMILIAR = {
    signal.SIGABRT: "aborted",
    signal.SIGBUS: "bus error",
    signal.SIGFPE: "arithmetic error",
    signal.SIGILL: "illegal instruction",
    signal.SIGKILL: "killed, perhaps for lack of memory",
    signal.SIGPIPE: "broken pipe",
    signal.SIGSEGV: "segmentation fault",
    signal.SIGTERM: "terminated",
    signal.SIGXCPU: "out of CPU time",
    signal.SIGXFSZ: "file too large",
}


@dataclass(frozen=True)
class Ended:
    """What came of a process."""

    code: int  # the exit code, or a signal's number below zero; 127: it could not be run
    timed_out: bool  # it was ended when its time was over; `code` then means nothing
    seconds: float
    head: bytes  # of stdout and stderr, as they came
    tail: bytes  # what came after `head`; its end, if that is long
    size_bytes: int  # of all that was printed
    left_behind: int  # processes that it left, and that had to be ended
    exceeded: str = ""  # the limit because of which it was ended; `code` then means nothing
    is_known: bool = True  # False: who watched over it was killed, so nothing is known of the command

    @property
    def succeeded(self) -> bool:
        """Whether it ended by itself, with exit code 0."""
        return self.code == 0 and not self.timed_out and not self.exceeded

    @property
    def output(self) -> str:
        """What it printed; where too much was printed to be kept, a line says so."""
        left_out = self.size_bytes - len(self.head) - len(self.tail)
        gap = f"\n[... {left_out} bytes left out ...]\n".encode() if left_out > 0 else b""
        return (self.head + gap + self.tail).decode(errors="replace")

    def last_output(self, size_bytes: int) -> str:
        """The end of what it printed, from the beginning of a line on."""
        printed = self.tail if len(self.tail) >= size_bytes else self.head + self.tail
        if len(printed) <= size_bytes and len(printed) == self.size_bytes:
            return printed.decode(errors="replace")
        end = printed[-size_bytes:]
        return (end.partition(b"\n")[2] or end).decode(errors="replace")


def name_ending(code: int) -> str:
    """An exit code or signal in words: `exit code 3`, `segmentation fault (SIGSEGV)`."""
    if code >= 0:
        return f"exit code {code}"
    try:
        number = signal.Signals(-code)
    except ValueError:
        return f"signal {-code}"
    return f"{_FAMILIAR[number]} ({number.name})" if number in _FAMILIAR else f"signal {number.name}"
