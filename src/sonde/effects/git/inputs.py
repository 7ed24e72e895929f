"""The digests of many revisions' build inputs, from git's trees.

Adjacent revisions share nearly all of their trees. Each tree is read once, and only if its files are not all
decided alike: such a tree counts with its own id, or not at all.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sonde.core.revisions import RevisionId
from sonde.effects.git.objects import open_objects
from sonde.effects.git.patterns import Patterns, Standing
from sonde.effects.git.program import Git

NO_INPUTS = hashlib.sha256(b"").hexdigest()  # the digest of a revision in which the patterns choose no file

_FOLDER = b"40000"
_SUBMODULE = b"160000"
_RAW_LENGTH = {40: 20, 64: 32}  # letters of an id -> its bytes in a tree


class Folder(NamedTuple):
    """A tree, and what the patterns say of the folder where it stands."""

    tree: str
    standing: Standing


class InputEntry(NamedTuple):
    """Something in a folder that counts: with its own id, or with the digest of what counts below it."""

    mode: bytes
    name: bytes
    counts_as: str | Folder


class InputDigests:
    """Digests the files that patterns choose."""

    def __init__(self, git: Git, patterns: tuple[str, ...]) -> None:
        self._git = git
        self._patterns = Patterns(patterns)
        self._entries: dict[Folder, tuple[InputEntry, ...]] = {}
        self._digests: dict[Folder, str] = {}

    def of(self, revisions: Iterable[RevisionId]) -> Mapping[RevisionId, str]:
        """The digest of each revision; raises `GitFailed` if a revision or one of its trees is missing.

        If all files are inputs, it is the id of the tree.
        """
        wanted = tuple(dict.fromkeys(revisions))
        root = self._patterns.root
        if root.is_settled:
            return self._trees(wanted) if root.chosen else dict.fromkeys(wanted, NO_INPUTS)
        with open_objects(self._git) as reader:
            trees = list(reader.read(f"{revision}^{{tree}}" for revision in wanted))
            roots = [Folder(tree.id, root) for tree in trees]
            folders = set(roots)
            while folders:
                contents = {tree.id: tree.content for tree in trees}
                self._entries |= {folder: self._counting(folder, contents[folder.tree]) for folder in folders}
                folders = {
                    entry.counts_as
                    for folder in folders
                    for entry in self._entries[folder]
                    if isinstance(entry.counts_as, Folder) and entry.counts_as not in self._entries
                }
                trees = list(reader.read({folder.tree for folder in folders}))
        return {revision: self._digest(folder) for revision, folder in zip(wanted, roots, strict=True)}

    def _trees(self, revisions: tuple[RevisionId, ...]) -> Mapping[RevisionId, str]:
        given = "".join(f"{revision}\n" for revision in revisions).encode()
        words = ("log", "--no-walk=unsorted", "--stdin", "--no-show-signature", "--format=%H %T")
        rows = self._git.read(*words, given=given).decode().splitlines() if revisions else []
        return {RevisionId(revision): tree for revision, tree in (row.split() for row in rows)}

    def _counting(self, folder: Folder, content: bytes) -> tuple[InputEntry, ...]:
        found = []
        for mode, name, raw_id in _parse_tree(content, _RAW_LENGTH[len(folder.tree)]):
            text = name.decode("utf-8", "surrogateescape")
            if mode not in (_FOLDER, _SUBMODULE):
                if self._patterns.choose(folder.standing, text):
                    found.append(InputEntry(mode, name, raw_id.hex()))
                continue
            below = self._patterns.enter(folder.standing, text)
            if below.is_settled and not below.chosen:
                continue
            if below.is_settled or mode == _SUBMODULE:
                found.append(InputEntry(mode, name, raw_id.hex()))
            else:
                found.append(InputEntry(mode, name, Folder(raw_id.hex(), below)))
        return tuple(found)

    def _digest(self, folder: Folder) -> str:
        if folder not in self._digests:
            summed = hashlib.sha256()
            for mode, name, counts_as in self._entries[folder]:
                id = self._digest(counts_as) if isinstance(counts_as, Folder) else counts_as
                if id != NO_INPUTS:
                    summed.update(b"%s %s\0%s\n" % (mode, name, id.encode()))
            self._digests[folder] = summed.hexdigest()
        return self._digests[folder]


_ENTRY = {length: re.compile(rb"([0-7]+) ([^\0]+)\0(.{%d})" % length, re.DOTALL) for length in (20, 32)}


def _parse_tree(content: bytes, id_length: int) -> list[tuple[bytes, bytes, bytes]]:
    """Mode, name and id of each entry of a tree, as git stores it."""
    return _ENTRY[id_length].findall(content)
