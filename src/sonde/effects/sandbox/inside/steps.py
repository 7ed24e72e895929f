"""Runs one command at a time: takes its output, keeps its time limit, and notices when Sonde is gone."""

from __future__ import annotations

import fcntl
import os
import select
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from sonde.effects.sandbox.inside import keeper, limits
else:
    import keeper
    import limits

PIPE_BYTES = 1 << 20
PAUSE_SECONDS = 0.001
LOOK_SECONDS = 0.5  # between looks at what the limits limit
CANNOT_RUN = 127  # as shells say it

# Python ignores some signals, and whoever started Sonde may have others ignored; a command finds none.
_SIGNALS = [number for number in range(1, 65) if number not in (9, 19, 32, 33)]


class Output:
    """The beginning and the end of what a command prints; what lies between is counted only."""

    def __init__(self, keep_bytes: int) -> None:
        self.keep_bytes = keep_bytes
        self.head = bytearray()
        self.tail = bytearray()
        self.size_bytes = 0

    def add(self, content: memoryview) -> None:
        """Take note of more output."""
        self.size_bytes += len(content)
        room = self.keep_bytes - len(self.head)
        if room > 0:
            self.head += content[:room]
            content = content[room:]
        self.tail += content[-self.keep_bytes :]
        if len(self.tail) > 2 * self.keep_bytes:
            del self.tail[: -self.keep_bytes]

    def report(self) -> dict[str, Any]:
        """What is known of the output, for the report."""
        return {
            "head": bytes(self.head),
            "tail": bytes(self.tail[-self.keep_bytes :]),
            "size_bytes": self.size_bytes,
        }


class Child:
    """A command that runs, and the pipe that its output comes through."""

    def __init__(
        self,
        argv: list[str],
        variables: Mapping[str, str],
        stdin: str,
        output: Output,
        report: int = -1,  # appears as descriptor 3, if there is one
    ) -> None:
        self.output = output
        self.pipe, writer = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self.is_wide = _widen(self.pipe)
        os.set_blocking(writer, True)
        actions: list[Any] = [
            (os.POSIX_SPAWN_OPEN, 0, stdin or os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_DUP2, writer, 1),
            (os.POSIX_SPAWN_DUP2, writer, 2),
        ]
        if report >= 0:
            actions.append((os.POSIX_SPAWN_DUP2, report, 3))
        os.environ["PATH"] = variables.get("PATH", os.defpath)  # where posix_spawnp searches
        self.began = time.monotonic()
        self.process = 0
        self.ended = -1
        self.problem = ""
        try:
            self.process = os.posix_spawnp(
                argv[0], argv, variables, file_actions=actions, setsid=True, setsigmask=[], setsigdef=_SIGNALS
            )
            self.ended = os.pidfd_open(self.process)
        except OSError as error:
            self.problem = f"cannot run {argv[0]!r}: {error.strerror}"
            output.add(memoryview(f"sonde: {self.problem}\n".encode()))
        finally:
            os.close(writer)

    def take_output(self) -> bool:
        """Whether more may come, after all that is in the pipe now is taken."""
        try:
            size = os.readv(self.pipe, [_buffer])
        except BlockingIOError:
            return True
        self.output.add(memoryview(_buffer)[:size])
        return size > 0

    def wait(self) -> tuple[int, Any, float]:
        """Exit code (below 0: a signal), resources and seconds, once it has ended."""
        if not self.process:
            return CANNOT_RUN, None, 0.0
        _, status, usage = os.wait4(self.process, 0)
        seconds = time.monotonic() - self.began
        self.take_output()
        os.close(self.ended)
        os.close(self.pipe)
        return os.waitstatus_to_exitcode(status), usage, seconds


_buffer = bytearray(PIPE_BYTES)


def _widen(pipe: int) -> bool:
    """Whether the pipe holds so much that its writer need not be waited for at every line."""
    try:
        return fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE_BYTES) >= PIPE_BYTES
    except OSError:
        return False  # an ordinary user may own only so many pages of pipes


class Watch:
    """Waits for children, takes the output of all of them, and ends everything when Sonde is gone."""

    def __init__(self, channel: int, most: Mapping[str, Any]) -> None:
        self.channel = channel
        self.most = most  # see `limits`
        self.exceeded = ""  # the limit that was
        self.look_at = time.monotonic() + LOOK_SECONDS
        self.others: list[Child] = []  # run beside the one that is waited for

    def ended_in_time(self, child: Child, timeout_seconds: float) -> bool:
        """Whether `child` ended before so much time had passed since it began, and within the limits."""
        self.exceeded = ""
        if not child.process:
            return True
        deadline = child.began + timeout_seconds
        calm = select.poll()
        calm.register(self.channel, select.POLLIN)
        calm.register(child.ended, select.POLLIN)
        everything = select.poll()
        pipes = {each.pipe: each for each in (child, *self.others) if each.process}
        for descriptor in (self.channel, child.ended, *pipes):
            everything.register(descriptor, select.POLLIN)
        while (left := deadline - time.monotonic()) > 0:
            wait = min(left, self.look_at - time.monotonic())
            ready = {descriptor for descriptor, _ in everything.poll(max(wait, 0) * 1000 + 1)}
            if self.channel in ready:
                keeper.abandon()
            if child.ended in ready:
                return True
            if self._is_over():
                return False
            for pipe in ready:
                if not pipes[pipe].take_output():
                    everything.unregister(pipe)
            # Woken at every line, we would take the processor from the one who is measured.
            if child.is_wide and ready:
                calm.poll(PAUSE_SECONDS * 1000)
        return False

    def _is_over(self) -> bool:
        """Whether a limit is exceeded; it is not looked up often."""
        if time.monotonic() < self.look_at:
            return False
        self.exceeded = limits.exceeded(self.most)
        self.look_at = time.monotonic() + LOOK_SECONDS
        return bool(self.exceeded)
