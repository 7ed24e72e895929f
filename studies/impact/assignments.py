"""Assignments of a C file, and other texts of the file in which one of them assigns another value."""

from __future__ import annotations

import bisect
import json
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Node = dict[str, Any]

_WHOLE_NUMBER = re.compile(r"(?:(?:unsigned|signed|const|volatile|long|short|int|char|_Bool|enum \w+)\s*)+")


@dataclass(frozen=True)
class Edit:
    """A way to change a value so that most programs go on running."""

    name: str
    text: str  # {0}: the value

    def applied_to(self, value: str) -> str:
        """The value in its new form."""
        return self.text.replace("{0}", value)


QUARTER = Edit("a quarter more", "({ __typeof__ ({0}) seeded_ = ({0}); seeded_ + (seeded_ >> 2); })")
ONE = Edit("one more", "({0}) + 1")
DOUBLE = Edit("twice as much", "2 * ({0})")
HALF = Edit("half as much", "({0}) / 2")
NONE = Edit("nothing", "0 * ({0})")
MUCH = Edit("a hundred more", "({0}) + 100")
NOT = Edit("the opposite", "!({0})")

TRAP = Edit("the end", "(__builtin_trap (), ({0}))")  # no regression, but it shows what is ever executed


@dataclass(frozen=True)
class Assignment:
    """A value that a statement assigns: bytes of the file, and the lines of the statement."""

    first_line: int
    last_line: int
    begin: int
    end: int
    is_truth: bool  # it is either 0 or 1

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The ways to change it, in the order in which they are tried."""
        return (NOT,) if self.is_truth else (QUARTER, DOUBLE, HALF, ONE, MUCH, NONE)

    def seeded(self, content: bytes, edit: Edit) -> bytes:
        """The file with another value there."""
        value = content[self.begin : self.end].decode()
        return content[: self.begin] + edit.applied_to(value).encode() + content[self.end :]


def find_assignments(source: Path, words: tuple[str, ...], folder: Path) -> tuple[Assignment, ...]:
    """All that assign a whole number in a function of the file itself and not in a macro."""
    line = ["clang-19", *words, "-w", "-fsyntax-only", "-Xclang", "-ast-dump=json", str(source)]
    told = subprocess.run(line, cwd=folder, capture_output=True, check=True).stdout
    content = source.read_bytes()
    starts = [0, *(found.end() for found in re.finditer(rb"\n", content))]
    return tuple(_walk(json.loads(told), starts))


def _walk(root: Node, starts: list[int]) -> Iterator[Assignment]:
    waiting = [(root, False)]
    while waiting:
        node, is_inside = waiting.pop()
        kind = node.get("kind", "")
        inner = [each for each in node.get("inner", ()) if each]
        if is_inside and (value := _value(node, kind, inner)) is not None:
            found = _assignment(node, value, starts)
            if found is not None:
                yield found
        inside = is_inside or kind == "FunctionDecl"
        waiting += [(each, inside) for each in reversed(inner)]


def _value(node: Node, kind: str, inner: list[Node]) -> Node | None:
    """What a node assigns, if it is a whole number."""
    is_set = kind == "BinaryOperator" and node.get("opcode") == "="
    is_added = kind == "CompoundAssignOperator" and node.get("opcode") in ("+=", "-=")
    is_made = kind == "VarDecl" and node.get("init") == "c" and node.get("storageClass") != "static"
    if not (is_set or is_added or is_made) or not inner:
        return None
    return inner[-1] if _WHOLE_NUMBER.fullmatch(_type(node)) else None


def _type(node: Node) -> str:
    told = node.get("type", {})
    return str(told.get("desugaredQualType", told.get("qualType", "")))


def _assignment(node: Node, value: Node, starts: list[int]) -> Assignment | None:
    part = _range(value)
    whole = _range(node) or part  # `bool` may be a macro
    if whole is None or part is None or not whole[0] <= part[0] < part[1] <= whole[1]:
        return None
    first, last = bisect.bisect_right(starts, whole[0]), bisect.bisect_right(starts, whole[1])
    return Assignment(first, last, *part, is_truth="_Bool" in _type(node))


def _range(node: Node) -> tuple[int, int] | None:
    """The bytes of the file that a node stands for; None if it comes from a macro or another file."""
    begin, end = node["range"].get("begin", {}), node["range"].get("end", {})
    if any("offset" not in each or "includedFrom" in each for each in (begin, end)):
        return None
    return begin["offset"], end["offset"] + end["tokLen"]
