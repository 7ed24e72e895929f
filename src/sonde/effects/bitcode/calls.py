"""Calls of compilers: who was called, where, and with which words."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path, PurePosixPath

from sonde.effects.bitcode.wrappers import CALLS
from sonde.effects.subject_files import settle

_OTHER = "other-"
_VARIABLES = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH")
_DEEPEST = 10  # files of words that name files of words
_MOST_BYTES = 1 << 24  # of a file of words, and of a call with its words: the kernel takes two megabytes
_MOST_FILES = 1_000  # of words, that a call names; they may name each other


@dataclass(frozen=True)
class CompilerCall:
    """One call of a compiler. Paths are those that the build sees."""

    folder: str
    compiler: str  # its name, without a folder
    words: tuple[str, ...]
    variables: tuple[tuple[str, str], ...] = ()  # those that name folders of headers


@dataclass(frozen=True)
class CompilerCalls:
    """All calls that a build made, of compilers of C and C++ by their names, and of others."""

    compilers: Mapping[str, CompilerCall]
    others: tuple[CompilerCall, ...]


def read_calls(folder: Path) -> CompilerCalls:
    """What the wrappers in `folder` have noted, or whatever else the build has left there."""
    compilers: dict[str, CompilerCall] = {}
    others: list[CompilerCall] = []
    settle(folder / CALLS)
    for file in sorted((folder / CALLS).iterdir()):
        if file.is_dir() or file.stat().st_size > _MOST_BYTES:
            continue
        parts = file.read_bytes().decode(errors="surrogateescape").split("\0")[:-1]
        if len(parts) < 2 + len(_VARIABLES):
            continue  # the disk was full, or the build was killed
        values = zip(_VARIABLES, parts[2:], strict=False)
        variables = tuple((name, value) for name, value in values if value)
        call = CompilerCall(parts[0], parts[1], tuple(parts[2 + len(_VARIABLES) :]), variables)
        if file.name.startswith(_OTHER):
            others.append(call)
        else:
            compilers[file.name] = call
    return CompilerCalls(compilers, tuple(others))


def expand(call: CompilerCall, seen_at: Mapping[str, Path]) -> tuple[str, ...]:
    """The words of a call with those of the files that it names by `@file`, as far as they are there.

    `seen_at` tells where folders that the build sees lie in fact.
    """
    return tuple(_expand(call.words, call.folder, seen_at, _DEEPEST, count(1)))


def _expand(
    words: tuple[str, ...], folder: str, seen_at: Mapping[str, Path], depth: int, files: Iterator[int]
) -> Iterator[str]:
    for word in words:
        inner = (
            _words_of(PurePosixPath(folder, word[1:]), seen_at) if word.startswith("@") and depth else None
        )
        if inner is None or next(files) > _MOST_FILES:
            yield word
        else:
            yield from _expand(inner, folder, seen_at, depth - 1, files)


def _words_of(path: PurePosixPath, seen_at: Mapping[str, Path]) -> tuple[str, ...] | None:
    """The words in a file that a build sees; None if there is no such file, or it does not hold words."""
    try:
        file = located(path, seen_at)
        if file is None or not file.is_file() or file.stat().st_size > _MOST_BYTES:
            return None
        return tuple(shlex.split(file.read_text(errors="surrogateescape")))
    except (OSError, ValueError):  # such as quotation marks that do not match, or a path with a zero byte
        return None


def located(path: PurePosixPath, seen_at: Mapping[str, Path]) -> Path | None:
    """Where a path lies in fact that a build sees; None if it lies in none of those folders."""
    for target, source in seen_at.items():
        if path.is_relative_to(target):
            place = source / path.relative_to(target)
            # A link may lead to what the build did not see.
            real = Path(os.path.realpath(place))
            return place if real.is_relative_to(os.path.realpath(source)) else None
    return None
