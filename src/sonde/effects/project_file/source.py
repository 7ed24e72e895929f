"""The text of a project file, what it says, and where."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sonde.core.errors import ProjectFileError
from sonde.effects.project_file.positions import DEEPEST, KeyPath, Position, has_deep_key, positions

SHOWN_LETTERS = 60

# What to write, by what tomllib says.
_HINTS = {
    "Invalid value": ' Write strings in quotes: key = "text".',
    "twice": " Write each [table] once.",
    "Cannot overwrite": " Write each key once.",
    "Illegal character": " Close the quote on this line, or write three quotes around several lines.",
    "Invalid statement": " Write key = value, or [table]; quote a key with characters beyond a-z.",
    "Unescaped": " Write two backslashes for one, or single quotes around the string.",
}


@dataclass(frozen=True)
class ProjectSource:
    """A project file as it was read; `table` is where its keys are, such as `tool.sonde`."""

    file: Path
    text: str
    document: Mapping[str, object]
    table: KeyPath = ()

    @property
    def keys(self) -> Mapping[str, object] | None:
        """What stands in `table`; None if it is not there or not a table."""
        place: object = self.document
        for key in self.table:
            place = place.get(key) if isinstance(place, dict) else None
        return place if isinstance(place, dict) else None

    def has(self, path: KeyPath) -> bool:
        """Whether the file has a key there, right or wrong."""
        return (*self.table, *path) in self._positions

    def line(self, path: KeyPath) -> int:
        """The line of a key, or of the nearest table around it that exists."""
        position = self._nearest(path)
        return position.line if position else 1

    def written(self, path: KeyPath) -> str:
        """A value as it stands in the file, shortened to one line; empty for a table and for nothing."""
        position = self._positions.get((*self.table, *path))
        text = self.text[position.start : position.end] if position else ""
        line = " ".join(text.split())
        return line if len(line) <= SHOWN_LETTERS else f"{line[:SHOWN_LETTERS]}..."

    @property
    def shown_file(self) -> str:
        """The file as a message names it: below the current folder if it is there."""
        folder = Path.cwd()
        return str(self.file.relative_to(folder) if self.file.is_relative_to(folder) else self.file)

    @cached_property
    def _positions(self) -> Mapping[KeyPath, Position]:
        return positions(self.text)

    def _nearest(self, path: KeyPath) -> Position | None:
        whole = (*self.table, *path)
        candidates = (self._positions.get(whole[:length]) for length in range(len(whole), 0, -1))
        return next((position for position in candidates if position), None)


def read_source(file: Path) -> ProjectSource:
    """The text and the keys of a project file; raises ProjectFileError if it is not TOML."""
    try:
        text = decoded(file.read_bytes())
    except OSError as error:
        raise ProjectFileError(f"{file} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise ProjectFileError(f"{file} is not UTF-8 text (byte {error.start}). Save it as UTF-8.") from None
    return parse_source(file, text)


def decoded(content: bytes) -> str:
    """The text of a project file, with the ends of lines that TOML wants; raises UnicodeDecodeError."""
    return content.decode("utf-8-sig").replace("\r\n", "\n")


def parse_source(file: Path, text: str) -> ProjectSource:
    """The keys of a text, as if it stood in the file; raises ProjectFileError if it is not TOML."""
    table: KeyPath = ("tool", "sonde") if file.name == "pyproject.toml" else ()
    if has_deep_key(text):
        raise _too_deep(file)
    try:
        keys = tomllib.loads(text)
    except RecursionError:
        raise _too_deep(file) from None
    except tomllib.TOMLDecodeError as error:
        raise ProjectFileError(_syntax_error(ProjectSource(file, text, {}), str(error))) from None
    if _is_deeper(keys, DEEPEST):
        raise _too_deep(file)
    return ProjectSource(file, text, keys, table)


def _is_deeper(value: object, levels: int) -> bool:
    """Whether tables and arrays lie within each other in more levels."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return levels < 0 or any(_is_deeper(part, levels - 1) for part in parts)


def _too_deep(file: Path) -> ProjectFileError:
    return ProjectFileError(f"{file} nests tables or arrays too deeply to be read. Close brackets.")


def _syntax_error(source: ProjectSource, message: str) -> str:
    """What is wrong, with the line itself and a mark below the column."""
    what, _, where = message.partition(" (at ")
    found = re.search(r"line (\d+), column (\d+)", where)
    lines = source.text.split("\n")
    line, column = (int(found[1]), int(found[2])) if found else (len(lines), len(lines[-1]) + 1)
    text = lines[line - 1]
    rest = "\n".join([text[column - 1 :], *lines[line:]])
    if what.startswith(("Invalid value", "Unclosed", "Expected")) and not rest.strip():
        hint = " The file ends within a value: close the bracket or the quote."
    else:
        hint = next((hint for sign, hint in _HINTS.items() if sign in what), "")
    place = f"{source.shown_file}:{line}"
    return "\n".join(
        [
            f"{source.shown_file} has 1 mistake:",
            f"  {place}: this is not TOML: {what[:1].lower()}{what[1:]} in column {column}.{hint}",
            f"      {text}",
            f"      {' ' * (column - 1)}^",
        ]
    )
