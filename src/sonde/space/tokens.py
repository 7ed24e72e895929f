"""The words of a constraint, with their columns."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from sonde.core.errors import UserError
from sonde.space.expressions import WORD

SHOWN_LETTERS = 150  # of a long constraint, on either side of the mistake


class ConstraintError(UserError):
    """A constraint that cannot be read, and the column (from 1) where reading ended."""

    def __init__(self, constraint: str, column: int, message: str, unknown: str = "") -> None:
        super().__init__(f"constraint '{_excerpt(constraint, column)}', column {column}: {message}")
        self.constraint = constraint
        self.column = column
        self.message = message
        self.unknown = unknown  # the name that is not an option, if that is the mistake


def _excerpt(constraint: str, column: int) -> str:
    """The constraint as a message shows it: all of it, or what stands around the column."""
    if len(constraint) <= 2 * SHOWN_LETTERS:
        return constraint
    begin, end = max(0, column - 1 - SHOWN_LETTERS), column - 1 + SHOWN_LETTERS
    return ("..." if begin else "") + constraint[begin:end] + ("..." if end < len(constraint) else "")


@dataclass(frozen=True)
class Token:
    """A word, a quoted text or a sign; the token at the end is empty."""

    text: str
    column: int  # from 1
    quoted: bool = False

    @property
    def shown(self) -> str:
        """The token as a message shows it."""
        return f"'{self.text}'" if self.text or self.quoted else "the end"


_FOREIGN = {
    "&&": "and",
    "&": "and",
    "||": "or",
    "|": "or",
    "<=>": "iff",
    "<->": "iff",
    "=>": "implies",
    "->": "implies",
    "==": "=",
    "~": "not",
}

_TOKEN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<foreign>&&?|\|\|?|<=>|<->|=>|->|==|~)"
    r"|(?P<sign>!=|<=|>=|[!=<>(),])"
    r"|(?P<quoted>\"(?:[^\"\\]|\\.)*\"|'[^']*')"
    rf"|(?P<word>{WORD.pattern})"
)


def tokenize(constraint: str) -> list[Token]:
    """The tokens of `constraint`; the last one is the end."""
    tokens: list[Token] = []
    at = 0
    while at < len(constraint):
        match = _TOKEN.match(constraint, at)
        if match is None:
            raise ConstraintError(constraint, at + 1, _strange(constraint[at]))
        text, column = match.group(), at + 1
        if match.lastgroup == "foreign":
            raise ConstraintError(
                constraint, column, f"'{text}' is not valid here: write '{_FOREIGN[text]}'."
            )
        if match.lastgroup == "quoted":
            tokens.append(Token(_unquoted(constraint, column, text), column, quoted=True))
        elif match.lastgroup != "space":
            tokens.append(Token(text, column))
        at = match.end()
    return [*tokens, Token("", len(constraint) + 1)]


def _unquoted(constraint: str, column: int, text: str) -> str:
    if text.startswith("'"):
        return text[1:-1]
    try:
        return str(json.loads(text, strict=False))
    except ValueError:
        raise ConstraintError(
            constraint, column, f"{text} has an unknown escape: write it in single quotes, which have none."
        ) from None


def _strange(character: str) -> str:
    if character in "'\"":
        return f"the string that begins with {character} is not closed: write a second {character} after it."
    return f"'{character}' is not valid here: put a value with such a character in quotes."
