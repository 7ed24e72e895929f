"""Paths that system calls of a run have named, as valgrind or strace have logged them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

LONGEST_BYTES = 50_000_000  # of all logs, above which they are not read

_VALGRIND_CALL = re.compile(rb"SYSCALL\[\d+,\d+\]\( *\d+\) (?:sys_)?(\w+) ?\( ?(.*)")
_VALGRIND_PATH = re.compile(rb"0x[0-9a-f]+\((.*?)\)(?=,| \)| -|$)")
_STRACE_CALL = re.compile(rb"^\d+ +(\w+)\((.*)")
_STRACE_PATH = re.compile(rb'"((?:[^"\\]|\\.)*)"')
_ITSELF = re.compile(r"/proc/(self|thread-self|\d+)/exe")
_ESCAPED = re.compile(rb"\\([0-7]{1,3}|.)")
_LETTERS = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"v": b"\v", b"f": b"\f"}


@dataclass(frozen=True)
class Mention:
    """A path that a system call named, whether there is such a file or not."""

    call: str  # without `sys_`
    path: str

    @property
    def is_opening(self) -> bool:
        """Whether a file is read, or a folder listed."""
        return self.call in ("open", "openat", "openat2")

    @property
    def is_moving(self) -> bool:
        """Whether a folder becomes the one that is worked in."""
        return self.call == "chdir"

    @property
    def is_of_itself(self) -> bool:
        """Whether a program reads its own file without naming it."""
        return self.is_opening and _ITSELF.fullmatch(self.path) is not None

    @property
    def is_executing(self) -> bool:
        """Whether a program is started."""
        return self.call in ("execve", "execveat")


def read_mentions(logs: Iterable[Path]) -> frozenset[Mention] | None:
    """What the logs mention, or None if they are too long to be read."""
    files = [file for file in logs if file.exists()]
    if sum(file.stat().st_size for file in files) > LONGEST_BYTES:
        return None
    return frozenset(mention for file in files for mention in _read(file))


def count_openings(log: Path) -> Counter[str]:
    """How often each path was opened."""
    return Counter(mention.path for mention in _read(log) if mention.is_opening)


def _read(file: Path) -> Iterator[Mention]:
    for line in file.read_bytes().splitlines():
        if call := _VALGRIND_CALL.search(line):
            paths = _VALGRIND_PATH.findall(call[2])
        elif call := _STRACE_CALL.match(line):
            paths = [_ESCAPED.sub(_unescape, path) for path in _STRACE_PATH.findall(call[2])]
        else:
            continue
        for path in paths:
            yield Mention(call[1].decode(), path.decode(errors="surrogateescape"))


def _unescape(match: re.Match[bytes]) -> bytes:
    if match[1].isdigit():
        return bytes([int(match[1], 8) & 0xFF])
    return _LETTERS.get(match[1], match[1])
