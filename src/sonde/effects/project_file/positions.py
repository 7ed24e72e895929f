"""Where each key and value of a TOML text stands, for messages that name a line.

tomllib tells no positions, so this reads the text a second time. It trusts that tomllib has accepted it, and
never looks into a value further than it must to find its end.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass

KeyPath = tuple[str | int, ...]

DEEPEST = 40  # tables and arrays within each other

_BLANK = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_STRING = re.compile(
    r'"""(?:[^\\"]|\\[\s\S]|"{1,2}(?!"))*"{3,5}'
    r"|'''(?:[^']|'{1,2}(?!'))*'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'"
)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_PART = r'(?:[A-Za-z0-9_-]++|"(?:[^"\\\n]|\\.)*+"|\'[^\'\n]*+\')'
_MANY_PARTS = re.compile(
    r"#[^\n]*"  # in a comment and in a text of several lines stands no key
    r'|"""(?:[^\\"]|\\[\s\S]|"{1,2}(?!"))*+"{3,5}'
    r"|'''(?:[^']|'{1,2}(?!'))*+'{3,5}"
    rf"|(?P<key>(?<![A-Za-z0-9_-])(?:{_PART}[ \t]*+\.[ \t]*+){{{DEEPEST}}})"
    rf"|{_PART}"
)
_SCALAR = re.compile(r"[^,\]}\n#]*[^,\]}\n#\s]")


@dataclass(frozen=True)
class Position:
    """A place in the text: the line of a key, and where its value begins and ends."""

    line: int  # of the key, or of the value where it is an element of an array; from 1
    start: int
    end: int  # the same as `start` for a table that is not inline: it is no single piece of text


def positions(text: str) -> Mapping[KeyPath, Position]:
    """The position of every key and of every element of an array in a valid TOML text.

    A carriage return before a line feed must have been removed, as tomllib does too.
    """
    scanner = _Scanner(text)
    scanner.document()
    return scanner.found


def has_deep_key(text: str) -> bool:
    """Whether a dotted key may name more tables than `DEEPEST`; the text need not be valid.

    tomllib keeps every beginning of a key, so that one of 100,000 parts takes all memory.
    """
    return any(found["key"] for found in _MANY_PARTS.finditer(text))


class _Scanner:
    """One walk over the text."""

    def __init__(self, text: str) -> None:
        self.found: dict[KeyPath, Position] = {}
        self._text = text
        self._at = 0
        self._lengths: dict[KeyPath, int] = {}  # of arrays of tables, so far
        self._line, self._counted_to = 1, 0

    def document(self) -> None:
        table: KeyPath = ()
        self._skip_blank()
        while self._at < len(self._text):
            if self._text[self._at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip_blank()

    def _header(self) -> KeyPath:
        line = self._line_at(self._at)
        is_array = self._text.startswith("[[", self._at)
        self._at += 2 if is_array else 1
        keys = self._keys()
        self._at += 2 if is_array else 1
        path: KeyPath = ()
        for number, key in enumerate(keys):
            path += (key,)
            is_last = number == len(keys) - 1
            self._note(path, line)
            if is_last and is_array:
                self._lengths[path] = self._lengths.get(path, 0) + 1
            if path in self._lengths:
                path += (self._lengths[path] - 1,)
                self._note(path, line)
        # A table may be named by its subtables before it has a header of its own.
        self.found[path] = Position(line, self._at, self._at)
        return path

    def _pair(self, table: KeyPath) -> None:
        line = self._line_at(self._at)
        *parents, last = self._keys()
        self._at += 1  # the equals sign
        self._skip_spaces()
        path = table
        for key in parents:
            path += (key,)
            self._note(path, line)
        self._value((*path, last), line)

    def _value(self, path: KeyPath, line: int) -> None:
        start = self._at
        first = self._text[start]
        if first in "\"'":
            self._at = self._expect(_STRING)
        elif first == "[":
            self._items(path, "]")
        elif first == "{":
            self._items(path, "}")
        else:
            self._at = self._expect(_SCALAR)
        self.found[path] = Position(line, start, self._at)

    def _items(self, path: KeyPath, closing: str) -> None:
        self._at += 1
        number = 0
        self._skip_blank()
        while self._text[self._at] != closing:
            if closing == "]":
                self._value((*path, number), self._line_at(self._at))
            else:
                self._pair(path)
            number += 1
            self._skip_blank()
            if self._text[self._at] == ",":
                self._at += 1
            self._skip_blank()
        self._at += 1

    def _keys(self) -> list[str]:
        """The parts of a dotted key; ends before what follows it."""
        keys: list[str] = []
        while True:
            self._skip_spaces()
            if self._text[self._at] in "\"'":
                end = self._expect(_STRING)
                keys.append(tomllib.loads(f"key = {self._text[self._at : end]}")["key"])
            else:
                end = self._expect(_BARE_KEY)
                keys.append(self._text[self._at : end])
            self._at = end
            self._skip_spaces()
            if self._text[self._at] != ".":
                return keys
            self._at += 1

    def _note(self, path: KeyPath, line: int) -> None:
        """Note a table that is named on the way to another key."""
        self.found.setdefault(path, Position(line, self._at, self._at))

    def _expect(self, pattern: re.Pattern[str]) -> int:
        match = pattern.match(self._text, self._at)
        if match is None:
            raise ValueError(f"no valid TOML at offset {self._at}; tomllib must accept the text first")
        return match.end()

    def _skip_blank(self) -> None:
        self._at = self._expect(_BLANK)

    def _skip_spaces(self) -> None:
        while self._text[self._at] in " \t":
            self._at += 1

    def _line_at(self, at: int) -> int:
        self._line += self._text.count("\n", self._counted_to, at)
        self._counted_to = at
        return self._line
