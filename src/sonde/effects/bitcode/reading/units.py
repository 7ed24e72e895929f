"""Bitcode files as units."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sonde.core.code import Unit
from sonde.effects.at_once import at_once, processors
from sonde.effects.bitcode.packing import packed, unpacked
from sonde.effects.bitcode.reading.disassembling import NoText, disassembled
from sonde.effects.collecting import without_collecting
from sonde.formats.llvm_ir.modules import read_module

_MAGIC = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")  # bare, and in a wrapper
_VERSIONS = re.compile(r" ?\(Producer: 'LLVM ?(\d+)[^']*' Reader: 'LLVM ?(\d+)[^']*'\)")
WORTH_A_PROCESS = 50_000  # bytes of bitcode: to read so much takes longer than to begin a process
_REMEDY = "Delete it, so that it is compiled again."


@dataclass(frozen=True)
class UnreadableBitcode:
    """A file that is no readable bitcode; why, and what to do, in a sentence or two."""

    file: str
    reason: str


def read_unit(path: Path, root: Path | None) -> Unit | UnreadableBitcode:
    """The unit in a bitcode file; names of source files are relative to `root` if they lie below it."""
    return next(_read([path], root))


def read_units(paths: Sequence[Path], root: Path | None) -> list[Unit | UnreadableBitcode]:
    """The units in several files, in their order: faster than one after the other."""
    mine, others = _shares(paths)

    def read_mine() -> list[Unit | UnreadableBitcode | bytes]:
        return [*_read(mine, root)]

    def read_others() -> list[Unit | UnreadableBitcode | bytes]:
        return [packed(each) if isinstance(each, Unit) else each for each in _read(others, root)]

    found = at_once([read_mine, read_others] if others else [read_mine])
    with without_collecting():
        units = [unpacked(each) if isinstance(each, bytes) else each for share in found for each in share]
    known = dict(zip((*mine, *others), units, strict=True))
    return [known[path] for path in paths]


def _shares(paths: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """What this process reads, and what another one does: about as much, or nothing if it is little."""
    sizes = {path: path.stat().st_size if path.is_file() else 0 for path in paths}
    shares: tuple[list[Path], list[Path]] = ([], [])
    weights = [0, 0]
    for path in sorted(sizes, key=sizes.__getitem__, reverse=True):
        place = weights.index(min(weights))
        shares[place].append(path)
        weights[place] += sizes[path]
    return shares if weights[1] >= WORTH_A_PROCESS and processors() > 1 else (list(sizes), [])


def _read(paths: Sequence[Path], root: Path | None) -> Iterator[Unit | UnreadableBitcode]:
    reasons = {path: reason for path in paths if (reason := _wrong_at_once(path)) is not None}
    texts = disassembled([path for path in paths if path not in reasons])
    for path in paths:
        if path in reasons:
            yield UnreadableBitcode(str(path), reasons[path])
            continue
        answer = next(texts)
        if isinstance(answer, NoText):
            yield UnreadableBitcode(str(path), explained(path, answer.reason))
        else:
            with without_collecting():
                unit = read_module(answer.text, None if root is None else str(root))
            yield unit


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
        return f"'{path.name}' is not bitcode: its header is wrong. Compile it with clang and -emit-llvm."
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
    return (lines[-1] if lines else "LLVM gives no reason").rstrip(".")
