"""What nobody names any more is dropped: functions, variables, macros, types and files without code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from studies.impact.generated.c.nodes import (
    Enumeration,
    Field,
    File,
    Function,
    Macro,
    Member,
    Name,
    Plain,
    Program,
    Structure,
    Variable,
)
from studies.impact.generated.trees import mapped, walk


def tidied(root: object) -> object:
    """The merged tree without definitions that nobody names; what differs between the sides stays."""
    while True:
        named = Counter(_named(root))
        smaller = mapped(root, partial(_with_used, named))
        if smaller == root:
            return root
        root = smaller


def _named(root: object) -> Iterator[str]:
    for _, node in walk(root):
        if isinstance(node, Name):
            yield node.text
        elif isinstance(node, Plain):
            yield node.name
        elif isinstance(node, Member):
            yield f".{node.field}"


def _with_used(named: Counter[str], node: object) -> object:
    if isinstance(node, File):
        return replace(node, items=tuple(each for each in node.items if _is_used(each, named)))
    if isinstance(node, Structure) and node.name == "config" and len(node.fields) > 1:
        used = tuple(each for each in node.fields if _is_field_used(each, named))
        return replace(node, fields=used) if used else node
    if isinstance(node, Program):
        return replace(node, files=tuple(each for each in node.files if _is_file_used(each)))
    return node


def _is_file_used(file: object) -> bool:
    """Whether it has code; headers are included even if they are empty."""
    return not isinstance(file, File) or bool(file.items) or file.name.endswith(".h")


def _is_field_used(field: object, named: Counter[str]) -> bool:
    return not isinstance(field, Field) or bool(named[f".{field.name}"])


def _is_used(item: object, named: Counter[str]) -> bool:
    match item:
        case Function(name="main"):
            return True
        case Function():
            within = sum(text == item.name for text in _named(item.body))
            return named[item.name] > within
        case Variable() | Macro():
            return bool(named[item.name])
        case Structure() if item.name != "config":
            return bool(named[f"{item.word} {item.name}"])
        case Enumeration():
            return any(named[getattr(each, "name", "")] for each in item.constants)
        case _:
            return True
