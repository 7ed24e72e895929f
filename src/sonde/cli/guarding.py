"""From exceptions and signals to messages and exit codes."""

from __future__ import annotations

import errno
import io
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType

from sonde.cli.printing import complain
from sonde.core.errors import UserError

CANNOT_MEASURE = 3
INTERRUPTED = 130
NO_READER = 141  # as a shell says of a program that died of SIGPIPE
NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EACCES, errno.EPERM}

MAKE_ROOM = (
    "Everything stored so far is safe. Make room, for instance with `sonde prune`, or mend the permissions; "
    "then run the same command again."
)


class Interrupted(BaseException):
    """The user wants an end. Not a KeyboardInterrupt, which the argument parser would swallow."""


def guarded(run: Callable[[], object]) -> int:
    """The exit code of `run`; mistakes of the user become a message without a traceback."""
    signal.signal(signal.SIGINT, _interrupt)
    signal.signal(signal.SIGTERM, _interrupt)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # subjects of revisions are in any language
    try:
        run()
        sys.stdout.flush()
    except UserError as error:
        complain(f"sonde: {error}")
        return error.exit_code
    except BrokenPipeError:
        # The reader of our output has gone, for instance `sonde show | head`.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NO_READER
    except OSError as error:
        if error.errno not in NO_ROOM:
            raise
        complain(f"sonde: {error.filename or 'the state folder'}: {error.strerror}. {MAKE_ROOM}")
        return CANNOT_MEASURE
    except Interrupted:
        complain("sonde: interrupted. Every finished run is stored; the same command goes on from there.")
        return INTERRUPTED
    return 0


def _interrupt(number: int, frame: FrameType | None) -> None:
    """The first signal ends the work in an orderly way, the second one at once."""
    signal.signal(signal.SIGINT, _leave)
    signal.signal(signal.SIGTERM, _leave)
    raise Interrupted


def _leave(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)  # what runs in sandboxes dies with us
