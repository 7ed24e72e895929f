"""Bitcode files as units."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sonde.core.code import Unit
from sonde.effects.bitcode.reading.disassembling import NoText, disassembled
from sonde.effects.bitcode.reading.modules import read_module

_MAGIC = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")  # bare, and in a wrapper
_VERSIONS = re.compile(r" ?\(Producer: 'LLVM ?(\d+)[^']*' Reader: 'LLVM ?(\d+)[^']*'\)")
_REMEDY = "Delete it, so that it is compiled again."


@dataclass(frozen=True)
class Unreadable:
    """A file that is no readable bitcode; why, and what to do, in a sentence or two."""

    file: str
    reason: str


def read_unit(path: Path, root: Path | None) -> Unit | Unreadable:
    """The unit in a bitcode file; names of source files are relative to `root` if they lie below it."""
    return next(read_units([path], root))


def read_units(paths: Sequence[Path], root: Path | None) -> Iterator[Unit | Unreadable]:
    """The units in several files, in their order: faster than one after the other."""
    reasons = {path: reason for path in paths if (reason := _wrong_at_once(path)) is not None}
    texts = disassembled([path for path in paths if path not in reasons])
    for path in paths:
        if path in reasons:
            yield Unreadable(str(path), reasons[path])
            continue
        answer = next(texts)
        if isinstance(answer, NoText):
            yield Unreadable(str(path), explained(path, answer.reason))
        else:
            with _without_collecting():
                unit = read_module(answer.text, None if root is None else str(root))
            yield unit


@contextmanager
def _without_collecting() -> Iterator[None]:
    """No search for garbage meanwhile: there is none, and it takes long among so many tuples."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _wrong_at_once(path: Path) -> str | None:
    """What is wrong with a file that LLVM need not look at."""
    if b"\n" in bytes(path):
        return f"'{path.name}' has a line break in its name. Rename it."
    try:
        with path.open("rb") as file:
            start = file.read(4)
    except OSError as error:
        return f"'{path.name}' cannot be read: {error.strerror}."
    if not start:
        return f"'{path.name}' is empty. {_REMEDY}"
    if start not in _MAGIC:
        return (
            f"'{path.name}' is no bitcode: it does not begin as such. Compile it with clang and -emit-llvm."
        )
    return None


def explained(path: Path, said: str) -> str:
    """What LLVM said about a file, for people, with what to do."""
    versions = _VERSIONS.search(said)
    if versions is not None and int(versions[1]) > int(versions[2]):
        return (
            f"'{path.name}' was written by clang {versions[1]}, and llvmlite reads only up to {versions[2]}. "
            f"Update it (pip install -U llvmlite), or install clang-{versions[2]} or older."
        )
    return f"'{path.name}' is damaged: {_first(_VERSIONS.sub('', said))}. {_REMEDY}"


def _first(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return (lines[-1] if lines else "LLVM does not say why").rstrip(".")
