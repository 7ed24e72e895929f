"""What the recorder inside each Python process wrote down."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from json import JSONDecodeError
from pathlib import Path
from typing import Any

END, UNFINISHED = ".end", ".new"  # of the names of files


@dataclass(frozen=True, slots=True)
class FunctionRow:
    """What a function did."""

    file: str  # empty for one that is not written in Python
    name: str
    calls: int
    own_seconds: float
    inclusive_seconds: float
    has_docstrings: bool  # whether it mentions them
    has_lines: bool


@dataclass(frozen=True)
class Process:
    """One Python process."""

    functions: tuple[FunctionRow, ...]
    files: tuple[str, ...]  # of modules, and of machine code in memory
    asked: tuple[str, ...]  # words of the names of modules that were looked for
    imported: Mapping[str, int]  # how often a module's file was opened to import it
    read: tuple[str, ...]  # files of modules that were opened for something else
    listed: tuple[str, ...]  # folders that were listed for something else than an import
    listings: Mapping[str, int]  # how often each was listed at all
    library: str  # where the standard library is
    interpreter: str
    gap: str  # why functions may be missing

    def is_of_library(self, file: str) -> bool:
        """Whether it is a file of the standard library."""
        is_below = file.startswith(f"{self.library}/") and "-packages/" not in file
        return is_below or file.startswith("<frozen ")


@dataclass(frozen=True)
class RecordedProcesses:
    """All of them."""

    processes: tuple[Process, ...]
    numbers: frozenset[str]
    gap: str  # why one may be missing


def read_processes(folder: Path) -> RecordedProcesses:
    """What is written in a folder; a process that was killed has left an empty file."""
    files = [file for file in sorted(folder.glob("*")) if file.suffix not in (UNFINISHED, END)]
    told = [json.loads(text) for file in files if (text := file.read_text())]
    ends = {file.stem: file.read_text() for file in folder.glob("*") if file.suffix == END}
    return RecordedProcesses(
        tuple(_read(each, ends.get(each["file"], "")) for each in told),
        frozenset(file.name.partition(".")[0] for file in files),
        "" if len(told) == len(files) else "a Python process was killed",
    )


def _read(told: dict[str, Any], end: str) -> Process:
    """A process, with its functions as they were counted at its very end."""
    functions, gap = told["functions"], told["gap"]
    if not told["is_last"]:
        try:
            functions = json.loads(end)
        except JSONDecodeError:
            gap = gap or "the end of a Python process was not observed"
    return Process(
        functions=tuple(FunctionRow(*row) for row in functions),
        files=tuple(told["files"]),
        asked=tuple(told["asked"]),
        imported=told["imported"],
        read=tuple(told["read"]),
        listed=tuple(told["listed"]),
        listings=told["listings"],
        library=told["library"],
        interpreter=told["interpreter"],
        gap=gap,
    )
