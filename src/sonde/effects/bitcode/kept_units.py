"""Units that were read before, kept beside their bitcode: to read them again takes a tenth of the time.

Their name tells by which reader they were made: another version of Sonde, Python or LLVM makes its own.
"""

from __future__ import annotations

import hashlib
import os
import sys
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

from sonde.core import code
from sonde.core.code import Unit
from sonde.effects.bitcode import packing, reading
from sonde.effects.bitcode.packing import packed, unpacked
from sonde.effects.bitcode.values import ROOT
from sonde.effects.collecting import without_collecting
from sonde.formats import llvm_ir

SUFFIX = ".unit"


class KeptUnits:
    """Finds and keeps units beside their bitcode."""

    def find(self, bitcode: Path) -> Unit | None:
        """The unit in a bitcode file, if this reader has kept it. Finding counts as using."""
        place = _place(bitcode)
        try:
            with without_collecting():
                unit = unpacked(place.read_bytes())
            os.utime(place)
        except (OSError, EOFError, ValueError, TypeError, IndexError):
            return None  # not there, or a power cut has damaged it
        return unit

    def keep(self, bitcode: Path, unit: Unit) -> None:
        """Keep a unit that was read; a disk that is full, or must not be written to, is no mistake."""
        place = _place(bitcode)
        unfinished = place.with_suffix(f".{os.getpid()}.unfinished")
        with suppress(OSError):
            unfinished.write_bytes(packed(unit))
            unfinished.rename(place)  # whole or not there, whenever we are killed


def _place(bitcode: Path) -> Path:
    return bitcode.with_suffix(f".{_reader()}{SUFFIX}")


@cache
def _reader() -> str:
    """A name for all that decides what is read from the same bitcode, and how it is kept."""
    rooms = (Path(*reading.__path__), Path(*llvm_ir.__path__))
    readers = [file for room in rooms for file in sorted(room.rglob("*.py"))]
    sources = [Path(code.__file__), Path(packing.__file__), *readers]
    words = [str(ROOT), sys.version, version("llvmlite"), *(each.read_text() for each in sources)]
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:16]
