"""Cutting LLVM's text at commas and spaces that lie outside of brackets and quotes."""

from __future__ import annotations

import re

# Quotes inside of a quoted name are written \22, so that a name ends at the first quote.
NAME = r'(?:[-\w.$]+|"[^"]*")'
_INTERESTING = re.compile(r'"[^"]*"|[][(){}<>,]|\s+')
_ESCAPED = re.compile(r"\\([0-9A-Fa-f]{2}|\\)")
_OPENING, _CLOSING = frozenset("([{<"), frozenset(")]}>")


def split_at_commas(text: str) -> list[str]:
    """The parts between commas that no bracket or quote encloses; nothing for an empty text."""
    if not any(letter in text for letter in '([{<"'):
        return text.split(", ") if text else []
    return _split(text, ",")


def split_at_spaces(text: str) -> list[str]:
    """The words of a text; what brackets or quotes enclose is not cut."""
    if not any(letter in text for letter in '([{<"'):
        return text.split()
    return _split(text, " ")


def _split(text: str, at: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for found in _INTERESTING.finditer(text):
        letter = found[0][0]
        if letter in _OPENING:
            depth += 1
        elif letter in _CLOSING:
            depth -= 1
        elif depth <= 0 and letter == at:
            parts.append(text[start : found.start()].strip())
            start = found.end()
    parts.append(text[start:].strip())
    return [part for part in parts if part]


def closing(text: str, opening: int) -> int:
    """The position of the bracket that closes the one at `opening`; the end of the text if none does."""
    depth = 0
    for found in _INTERESTING.finditer(text, opening):
        if found[0] in _OPENING:
            depth += 1
        elif found[0] in _CLOSING:
            depth -= 1
            if depth == 0:
                return found.start()
    return len(text)


def plain(name: str) -> str:
    """A name of the text, without its sigil, quotes and escapes."""
    name = name[1:] if name[:1] in ("%", "@") else name
    return unescaped(name[1:-1]).decode("utf-8", "replace") if name[:1] == '"' else name


def unescaped(text: str) -> bytes:
    """The bytes of a quoted text."""
    if "\\" not in text:
        return text.encode()
    return _ESCAPED.sub(_one_escape, text).encode("latin-1", "replace")


def _one_escape(found: re.Match[str]) -> str:
    return "\\" if found[1] == "\\" else chr(int(found[1], 16))
