"""Data goes to stdout, everything else to stderr."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sonde.cli.terminal.streams import drop_stdout
from sonde.core.errors import UsageError
from sonde.report.harmless import harmless

if TYPE_CHECKING:
    from rich.console import Console

NOBODY_READS = (errno.EPIPE, errno.EIO)  # of a pipe, and of a terminal that is closed


def say(text: str = "") -> None:
    """Print an answer on stdout. All that goes there goes through here, so that no text steers a terminal."""
    try:
        print(harmless(text), flush=True)
    except OSError as error:
        drop_stdout()
        if error.errno in NOBODY_READS:
            raise BrokenPipeError from error
        error.filename = "the answer"
        raise


def complain(text: str) -> None:
    """Print on stderr what went wrong."""
    print(harmless(text), file=sys.stderr)


def write_file(file: Path, text: str, mode: str = "w") -> None:
    """Write an answer to a file that the user named, or add to it with mode `a`."""
    from sonde.workflows.projects import require_no_link

    require_no_link(file)
    try:
        with file.open(mode, encoding="utf-8", errors="backslashreplace") as opened:
            opened.write(harmless(text) + "\n")
    except OSError as error:
        raise UsageError(f"{file}: {error.strerror}. Name a file that you can write to.") from None


def print_json(value: object) -> None:
    """One JSON document on stdout."""
    say(json.dumps(value, indent=2, ensure_ascii=False))


def stdout_width() -> int:
    """Columns of the terminal, or 100 where there is none; never less than 40."""
    return max(40, shutil.get_terminal_size((100, 24)).columns)


def stdout_has_unicode() -> bool:
    """Whether stdout can show more than ASCII."""
    return "utf" in (sys.stdout.encoding or "").lower()


def stderr_console() -> Console:
    """The console for progress and warnings; plain in CI and wherever stderr is no terminal."""
    from rich.console import Console

    return Console(stderr=True, force_terminal=False if os.environ.get("CI") else None)
