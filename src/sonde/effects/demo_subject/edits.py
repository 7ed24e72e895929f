"""Edits of a tree of files: exact, so that a plan that no longer fits fails."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

Tree = Mapping[str, str]  # path -> text


class EditDoesNotApply(Exception):
    """The plan of the demo subject contradicts itself: a mistake of ours."""


@dataclass(frozen=True)
class Replace:
    """`old`, which occurs exactly once in the file, becomes `new`."""

    path: str
    old: str
    new: str

    def apply(self, tree: Tree) -> dict[str, str]:
        """The tree after the edit."""
        text = _existing(tree, self.path)
        times = text.count(self.old)
        if times != 1:
            raise EditDoesNotApply(f"{self.path}: this occurs {times} times, not once:\n{self.old}")
        return {**tree, self.path: text.replace(self.old, self.new)}

    def undone(self) -> "Replace":
        """The edit that takes this one back."""
        return Replace(self.path, self.new, self.old)


@dataclass(frozen=True)
class Rename:
    """`old`, which occurs exactly so many times in the file, becomes `new` everywhere."""

    path: str
    old: str
    new: str
    times: int

    def apply(self, tree: Tree) -> dict[str, str]:
        """The tree after the edit."""
        text = _existing(tree, self.path)
        if text.count(self.old) != self.times:
            raise EditDoesNotApply(
                f"{self.path}: {self.old!r} occurs {text.count(self.old)} times, not {self.times}."
            )
        return {**tree, self.path: text.replace(self.old, self.new)}


@dataclass(frozen=True)
class Append:
    """The file ends with `text`."""

    path: str
    text: str

    def apply(self, tree: Tree) -> dict[str, str]:
        """The tree after the edit."""
        return {**tree, self.path: _existing(tree, self.path) + self.text}


@dataclass(frozen=True)
class Create:
    """A file that was not there."""

    path: str
    text: str

    def apply(self, tree: Tree) -> dict[str, str]:
        """The tree after the edit."""
        if self.path in tree:
            raise EditDoesNotApply(f"{self.path} exists already.")
        return {**tree, self.path: self.text}


@dataclass(frozen=True)
class Delete:
    """A file that was there."""

    path: str

    def apply(self, tree: Tree) -> dict[str, str]:
        """The tree after the edit."""
        _existing(tree, self.path)
        return {path: text for path, text in tree.items() if path != self.path}


Edit = Replace | Rename | Append | Create | Delete


def apply_edits(tree: Tree, edits: Iterable[Edit]) -> dict[str, str]:
    """The tree after all edits, in order; each must change something."""
    result = dict(tree)
    for edit in edits:
        changed = edit.apply(result)
        if changed == result:
            raise EditDoesNotApply(f"{edit} changes nothing.")
        result = changed
    return result


def _existing(tree: Tree, path: str) -> str:
    if path not in tree:
        raise EditDoesNotApply(f"{path} does not exist.")
    return tree[path]
