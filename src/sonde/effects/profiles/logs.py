"""What valgrind has logged of a run: which files were loaded where, and who forked whom.

Valgrind says so where it is told to trace system calls and redirections (`OPTIONS`); the latter for the lines
on files that it reads symbols from. `mentions` reads the same logs.
"""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

OPTIONS = ("--trace-syscalls=yes", "--trace-redir=yes")
_LOADED = re.compile(rb"Reading syms from (.+)\n--\d+-- +svma (0x[0-9a-f]+), avma (0x[0-9a-f]+)")
_FORKED = re.compile(rb"fork\)?: process \d+ created child (\d+)")


@dataclass(frozen=True)
class Loaded:
    """A file whose code was in memory."""

    file: str
    moved_by: int  # an address in memory less the file's own


@dataclass(frozen=True)
class Log:
    """What one program did."""

    loaded: tuple[Loaded, ...]  # the program itself first, unless it was forked
    children: frozenset[str]  # numbers of the processes that it forked


def read_log(file: Path) -> Log:
    """What is loaded and forked; nothing if there is no log."""
    with _content(file) as content:
        loaded = (
            Loaded(match[1].decode(errors="surrogateescape"), int(match[3], 16) - int(match[2], 16))
            for match in _LOADED.finditer(content)
        )
        children = frozenset(match[1].decode() for match in _FORKED.finditer(content))
        return Log(tuple(dict.fromkeys(loaded)), children)


@contextmanager
def _content(file: Path) -> Iterator[bytes | mmap.mmap]:
    if not file.exists() or file.stat().st_size == 0:
        yield b""
        return
    with file.open("rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as content:
        yield content


def inherit(logs: Mapping[tuple[str, int], Log]) -> dict[tuple[str, int], tuple[Loaded, ...]]:
    """What was loaded in each program, by process and number; a forked one begins as its parent was."""
    parents = {child: key for key, log in logs.items() for child in log.children}
    found: dict[tuple[str, int], tuple[Loaded, ...]] = {}
    for key in logs:
        line = [key]
        # Only the first program of a process was forked; all others were loaded anew.
        while line[-1][1] == 0 and (parent := parents.get(line[-1][0])) is not None and parent not in line:
            line.append(parent)
        found[key] = tuple(dict.fromkeys(each for program in line for each in logs[program].loaded))
    return found
