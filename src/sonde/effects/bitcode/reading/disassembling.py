"""Bitcode files as text, by a process that may end on damaged ones without us."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, NamedTuple

# By its path: it needs nothing else of ours, and to import that takes longer than a small file.
_PROGRAM = (sys.executable, "-P", str(Path(__file__).with_name("disassembler.py")))


class Text(NamedTuple):
    """The text of a module."""

    text: str


class NoText(NamedTuple):
    """Why a file has no text, in LLVM's words."""

    reason: str


def disassembled(files: Sequence[Path]) -> Iterator[Text | NoText]:
    """The text of each file, in their order.

    While the caller works on one, the next is under way. A file that ends the process costs only itself.
    """
    remaining = list(files)
    while remaining:
        for answer in _until_it_ends(tuple(remaining)):
            remaining.pop(0)
            yield answer
        if remaining:
            remaining.pop(0)
            yield NoText("LLVM cannot read it")


def _until_it_ends(files: Sequence[Path]) -> Iterator[Text | NoText]:
    with subprocess.Popen(
        _PROGRAM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        if process.stdin is None or process.stdout is None:
            return
        try:
            yield from _answers(process.stdin, process.stdout, files)
        finally:
            process.kill()
            with suppress(BrokenPipeError):
                process.stdin.close()


def _answers(names: IO[bytes], answers: IO[bytes], files: Sequence[Path]) -> Iterator[Text | NoText]:
    for at, _ in enumerate(files):
        # Two names are under way at a time, so that the process does not wait for us.
        with suppress(BrokenPipeError):
            for file in files[:2] if at == 0 else files[at + 1 : at + 2]:
                names.write(bytes(file) + b"\n")
            names.flush()
        kind, _, size = answers.readline().decode().partition(" ")
        if not size.strip().isdigit():
            return
        content = answers.read(int(size))
        if len(content) < int(size):
            return
        text = content.decode("utf-8", "replace")
        yield Text(text) if kind == "text" else NoText(text.strip())
