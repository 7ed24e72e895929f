"""Command lines with places to fill: `{build}`, `{options}`, `{level}`; doubled braces are literal ones."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

MOST_KEPT_LINES = 1_024

_PIECE = re.compile(r"\{\{|\}\}|\{(?P<name>[A-Za-z_][A-Za-z0-9_.-]*)\}|[{}]")


class LoneBrace(ValueError):
    """A brace that belongs to no place, in `column` (from 1)."""

    def __init__(self, column: int) -> None:
        super().__init__(
            f"the brace in column {column} belongs to no {{NAME}}: write {{{{ or }}}} for a literal one."
        )
        self.column = column


@dataclass(frozen=True)
class TemplateField:
    """A part of a line that is to be replaced."""

    name: str
    column: int  # from 1


def places(line: str) -> tuple[TemplateField, ...]:
    """Every place in `line`, from left to right; raises LoneBrace."""
    return tuple(piece for piece in _sound_pieces(line) if isinstance(piece, TemplateField))


def lone_braces(line: str) -> tuple[LoneBrace, ...]:
    """Every brace of `line` that belongs to no place, from left to right."""
    return tuple(piece for piece in _pieces(line) if isinstance(piece, LoneBrace))


def sound_places(line: str) -> tuple[TemplateField, ...]:
    """Every place in `line`, whatever else is wrong with it."""
    return tuple(piece for piece in _pieces(line) if isinstance(piece, TemplateField))


def fill_text(line: str, values: Mapping[str, str]) -> str:
    """`line` with its places replaced as they are, without any quoting."""
    return "".join(
        values[piece.name] if isinstance(piece, TemplateField) else piece for piece in _sound_pieces(line)
    )


def fill_command(line: str, values: Mapping[str, str | tuple[str, ...]]) -> str:
    """`line` with its places replaced so that a shell, or `shlex.split`, reads each value as it is.

    A value that is a tuple becomes several words, in whatever way they must be quoted; so
    `sh -c "{build}/packer {options}"` works as well as `{build}/packer {options}`.
    """
    return "".join(
        _within(piece.quote, values[piece.name]) if isinstance(piece, _QuotedField) else piece
        for piece in _quoted_pieces(line)
    )


@dataclass(frozen=True)
class _QuotedField:
    name: str
    quote: str  # the one that is open around it


@lru_cache(maxsize=MOST_KEPT_LINES)
def _quoted_pieces(line: str) -> tuple[str | _QuotedField, ...]:
    """The pieces of a line, which many configurations fill."""
    pieces: list[str | _QuotedField] = []
    quote = ""
    for piece in _sound_pieces(line):
        if isinstance(piece, TemplateField):
            pieces.append(_QuotedField(piece.name, quote))
        else:
            pieces.append(piece)
            quote = _quote_after(piece, quote)
    return tuple(pieces)


def _sound_pieces(line: str) -> Iterator[str | TemplateField]:
    for piece in _pieces(line):
        if isinstance(piece, LoneBrace):
            raise piece
        yield piece


def _pieces(line: str) -> Iterator[str | TemplateField | LoneBrace]:
    at = 0
    for match in _PIECE.finditer(line):
        yield line[at : match.start()]
        at = match.end()
        if match["name"] is not None:
            yield TemplateField(match["name"], match.start() + 1)
        elif len(match.group()) == 1:
            yield LoneBrace(match.start() + 1)
        else:
            yield match.group()[0]
    yield line[at:]


def _quote_after(text: str, quote: str) -> str:
    """The quote that is open after `text`, if `quote` was open before it."""
    skip = False
    for character in text:
        if skip:
            skip = False
        elif character == "\\" and quote != "'":
            skip = True
        elif character == quote:
            quote = ""
        elif character in "'\"" and not quote:
            quote = character
    return quote


def _within(quote: str, value: str | tuple[str, ...]) -> str:
    """A value as it must be written while `quote` is open."""
    if not quote:
        return shlex.join(value) if isinstance(value, tuple) else shlex.quote(value)
    text = shlex.join(value) if isinstance(value, tuple) else value
    if quote == "'":
        return text.replace("'", "'\"'\"'")
    # A shell knows an escaped $ inside double quotes and shlex does not, so it gets quotes of its own.
    escaped = re.sub(r'[\\"]', r"\\\g<0>", text)
    return re.sub(r"[$`]+", lambda match: f"\"'{match.group()}'\"", escaped)
