"""Where in the source an instruction, a routine or a variable comes from."""

from __future__ import annotations

import posixpath

from sonde.core.code import NOWHERE, SourceLine
from sonde.formats.llvm_ir.types.metadata import Metadata, Note, quoted


class SourceLineNotes:
    """Places by the numbers of their notes."""

    def __init__(self, metadata: Metadata, root: str | None) -> None:
        """Take the folder that names of files shall be relative to."""
        self._metadata = metadata
        self._root = root.rstrip("/") + "/" if root else None
        self._files: dict[str, str] = {}
        self._known: dict[tuple[str, str], SourceLine] = {}

    def of_locations(self) -> dict[str, SourceLine]:
        """The places of instructions by number; of inlined code, where it stands in the source."""
        found: dict[str, SourceLine] = {}
        known: dict[tuple[str, str], SourceLine] = {}
        metadata = self._metadata
        for number, line, scope in metadata.locations:
            place = known.get((line, scope))
            if place is None:
                file = metadata.referred(metadata.note(scope), "file")
                place = known[line, scope] = self._place(file, line or "0")
            found[number] = place
        return found

    def of_note(self, note: Note) -> SourceLine:
        """The place of what a note with `file` and `line` describes."""
        return self._place(self._metadata.referred(note, "file"), note.get("line", "0"))

    def file(self, number: str) -> str:
        """The name of a file, relative to the root if it lies below it, else as the compiler was given it."""
        known = self._files.get(number)
        if known is None:
            note = self._metadata.note(number)
            known = self._files[number] = self.relative(quoted(note, "filename"), quoted(note, "directory"))
        return known

    def relative(self, name: str, folder: str) -> str:
        """The same for a name and the folder that the compiler worked in."""
        if not name:
            return ""
        whole = posixpath.normpath(posixpath.join(folder, name))
        if not whole.startswith("/"):
            return whole
        if self._root is not None and whole.startswith(self._root):
            return whole[len(self._root) :]
        return name

    def _place(self, file: str, line: str) -> SourceLine:
        place = self._known.get((file, line))
        if place is None:
            name = self.file(file)
            place = SourceLine(name, int(line)) if name and line.isdigit() else NOWHERE
            self._known[file, line] = place
        return place
