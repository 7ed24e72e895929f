"""The lines of a module that define or declare globals, aliases and indirect functions."""

from __future__ import annotations

import re
from typing import NamedTuple

from sonde.formats.llvm_ir.initial_values import split_type
from sonde.formats.llvm_ir.types.pieces import NAME, split_at_commas

_LINE = re.compile(rf"^(@{NAME}) = (.*?)\b(global|constant|alias|ifunc) (.*)$", re.MULTILINE)
_NOTE = re.compile(r", !dbg !(\d+)")
_SPACE = re.compile(r"addrspace\(\d+\) ")


class Definition(NamedTuple):
    """One of these lines."""

    token: str  # `@name`
    words: tuple[str, ...]  # between the name and what it is: linkage and so on
    is_constant: bool
    type: str
    value: str  # empty if it lies elsewhere
    note: str  # that describes it; empty without debug information

    @property
    def is_internal(self) -> bool:
        """Whether only its unit knows the name."""
        return "internal" in self.words or "private" in self.words

    @property
    def is_defined(self) -> bool:
        """Whether it lies in this unit."""
        return "external" not in self.words and "extern_weak" not in self.words


class ModuleDefinitions(NamedTuple):
    """All of these lines."""

    globals: list[Definition]
    aliases: dict[str, str]  # `@name` -> the constant that it is another name of
    resolved: dict[str, tuple[str, str]]  # indirect functions: `@name` -> its type, what finds the function


def read_definitions(text: str) -> ModuleDefinitions:
    """The definitions in the part of a module's text before its routines."""
    globals_: list[Definition] = []
    aliases: dict[str, str] = {}
    resolved: dict[str, tuple[str, str]] = {}
    for token, before, what, rest in _LINE.findall(text):
        if what in {"alias", "ifunc"}:
            pieces = split_at_commas(rest)
            target = pieces[1].partition(" ")[2] if len(pieces) > 1 else ""
            if what == "alias":
                aliases[token] = target
            else:
                resolved[token] = (pieces[0], target)
            continue
        note = _NOTE.search(rest)
        type_, behind = split_type(_SPACE.sub("", rest, count=1) if rest.startswith("addrspace") else rest)
        words = tuple(before.split())
        value = ""
        if "external" not in words and "extern_weak" not in words and behind:
            value = split_at_commas(behind)[0]
        globals_.append(Definition(token, words, what == "constant", type_, value, note[1] if note else ""))
    return ModuleDefinitions(globals_, aliases, resolved)
