"""Texts of a program that name its modules, and what is in them, for code that looks these up."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sonde.formats.python_source.names.scopes import NameScope

WORD = re.compile(r"[A-Za-z_]\w*")

LEAST_PART = 3  # letters of a name that is put together


@dataclass(frozen=True)
class ProgramTexts:
    """Answers for the modules of a program, each with its tree and its scope."""

    modules: Mapping[str, tuple[ast.Module, NameScope]]

    @cached_property
    def _all(self) -> frozenset[str]:
        """All texts, but for those that only describe the program."""
        found: set[str] = set()
        for tree, _ in self.modules.values():
            plain = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
            for each in ast.walk(tree):
                if isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in plain:
                    found.add(each.value)
        return frozenset(found)

    @cached_property
    def _words(self) -> frozenset[str]:
        return frozenset(word for text in self._all for word in WORD.findall(text))

    def may_name(self, name: str) -> bool:
        """Whether a name is a word of a text, or may be put together from one: `"read_" + kind`."""
        return name in self._words or any(
            name[:length] in self._words or name[-length:] in self._words
            for length in range(LEAST_PART, len(name))
        )

    @cached_property
    def listed(self) -> Mapping[str, Sequence[str]]:
        """By module what texts name there by its whole path: `"pack.formats.zip.write"`."""
        found: dict[str, list[str]] = {}
        for text in sorted(self._all):
            module, _, name = text.replace(":", ".").rpartition(".")
            if module in self.modules and name in self.modules[module][1].bound:
                found.setdefault(module, []).append(name)
        return found
