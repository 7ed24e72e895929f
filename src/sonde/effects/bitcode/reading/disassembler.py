"""A program of its own that turns bitcode files into text.

LLVM ends the process on some damaged files; so it is one that may end. It reads names of files, a line each,
and answers each with a line (`text` or `error`, a space, the number of bytes) and these bytes.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import BinaryIO


def disassemble(content: bytes) -> str:
    """The text of bitcode; a RuntimeError or ValueError says why there is none."""
    # Imported here, for this is where it may end the process.
    from llvmlite import binding

    # In a context of its own, or types would get other names than in the file.
    return str(binding.parse_bitcode(content, binding.create_context()))


def answer(name: str) -> tuple[str, bytes]:
    """(`text`, the text) of a file, or (`error`, why not)."""
    try:
        return "text", disassemble(Path(name).read_bytes()).encode()
    except (RuntimeError, ValueError, OSError) as error:
        return "error", str(error).encode("utf-8", "replace")


def serve(names: BinaryIO, answers: BinaryIO) -> None:
    """Answer names until there are no more."""
    for line in names:
        kind, content = answer(line.rstrip(b"\n").decode("utf-8", "surrogateescape"))
        answers.write(f"{kind} {len(content)}\n".encode())
        answers.write(content)
        answers.flush()


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
