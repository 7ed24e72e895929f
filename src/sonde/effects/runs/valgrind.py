"""Where valgrind and its programs are."""

from __future__ import annotations

import shutil
from pathlib import Path

LIBRARY = "library"  # folders of the meter
LOGS = "logs"
LOG = "log"  # how the files with what valgrind prints begin

# The environment, or a file in the working folder, could except some: the later option wins.
OF_ALL_CHILDREN = ("--trace-children-skip=", "--trace-children-skip-by-arg=")

# Where distributions put the programs behind `valgrind`.
PLACES = ("/usr/libexec/valgrind", "/usr/lib/valgrind", "/usr/lib64/valgrind", "/usr/local/libexec/valgrind")


def find_valgrind() -> str | None:
    """The program, or None. On Debian it is behind a script that would add to the environment."""
    return shutil.which("valgrind.bin") or shutil.which("valgrind")


def find_programs() -> Path | None:
    """The folder with the tools of valgrind, or None."""
    return next((Path(place) for place in PLACES if any(Path(place).glob("callgrind-*"))), None)
