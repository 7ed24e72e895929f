"""Programs that stand in for compilers during a build, and note how they are called."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

WRAPPERS_FORMAT = 1  # another one: what was taken from builds before is taken again
COMPILERS, CALLS, SOURCES = "compilers", "calls", "sources"
MARK_SECTION = ".sonde_units"  # of what is compiled; it is never loaded, and linkers keep it

_HERE = Path(__file__).parent
MARK = _HERE / "mark.h"  # always the same file, so that a cache of compilers is of use
# Scripts such as `c99` or `mpicc` call one of these.
_COMPILER = re.compile(r"(\w+-(\w+-)?linux-gnu\w*-)?(cc|gcc|clang|c\+\+|g\+\+|clang\+\+)(-\d+(\.\d+)*)?")
_OTHER = re.compile(
    r"(\w+-(\w+-)?linux-gnu\w*-)?(gfortran|flang|f77|f90|f95|gdc|ldc2|dmd|gnat|gccgo|as)(-\d+(\.\d+)*)?"
    r"|nasm|yasm|rustc|go|ghc|ocamlopt|fpc|zig"
)


def write_wrappers(folder: Path, appears_as: str, mark: str, path: str) -> None:
    """Write into `folder` a wrapper for each compiler on `path`, and a place for the calls.

    `appears_as` is what a build calls the folder, `mark` what it calls `MARK`. A wrapper of what is not there
    would be found by builds that look for it.
    """
    for name in (COMPILERS, CALLS, SOURCES):
        (folder / name).mkdir(parents=True)
    scripts = {}
    for script in ("compiler.sh", "other.sh"):
        text = (_HERE / script).read_text()
        text = text.replace("@HERE@", shlex.quote(appears_as)).replace("@MARK@", shlex.quote(mark))
        scripts[script] = folder / script
        scripts[script].write_text(text)
        scripts[script].chmod(0o555)
    for name in compilers_on(path):
        os.link(scripts["compiler.sh"], folder / COMPILERS / name)
    for name in filter(_OTHER.fullmatch, set(_programs_on(path))):
        os.link(scripts["other.sh"], folder / COMPILERS / name)


def compilers_on(path: str) -> frozenset[str]:
    """The names of the compilers of C and C++ in the folders of `path`."""
    return frozenset(filter(_COMPILER.fullmatch, _programs_on(path)))


def is_for_cplusplus(compiler: str) -> bool:
    """Whether a compiler of this name takes C for C++."""
    return "++" in compiler


def _programs_on(path: str) -> Iterator[str]:
    for place in filter(None, path.split(":")):
        try:
            with os.scandir(place) as entries:
                yield from (entry.name for entry in entries)
        except OSError:
            continue  # paths often name folders that are not there
