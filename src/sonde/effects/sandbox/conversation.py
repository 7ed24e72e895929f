"""The talk with one program inside, from its start to its end."""

from __future__ import annotations

import contextlib
import marshal
import os
import select
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from sonde.effects.sandbox.answers import MOST_BYTES, NotUnderstood, parsed
from sonde.effects.sandbox.inside import keeper

Meet = Callable[[], contextlib.AbstractContextManager[None]]  # entered when both are there

START_SECONDS = 60.0
PATIENCE_SECONDS = keeper.PATIENCE_SECONDS + 5.0
COMPLAINT_BYTES = 1 << 16


class Conversation:
    """A socket to a program inside, and the process at its other end.

    `hang_up` may be called from another thread; whoever waits then hears nothing more.
    """

    def __init__(self) -> None:
        self._ours, self._theirs = socket.socketpair()
        self._process: subprocess.Popen[bytes] | None = None
        self._deadline = 0.0
        self.was_interrupted = False

    def begin(
        self, argv_for: Callable[[int, int], Sequence[str]], variables: Mapping[str, str], filter: bytes = b""
    ) -> bool:
        """Whether the program started.

        `argv_for` is given the number of its end of the socket, and that of a descriptor from which a filter
        can be read; below 0: there is none.
        """
        with self._theirs as theirs, _readable(filter) as filter_at:
            self._process = subprocess.Popen(
                argv_for(theirs.fileno(), filter_at),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                env=variables,
                cwd="/",
                pass_fds=(theirs.fileno(), *([filter_at] if filter_at >= 0 else [])),
                start_new_session=True,
            )
        self._deadline = time.monotonic() + START_SECONDS
        return self._hear(1) == keeper.READY

    def ask(
        self, order: dict[str, Any], timeout_seconds: float, meet: Meet | None = None
    ) -> dict[str, Any] | None:
        """The report on an order, or None if there is none in time, or ever. Raises NotUnderstood.

        A program that waits for another one goes on within `meet`, and has all its time again.
        """
        content = marshal.dumps(order)
        self._send(len(content).to_bytes(keeper.LENGTH_BYTES, "big") + content)
        report = self._hear_answer(timeout_seconds)
        if meet is not None and report is not None and keeper.MEETS in report:
            with meet():
                self._send(keeper.READY)
            report = self._hear_answer(timeout_seconds)
        return report

    def _send(self, message: bytes) -> None:
        with contextlib.suppress(OSError):  # then there is no answer either
            self._ours.sendall(message)

    def _hear_answer(self, timeout_seconds: float) -> dict[str, Any] | None:
        self._deadline = time.monotonic() + timeout_seconds
        length = int.from_bytes(self._hear(keeper.LENGTH_BYTES), "big")
        if length > MOST_BYTES:
            raise NotUnderstood(f"the answer announces {length:,} bytes")
        content = self._hear(length)
        return parsed(content) if content else None

    def _hear(self, size: int) -> bytes:
        """So many bytes, or none at all."""
        content = bytearray()
        while len(content) < size:
            self._ours.settimeout(max(self._deadline - time.monotonic(), 0.001))
            try:
                part = self._ours.recv(size - len(content))
            except OSError:
                return b""
            if not part:
                return b""
            content += part
        return bytes(content)

    def interrupt(self) -> None:
        """Make the program end everything and itself, and whoever waits for it stop waiting."""
        self.was_interrupted = True
        self._hang_up()

    def _hang_up(self) -> None:
        with contextlib.suppress(OSError):  # the other end is gone already
            self._ours.shutdown(socket.SHUT_RDWR)

    def end(self) -> str:
        """What the program complained of, after it has ended, by itself or not."""
        self._hang_up()
        process = self._process
        complaint = b""
        if process is not None and process.stderr is not None:
            if not _has_ended(process, PATIENCE_SECONDS):
                _end_at_once(process)
            process.wait()
            os.set_blocking(process.stderr.fileno(), False)
            complaint = process.stderr.read(COMPLAINT_BYTES) or b""
            process.stderr.close()
        self._ours.close()
        self._theirs.close()
        return complaint.decode(errors="replace").strip()


@contextlib.contextmanager
def _readable(content: bytes) -> Iterator[int]:
    """A descriptor from which the content can be read; below 0 if there is no content."""
    if not content:
        yield -1
        return
    file = os.memfd_create("sonde")
    try:
        os.write(file, content)
        os.lseek(file, 0, os.SEEK_SET)
        yield file
    finally:
        os.close(file)


def _has_ended(process: subprocess.Popen[bytes], patience_seconds: float) -> bool:
    if process.poll() is not None:
        return True
    ended = os.pidfd_open(process.pid)
    try:
        poll = select.poll()
        poll.register(ended, select.POLLIN)
        return bool(poll.poll(patience_seconds * 1000))
    finally:
        os.close(ended)


def _end_at_once(process: subprocess.Popen[bytes]) -> None:
    """End a program that does not end itself, for instance because it is stopped."""
    for number in (process.pid, *keeper.descendants(process.pid)):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(number, signal.SIGKILL)
