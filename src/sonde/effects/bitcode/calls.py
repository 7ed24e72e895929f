"""Calls of compilers: who was called, where, and with which words."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from sonde.effects.bitcode.wrappers import CALLS

_OTHER = "other-"
_VARIABLES = ("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH")
_DEEPEST = 10  # files of words that name files of words


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
    """What the wrappers in `folder` have noted."""
    compilers: dict[str, CompilerCall] = {}
    others: list[CompilerCall] = []
    for file in sorted((folder / CALLS).iterdir()):
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
    return tuple(_expand(call.words, call.folder, seen_at, _DEEPEST))


def _expand(words: tuple[str, ...], folder: str, seen_at: Mapping[str, Path], depth: int) -> Iterator[str]:
    for word in words:
        file = located(PurePosixPath(folder, word[1:]), seen_at) if word.startswith("@") and depth else None
        if file is None or not file.is_file():
            yield word
            continue
        try:
            inner = tuple(shlex.split(file.read_text(errors="surrogateescape")))
        except ValueError:  # quotation marks that do not match
            yield word
            continue
        yield from _expand(inner, folder, seen_at, depth - 1)


def located(path: PurePosixPath, seen_at: Mapping[str, Path]) -> Path | None:
    """Where a path lies in fact that a build sees; None if it lies in none of those folders."""
    for target, source in seen_at.items():
        if path.is_relative_to(target):
            place = source / path.relative_to(target)
            # A link may lead to what the build did not see.
            return place if place.resolve().is_relative_to(source.resolve()) else None
    return None
