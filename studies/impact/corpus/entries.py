"""A question about a change with what is true about it, kept in a file."""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sonde.core.options import Configuration, Option
from sonde.methods.impact.question import Question
from sonde.space.expressions import Expression
from sonde.space.space import Space


@dataclass(frozen=True)
class Entry:
    """Questions about one change; the next one is asked if the one before says that it is not relevant."""

    name: str
    kind: str
    questions: tuple[Question, ...]
    options: tuple[Option, ...]
    constraints: tuple[Expression, ...]
    near: Configuration | None  # the configuration that those to measure are as near to as possible
    is_relevant: bool
    is_harmless: bool
    slower: frozenset[str]  # configurations, as they are written on the command line
    related: frozenset[str] = frozenset()  # options that must be related

    @property
    def space(self) -> Space:
        """Its configurations."""
        return Space(self.options, self.constraints)

    def write(self, folder: Path) -> None:
        """Keep it; it is there as a whole or not at all."""
        file = entry_file(folder, self.name)
        begun = file.with_suffix(".begun")
        begun.write_bytes(zlib.compress(pickle.dumps(self), 1))
        begun.rename(file)


def entry_file(folder: Path, name: str) -> Path:
    """Where an entry is kept."""
    return folder / f"{name}.entry"


def read_entries(folder: Path) -> Iterator[Entry]:
    """All entries of a folder, by name. They must be our own files: reading them can execute code."""
    for file in sorted(folder.glob("*.entry")):
        entry = pickle.loads(zlib.decompress(file.read_bytes()))
        assert isinstance(entry, Entry)
        yield entry
