"""Trees of frozen dataclasses: walk through them, replace a part, merge two of them, project one side.

A merged tree holds two programs at once: where they differ it has a `Changed` with the parts of both. So what
shrinks it shrinks both programs alike.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum


class Side(Enum):
    """Which of two revisions."""

    BASE = "base"
    HEAD = "head"


@dataclass(frozen=True)
class Changed:
    """What differs: parts of the base, and what the head has in their place."""

    base: tuple[object, ...]
    head: tuple[object, ...]

    def of(self, side: Side) -> tuple[object, ...]:
        """The parts of one side."""
        return self.base if side is Side.BASE else self.head


@dataclass(frozen=True)
class Step:
    """A way down from a node: a field, and the position in it if it is a tuple (-1: it is none)."""

    field: str
    position: int = -1


Path = tuple[Step, ...]


def is_node(value: object) -> bool:
    """Whether it is a node of a tree, and not a leaf such as a text or a number."""
    return is_dataclass(value) and not isinstance(value, type)


def walk(root: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """Every node with its path, parents first."""
    if not is_node(root):
        return
    yield path, root
    for name, value in _values(root):
        if isinstance(value, tuple):
            for position, part in enumerate(value):
                yield from walk(part, (*path, Step(name, position)))
        else:
            yield from walk(value, (*path, Step(name)))


def walk_tuples(root: object) -> Iterator[tuple[Path, tuple[object, ...]]]:
    """Every field that holds a tuple of nodes, with the path of the field."""
    for path, node in walk(root):
        for name, value in _values(node):
            if isinstance(value, tuple) and value and any(map(is_node, value)):
                yield (*path, Step(name)), value


def at(root: object, path: Path) -> object:
    """The node at a path."""
    for step in path:
        value: object = getattr(root, step.field)
        root = value if step.position < 0 or not isinstance(value, tuple) else value[step.position]
    return root


def replaced(root: object, path: Path, new: object) -> object:
    """The tree with another value at a path."""
    if not path:
        return new
    step, *rest = path
    value: object = getattr(root, step.field)
    if step.position >= 0 and isinstance(value, tuple):
        part = replaced(value[step.position], tuple(rest), new)
        return _with(root, step.field, (*value[: step.position], part, *value[step.position + 1 :]))
    return _with(root, step.field, replaced(value, tuple(rest), new))


def mapped(root: object, change: Callable[[object], object]) -> object:
    """The tree with each node changed, children first; parts that stay the same are shared."""
    if isinstance(root, tuple):
        parts = tuple(mapped(part, change) for part in root)
        return root if all(new is old for new, old in zip(parts, root, strict=True)) else parts
    if not is_node(root):
        return root
    for name, value in _values(root):
        if (new := mapped(value, change)) is not value:
            root = _with(root, name, new)
    return change(root)


def size(root: object) -> int:
    """How many nodes a tree has."""
    return sum(1 for _ in walk(root))


def merge(base: object, head: object) -> object:
    """One tree of two, with a `Changed` at each place where they differ."""
    if base == head:
        return base
    if not is_node(base) or type(base) is not type(head):
        return Changed((base,), (head,))
    merged = base
    for name, old in _values(base):
        new = getattr(head, name)
        if old == new:
            continue
        if isinstance(old, tuple) and isinstance(new, tuple) and all(map(is_node, (*old, *new))):
            merged = _with(merged, name, tuple(_merge_parts(old, new)))
        elif is_node(old) and is_node(new):
            merged = _with(merged, name, merge(old, new))
        else:
            return Changed((base,), (head,))
    return merged


def _merge_parts(base: Sequence[object], head: Sequence[object]) -> Iterator[object]:
    if len(base) == len(head):
        for old, new in zip(base, head, strict=True):
            yield merge(old, new)
        return
    steps = difflib.SequenceMatcher(None, base, head, autojunk=False).get_opcodes()
    for kind, first, last, start, end in steps:
        if kind == "equal":
            yield from base[first:last]
        else:
            yield Changed(tuple(base[first:last]), tuple(head[start:end]))


def project(root: object, side: Side) -> object:
    """One of the two programs of a merged tree."""
    if isinstance(root, Changed):
        (root,) = root.of(side)
        return project(root, side)
    if isinstance(root, tuple):
        return tuple(_projected_parts(root, side))
    if not is_node(root):
        return root
    for name, value in _values(root):
        if (new := project(value, side)) is not value and new != value:
            root = _with(root, name, new)
    return root


def _projected_parts(parts: Sequence[object], side: Side) -> Iterator[object]:
    for part in parts:
        if isinstance(part, Changed):
            yield from (project(each, side) for each in part.of(side))
        else:
            yield project(part, side)


def _values(node: object) -> Iterator[tuple[str, object]]:
    assert is_dataclass(node)
    for field in fields(node):
        yield field.name, getattr(node, field.name)


def _with(node: object, name: str, value: object) -> object:
    assert is_dataclass(node)
    assert not isinstance(node, type)
    return replace(node, **{name: value})
