"""The three streams of the process, made such that what is said beside an answer never spoils it."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress


def steady_streams() -> None:
    """Open those streams that are closed, and let nothing depend on whether messages reach anybody.

    Whoever starts us may have closed one. The next file that is opened would get its number, and what any
    program or library prints there would go into that file. A terminal that is gone, or a full disk that
    messages are redirected to, is no reason to give up an answer, which goes to stdout.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # which gives the lowest free number: this one
    if sys.stdout is None:
        sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False))
    if sys.stderr is None or sys.stderr is sys.__stderr__:
        sys.stderr = io.TextIOWrapper(
            io.BufferedWriter(_Indifferent(2, "w", closefd=False)),
            errors="backslashreplace",
            line_buffering=True,
        )
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # subjects of revisions are in any language


def drop_stdout() -> None:
    """Let what is not yet written to stdout go nowhere: nobody reads it, or it cannot be written."""
    with suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


class _Indifferent(io.FileIO):
    """A file that takes everything, even what cannot be written."""

    def write(self, content: bytes) -> int:  # type: ignore[override]
        try:
            return super().write(content) or 0
        except OSError:
            return len(content)
