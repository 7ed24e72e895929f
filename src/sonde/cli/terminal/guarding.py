"""From exceptions and signals to messages and exit codes."""

from __future__ import annotations

import errno
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from sonde.cli.terminal.printing import complain
from sonde.cli.terminal.streams import drop_stdout, steady_streams
from sonde.core.errors import UserError

CANNOT_MEASURE = 3
CRASHED = 70  # a mistake of ours, as <sysexits.h> has it
INTERRUPTED = 130
NO_READER = 141  # as a shell says of a program that died of SIGPIPE
NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM}
NO_PATHS = {errno.ENAMETOOLONG, errno.ELOOP}
SHOWN_LETTERS = 100
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

MAKE_ROOM = (
    "Everything stored so far is safe. Free disk space, for instance with `sonde prune`, "
    "or correct the permissions; then run the same command again."
)


class Interrupted(BaseException):
    """The user wants an end. Not a KeyboardInterrupt, which the argument parser would swallow."""


@contextmanager
def crashes_apart() -> Iterator[None]:
    """Leave with a code of its own where we crash: Python's is 1, which is that of a regression."""
    try:
        yield
    finally:
        if isinstance(sys.exception(), Exception):
            traceback.print_exc()
            raise SystemExit(CRASHED)


def guarded(run: Callable[[], object]) -> int:
    """The exit code of `run`; mistakes of the user become a message without a traceback."""
    steady_streams()
    for number in STOPPING:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as `nohup` leaves it
            signal.signal(number, _interrupt)
    try:
        run()
    except UserError as error:
        complain(f"sonde: {error}")
        return error.exit_code
    except BrokenPipeError:
        # The reader of our output has gone, for instance `sonde show | head`.
        drop_stdout()
        return NO_READER
    except OSError as error:
        if error.errno in NO_PATHS:
            complain(f"sonde: {_shown(error)}: {error.strerror}. Name another path.")
            return UserError.exit_code
        if error.errno not in NO_ROOM:
            raise
        complain(f"sonde: {error.filename or 'the state folder'}: {error.strerror}. {MAKE_ROOM}")
        return CANNOT_MEASURE
    except Interrupted:
        complain("sonde: interrupted. Every finished run is stored; run the same command again to continue.")
        return INTERRUPTED
    return 0


def _shown(error: OSError) -> str:
    """The beginning of a path, which may be long."""
    path = str(error.filename or "a path")
    return path if len(path) <= SHOWN_LETTERS else f"{path[:SHOWN_LETTERS]}..."


def _interrupt(number: int, frame: FrameType | None) -> None:
    """The first signal ends the work in an orderly way, the second one at once."""
    for each in STOPPING:
        if signal.getsignal(each) is not signal.SIG_IGN:
            signal.signal(each, _leave)
    raise Interrupted


def _leave(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)  # what runs in sandboxes dies with us
