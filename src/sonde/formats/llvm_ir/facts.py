"""What all routines of a module share while they are read."""

from __future__ import annotations

from dataclasses import dataclass, field

from sonde.core.code import NOWHERE, FieldStep, SourceLine
from sonde.formats.llvm_ir.constants import Constants
from sonde.formats.llvm_ir.types.layouts import TypeLayouts, structure_name, without_numbers
from sonde.formats.llvm_ir.types.metadata import Metadata
from sonde.formats.llvm_ir.types.places import SourceLineNotes
from sonde.formats.llvm_ir.types.structures import Structures


@dataclass(frozen=True)
class ModuleFacts:
    """The types, constants and notes of a module, and what was found out about pieces of its text."""

    layouts: TypeLayouts
    constants: Constants
    metadata: Metadata
    places: SourceLineNotes
    structures: Structures
    anonymous: dict[str, str]  # LLVM's types without a name in the source -> the structure
    records: dict[str, str]  # structure -> LLVM's type
    global_types: dict[str, str]  # by the names of globals
    seen_places: dict[str, SourceLine]  # by what follows `!dbg !`
    seen_loads: dict[str, tuple[str, int]] = field(default_factory=dict)
    seen_stores: dict[str, tuple[str, int]] = field(default_factory=dict)
    seen_types: dict[str, tuple[str, int]] = field(default_factory=dict)  # type -> shape, size
    seen_shapes: dict[str, str] = field(default_factory=dict)
    seen_locals: dict[str, tuple[str, str, str, int, tuple[FieldStep, ...]]] = field(default_factory=dict)
    seen_fields: dict[tuple[str, str, str], tuple[str, str, int, tuple[FieldStep, ...]]] = field(
        default_factory=dict
    )
    seen_calls: dict[str, str] = field(default_factory=dict)
    seen_members: dict[str, dict[int, str]] = field(default_factory=dict)
    seen_arguments: dict[str, str] = field(default_factory=dict)

    def shape(self, text: str) -> str:
        """A text as a shape; the same object for the same text."""
        known = self.seen_shapes.get(text)
        if known is None:
            known = self.seen_shapes[text] = without_numbers(text)
        return known

    def type(self, text: str) -> tuple[str, int]:
        """A type as a part of shapes, and its size."""
        known = self.seen_types.get(text)
        if known is None:
            known = self.seen_types[text] = (without_numbers(text), self.layouts.of(text).size)
        return known

    def structure(self, type_: str) -> str:
        """The structure that a type is, as in `Unit.types`; empty if it has no name."""
        return self.anonymous.get(type_) or structure_name(type_)

    def member(self, structure: str, offset: int) -> str:
        """The first member that begins at an offset of a structure; empty if none does."""
        members = self.seen_members.get(structure)
        if members is None:
            members = {}
            for each in self.structures.members(structure):
                members.setdefault(each.offset, each.name)
            self.seen_members[structure] = members
        return members.get(offset, "")

    def type_of(self, structure: str) -> str | None:
        """LLVM's type of a structure, by its name."""
        return self.records.get(structure)

    def place(self, tail: str) -> SourceLine:
        """The place of an instruction, from what follows `!dbg !`."""
        return self.seen_places.get(tail.partition(",")[0], NOWHERE)
