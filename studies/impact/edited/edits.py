"""Ways to change one line of C, C++ or Python so that it often compiles and does something else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

_NUMBER = re.compile(r"(?<![\w.])(0|[1-9]\d{0,5})(?![\w.])")
_COMPARISON = re.compile(r"(?<=[\w)\]] )(<=|>=|==|!=|<|>)(?= [\w(*&\-'\"!])")
_LOGIC = re.compile(r"&&|\|\|| and | or ")
_SIGN = re.compile(r"(?<=[\w)\]] )[+-](?= [\w(])")
_STATEMENT = re.compile(
    r"^\s*(?:\*?\w[\w.>\-\[\]*+]* *(?:[-+*|&]?=(?!=)|\().*|\w[\w.>\-\[\]]*(?:\+\+|--));\s*$"
)
_CALL = re.compile(r"^\s*\w+ ?\(.*\);\s*$")
_SWAPPED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
_OTHER = {"&&": "||", "||": "&&", " and ": " or ", " or ": " and "}
_KEYWORDS = ("return", "case", "break", "continue", "goto", "typedef", "extern")


@dataclass(frozen=True)
class Edit:
    """What a line becomes, and the kind of the change."""

    kind: str
    line: str


def edits(line: str) -> tuple[Edit, ...]:
    """All edits of a line; of a comment or a directive there is none."""
    if line.lstrip().startswith(("/*", "*", "//", "#", "case ")):
        return ()
    return tuple(
        chain(
            _within("a number", line, _NUMBER, lambda text: str(2 * int(text) + 1)),
            _within("a comparison", line, _COMPARISON, _SWAPPED.__getitem__),
            _within("a condition", line, _LOGIC, _OTHER.__getitem__),
            _within("a sign", line, _SIGN, lambda text: "-" if text == "+" else "+"),
            _whole(line),
        )
    )


def _within(kind: str, line: str, pattern: re.Pattern[str], other: Callable[[str], str]) -> Iterator[Edit]:
    for found in pattern.finditer(line):
        if line[: found.start()].count('"') % 2 == 0:  # a text that is printed has no influence on the cost
            yield Edit(kind, line[: found.start()] + other(found[0]) + line[found.end() :])


def _whole(line: str) -> Iterator[Edit]:
    """Statements of C on a line of their own are deleted; calls are repeated."""
    if _STATEMENT.match(line) and not line.lstrip().startswith(_KEYWORDS):
        indent = line[: len(line) - len(line.lstrip())]
        yield Edit("a deletion", f"{indent};")
        if _CALL.match(line):
            yield Edit("a repeated call", f"{line.rstrip()} {line.strip()}")
