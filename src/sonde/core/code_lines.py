"""Which source line the machine code of a build belongs to: what turns a profile into costs of lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from sonde.core import evidence
from sonde.core.code import SourceLine


@dataclass(frozen=True, slots=True)
class FunctionLines:
    """The lines of one function. Code belongs to the last entry at or before it."""

    offsets: tuple[int, ...]  # in bytes from the beginning of the function, ascending; several may be equal
    files: tuple[int, ...]  # numbers in `CodeLines.files`; -1: of no file
    lines: tuple[int, ...]  # 0: of no line


@dataclass(frozen=True)
class CodeLines:
    """The lines of all functions of a build for which they are known."""

    files: tuple[str, ...] = ()  # relative to the root of the work tree where they lie below it
    functions: Mapping[evidence.ProfiledFunction, FunctionLines] = field(default_factory=dict)
    gap: str = ""  # why lines are missing, if they are: a sentence

    @cached_property
    def compiled(self) -> frozenset[SourceLine]:
        """Every line that has code of its own."""
        return frozenset(
            SourceLine(self.files[file], line)
            for known in self.functions.values()
            for file, line in set(zip(known.files, known.lines, strict=True))
            if file >= 0 and line
        )
