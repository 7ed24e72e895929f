"""What nobody names any more is dropped: definitions, imports and files without code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from studies.impact.generated.python.nodes import (
    Assign,
    Attribute,
    Class,
    Field,
    File,
    Function,
    Handler,
    Import,
    Keyword,
    Line,
    Name,
    Program,
    Raw,
    Text,
)
from studies.impact.generated.trees import mapped, walk

_WORD = re.compile(r"[A-Za-z_]\w*")


def tidied(root: object) -> object:
    """The merged tree without what nobody names; what differs between the sides stays."""
    while True:
        smaller = mapped(mapped(root, _without_imports), partial(_with_used, Counter(_words(root))))
        if smaller == root:
            return root
        root = smaller


def _words(root: object) -> Iterator[str]:
    """All names that are used; imports use none."""
    for _, node in walk(root):
        match node:
            case Name() | Raw() | Line():
                yield from _WORD.findall(node.text)
            case Attribute():
                yield node.field
            case Keyword():
                yield node.name
            case Text():
                yield from _WORD.findall(node.value)
            case Handler():
                yield from _WORD.findall(node.caught)
            case _:
                pass


def _without_imports(node: object) -> object:
    if not isinstance(node, File):
        return node
    used = set(_words(node))
    body = tuple(each for each in node.body if not isinstance(each, Import) or _is_imported_for(each, used))
    return node if len(body) == len(node.body) else replace(node, body=body)


def _is_imported_for(item: Import, used: set[str]) -> bool:
    if not item.names:
        return item.module in used
    return any(getattr(each, "name", "") in used for each in item.names)


def _with_used(named: Counter[str], node: object) -> object:
    if isinstance(node, File | Class):
        body = tuple(each for each in node.body if _is_used(each, named))
        return node if body == node.body else replace(node, body=body)
    if isinstance(node, Program):
        files = tuple(filter(_is_needed, node.files))
        return node if files == node.files else replace(node, files=files)
    return node


def _is_needed(file: object) -> bool:
    return not isinstance(file, File) or bool(file.body) or file.name.endswith("__init__.py")


def _is_used(item: object, named: Counter[str]) -> bool:
    match item:
        case Function(name=name) if name.startswith("__") or item.decorators:
            return True
        case Function() | Class():
            within = sum(text == item.name for text in _words(item))
            return named[item.name] > within
        case Assign(target=Name(text=name)):
            return named[name] > 1
        case Field():
            return bool(named[item.name])
        case _:
            return True
