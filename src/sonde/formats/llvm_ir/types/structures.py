"""Structures as the source declares them: their names, their members, and what types lead to them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sonde.core.code import Member
from sonde.formats.llvm_ir.types.metadata import Metadata, Note, quoted, whole_number

_RECORDS = re.compile(r"!DICompositeType\(tag: DW_TAG_(?:structure|union|class)_type\b")
_ARGUMENTS = re.compile(r"<.*>$")
_SCOPES = frozenset({"DINamespace", "DICompositeType"})
_DEEPEST = 16  # of scopes and bases: a damaged file may hold circles


class Field(NamedTuple):
    """A member together with the note of its type."""

    member: Member
    type: str


class Structures:
    """The structures, unions and classes of a module."""

    def __init__(self, metadata: Metadata) -> None:
        """Look at every structure once; members are looked at when they are asked for."""
        self._metadata = metadata
        self._is_qualified = bool(metadata.numbers_of("language: DW_LANG_C_plus_plus")) or bool(
            metadata.numbers_of("sourceLanguageName: DW_LNAME_C_plus_plus")
        )
        self._records = metadata.matching(_RECORDS)
        self._typedefs: dict[str, str] = {}
        for number in metadata.numbers_of("!DIDerivedType(tag: DW_TAG_typedef"):
            note = metadata.note(number)
            self._typedefs.setdefault(metadata.referred(note, "baseType"), quoted(note, "name"))
        self._keys: dict[str, str] = {}
        self._behind: dict[str, str] = {}
        self._by_key: dict[str, str] = {}  # what is only declared does not count
        self._fields: dict[str, tuple[Field, ...]] = {}
        self._name_all()

    def key(self, record: str) -> str:
        """The name of a structure: its tag, that of its typedef, or of the member that has its type."""
        return self._keys.get(record, "")

    def name(self, record: str, key: str) -> None:
        """Name a structure that has no name yet."""
        if record in self._keys and not self._keys[record]:
            self._keys[record] = key
            self._by_key.setdefault(key, record)
            self._name_members(record)

    def behind(self, type_: str) -> str:
        """The structure that a type is, points to or has elements of; empty if there is none."""
        record = self._behind.get(type_)
        if record is None:
            record = self._behind[type_] = self.record(type_)
        return self.key(record)

    def record(self, type_: str, through_pointers: bool = True) -> str:
        """The note of that structure."""
        for _ in range(_DEEPEST):
            if type_ in self._keys:
                return type_
            note = self._metadata.note(type_)
            if not through_pointers and "pointer" in note.get("tag", ""):
                return ""
            type_ = self._metadata.referred(note, "baseType")
            if not type_:
                return ""
        return ""

    def is_text_pointer(self, type_: str) -> bool:
        """Whether a type points to single bytes."""
        is_pointer = False
        for _ in range(_DEEPEST):
            note = self._metadata.note(type_)
            if note["kind"] == "DIBasicType":
                return is_pointer and note.get("size") == "8"
            is_pointer = is_pointer or "pointer" in note.get("tag", "")
            type_ = self._metadata.referred(note, "baseType")
        return False

    def members(self, key: str) -> tuple[Member, ...]:
        """The members of a structure, by its name."""
        record = self._by_key.get(key)
        return () if record is None else tuple(field.member for field in self.fields(record))

    def all(self) -> dict[str, tuple[Member, ...]]:
        """The members of every structure that is not only declared; of several with one name, the first."""
        found = ((key, self.members(key)) for key in self._by_key)
        return {key: members for key, members in found if members}

    def records(self) -> Iterator[tuple[str, str]]:
        """Every structure as (key, note)."""
        return ((key, record) for record, key in self._keys.items())

    def fields(self, record: str, depth: int = 0) -> tuple[Field, ...]:
        """The members of a structure, with those of its bases and of members that have no name."""
        known = self._fields.get(record)
        if known is None:
            self._fields[record] = ()
            elements = self._metadata.referred(self._metadata.note(record), "elements")
            found: list[Field] = []
            for number in self._metadata.items(elements):
                found.extend(self._field(self._metadata.note(number), depth))
            known = self._fields[record] = tuple(found)
        return known

    def size(self, record: str) -> int:
        """How many bytes a structure has."""
        return whole_number(self._metadata.note(record), "size") // 8

    def is_anonymous(self, record: str) -> bool:
        """Whether the source gives a structure neither a tag nor a typedef."""
        return "name" not in self._metadata.note(record) and not self._typedefs.get(record)

    def direct_members(self, record: str) -> dict[int, str]:
        """The structures that lie in a structure, by their offsets; not those of its bases."""
        found: dict[int, str] = {}
        elements = self._metadata.referred(self._metadata.note(record), "elements")
        for number in self._metadata.items(elements):
            note = self._metadata.note(number)
            if note.get("tag") == "DW_TAG_member":
                inner = self.record(self._metadata.referred(note, "baseType"), through_pointers=False)
                if inner:
                    found.setdefault(whole_number(note, "offset") // 8, inner)
        return found

    def qualified(self, note: Note) -> str:
        """The name of a routine or structure with its scopes: `space::Class::method`."""
        names = [quoted(note, "name")]
        if self._is_qualified:
            for _ in range(_DEEPEST):
                note = self._metadata.note(self._metadata.referred(note, "scope"))
                if note["kind"] not in _SCOPES:
                    break
                is_namespace = note["kind"] == "DINamespace"
                names.append(quoted(note, "name") or f"(anonymous{' namespace' if is_namespace else ''})")
        return "::".join(reversed(names))

    def _name_all(self) -> None:
        for record in self._records:
            note = self._metadata.note(record)
            named = note if "name" in note else {**note, "name": f'"{self._typedefs.get(record, "")}"'}
            # LLVM's names of types have no arguments of templates.
            self._keys[record] = _ARGUMENTS.sub("", self.qualified(named)) if quoted(named, "name") else ""
        for record, key in list(self._keys.items()):
            if key:
                if "elements" in self._metadata.note(record):
                    self._by_key.setdefault(key, record)
                self._name_members(record)

    def _name_members(self, record: str, depth: int = 0) -> None:
        """Structures without a name are called after the members that have their types."""
        elements = self._metadata.referred(self._metadata.note(record), "elements")
        for number in self._metadata.items(elements):
            note = self._metadata.note(number)
            inner = self.record(self._metadata.referred(note, "baseType"))
            if inner and not self._keys[inner] and depth < _DEEPEST:
                part = quoted(note, "name") or f"({whole_number(note, 'offset') // 8})"
                key = self._keys[inner] = f"{self._keys[record]}.{part}"
                self._by_key.setdefault(key, inner)
                self._name_members(inner, depth + 1)

    def _field(self, note: Note, depth: int) -> Iterator[Field]:
        tag = note.get("tag", "")
        if tag not in {"DW_TAG_member", "DW_TAG_inheritance"} or "StaticMember" in note.get("flags", ""):
            return
        bit = whole_number(note, "offset")
        type_ = self._metadata.referred(note, "baseType")
        name = quoted(note, "name")
        inner = self.record(type_, through_pointers=False)
        if tag == "DW_TAG_inheritance" or (not name and inner):
            for field in self.fields(inner, depth + 1) if depth < _DEEPEST else ():
                yield field._replace(member=_moved(field.member, bit // 8))
            return
        bits = None
        if "BitField" in note.get("flags", ""):
            storage = note.get("extraData", f"i64 {bit // 8 * 8}").rpartition(" ")[2]
            start = int(storage) if storage.isdigit() else bit // 8 * 8
            bits, bit = (bit - start, whole_number(note, "size")), start
        yield Field(Member(name, bit // 8, bits, self.behind(type_)), type_)


def _moved(member: Member, by: int) -> Member:
    return Member(member.name, member.offset + by, member.bits, member.type)
