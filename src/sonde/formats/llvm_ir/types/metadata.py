"""The numbered notes at the end of LLVM's text, each looked at when it is asked for."""

from __future__ import annotations

import re

from sonde.formats.llvm_ir.types.pieces import unescaped

_NOTE = re.compile(r"^!(\d+) = (?!!DILocation\(|distinct !DILocation\()(.*)$", re.MULTILINE)
_LOCATION = re.compile(
    r"^!(\d+) = (?:distinct )?!DILocation\((?:line: (\d+))?(?:, )?(?:column: \d+, )?scope: !(\d+)",
    re.MULTILINE,
)
_ATTRIBUTE = re.compile(r'\b(\w+): ("[^"]*"|![\w]+\([^)]*\)|[^,()]+)')
_LIST_ITEM = re.compile(r"!(\d+)|null")

Note = dict[str, str]  # attributes by name; `kind` is what the note describes, `DIFile` for example
NOTHING: Note = {"kind": ""}


class Metadata:
    """Notes by number; what is asked for twice is cut up once."""

    def __init__(self, text: str) -> None:
        """Take the part of a module's text that has the notes."""
        self._lines: dict[str, str] = dict(_NOTE.findall(text))
        self._notes: dict[str, Note] = {}
        self.locations: list[tuple[str, str, str]] = _LOCATION.findall(text)  # number, line, scope

    def note(self, number: str) -> Note:
        """The attributes of a note, by its number without `!`; empty if there is none."""
        known = self._notes.get(number)
        if known is None:
            line = self._lines.get(number, "")
            kind, _, rest = line.partition("(")
            known = NOTHING
            if rest:
                known = dict(_ATTRIBUTE.findall(rest[:-1]))
                known["kind"] = kind.rpartition("!")[2]
            self._notes[number] = known
        return known

    def referred(self, note: Note, attribute: str) -> str:
        """The number of the note that an attribute refers to; empty if none."""
        value = note.get(attribute, "")
        return value[1:] if value[:1] == "!" else ""

    def items(self, number: str) -> list[str]:
        """The numbers in a list (`!{!1, !2}`), without those that are empty."""
        line = self._lines.get(number, "")
        return [found for found in _LIST_ITEM.findall(line.partition("{")[2]) if found] if "{" in line else []

    def matching(self, pattern: re.Pattern[str]) -> list[str]:
        """The notes whose text holds a pattern."""
        return [number for number, line in self._lines.items() if pattern.search(line)]

    def numbers_of(self, beginning: str) -> list[str]:
        """The notes whose text holds these words: `!DICompositeType(tag: DW_TAG_structure_type`."""
        return [number for number, line in self._lines.items() if beginning in line]


def quoted(note: Note, attribute: str) -> str:
    """A text attribute without its quotes."""
    value = note.get(attribute, "")
    return unescaped(value[1:-1]).decode("utf-8", "replace") if value[:1] == '"' else ""


def whole_number(note: Note, attribute: str) -> int:
    """A numeric attribute; 0 if it is missing, or an expression."""
    value = note.get(attribute, "")
    return int(value) if value.isdigit() else 0
