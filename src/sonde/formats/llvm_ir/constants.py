"""Constants of LLVM's text: numbers, and addresses inside of expressions."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sonde.core.code import Address, Assembly, Constant, Outside
from sonde.formats.llvm_ir.types.layouts import TypeLayouts
from sonde.formats.llvm_ir.types.pieces import NAME, closing, plain, split_at_commas, split_at_spaces

_MENTIONED = re.compile(rf"@{NAME}")
_BLOCK = re.compile(rf"blockaddress\(@({NAME}), %({NAME})\)")
_ASSEMBLY = re.compile(r'"([^"]*)", "([^"]*)"$')
_RANGE = re.compile(r"inrange\([^)]*\) ")
_LAST_DIGITS = re.compile(r"\d+$")
# What begins a constant that consists of several words.
EXPRESSIONS = frozenset(
    re.findall(
        r"\w+",
        "getelementptr ptrtoint ptrtoaddr inttoptr bitcast addrspacecast trunc zext sext add sub mul xor and"
        " or shl lshr ashr icmp fcmp select extractelement insertelement shufflevector splat"
        " dso_local_equivalent no_cfi ptrauth asm",
    )
)

# What stands behind the operands of atomic instructions.
ORDERINGS = frozenset({"unordered", "monotonic", "acquire", "release", "acq_rel", "seq_cst"})


def typed(text: str) -> tuple[str, str]:
    """(type, value) of `ptr noundef nonnull %x`: what stands first, and what stands last."""
    words = [word for word in split_at_spaces(text) if word not in ORDERINGS and word[:10] != "syncscope("]
    if not words:
        return "", ""
    for at, word in enumerate(words[1:], start=1):
        if word.partition("(")[0] in EXPRESSIONS:
            return words[0], " ".join(words[at:])
    if len(words) > 2 and words[1].startswith("addrspace"):
        return f"{words[0]} {words[1]}", words[-1]
    return words[0], words[-1]


class Constants:
    """What the constants of a module mean."""

    def __init__(
        self, layouts: TypeLayouts, types: Mapping[str, str], names: Mapping[str, str] | None = None
    ) -> None:
        """Take the types of globals, and other names for those whose own say nothing, by `@name`."""
        self._layouts, self._types, self._names = layouts, types, {} if names is None else names

    def name(self, token: str) -> str:
        """The name of a global or routine that the text calls `@token`."""
        return self._names.get(token) or plain(token)

    def meanings(self, text: str) -> list[Outside]:
        """One constant, or every address in it: of a vector of two functions, both."""
        first = text[:1]
        if first == "@":
            return [Address(self.name(text))]
        if "@" not in text:
            if text.startswith("asm "):
                return [_assembly(text)]
            return [Constant(text)]
        if text.startswith("blockaddress("):
            return [Constant(self._block(text))]
        if text.startswith("asm "):
            return [_assembly(text)]
        if first in "[{<":
            return self._inside(text)
        located = self._located(text)
        return [self._folded(*located)] if located is not None else self._mentioned(text)

    def address(self, text: str) -> Address | None:
        """The one address that a constant is, if it is one."""
        found = self.meanings(text)
        return found[0] if len(found) == 1 and isinstance(found[0], Address) else None

    def element(self, text: str) -> int:
        """How far behind the first element of an array a constant points, in bytes."""
        located = self._located(text) if "(" in text else None
        return 0 if located is None else located[1] - self._folded(*located).offset

    def readable(self, text: str) -> str:
        """A constant in other words where its own depend on what else is in the module."""
        if "@" not in text:
            return text
        located = self._located(text) if text[0] not in "[{<" else None
        if located is not None:
            return f"{located[0]}+{located[1]}"
        return " ".join(
            each.text if isinstance(each, Constant | Assembly) else f"{each.name}+{each.offset}"
            for each in self.meanings(text)
        )

    def _block(self, text: str) -> str:
        """A label by its name in the source: numbers behind it depend on what stands before."""
        found = _BLOCK.match(text)
        if found is None:
            return text
        label = plain(found[2])
        return f"label {_LAST_DIGITS.sub('', label) or label} of {self.name('@' + found[1])}"

    def _inside(self, text: str) -> list[Outside]:
        """The addresses in an aggregate, without repetitions."""
        found: dict[Outside, None] = {}
        body = text[2:-2] if text[:2] == "<{" else text[1:-1]
        for part in split_at_commas(body):
            if "@" in part:
                found.update(dict.fromkeys(self.meanings(typed(part)[1])))
        return list(found)

    def _mentioned(self, text: str) -> list[Outside]:
        """Every address that an expression computes with, as if it were plain."""
        found = dict.fromkeys(Address(self.name(each)) for each in _MENTIONED.findall(text))
        return list(found)

    def _folded(self, name: str, offset: int) -> Address:
        type_ = self._types.get(name)
        return Address(name, offset if type_ is None else self._layouts.fold(type_, offset))

    def _located(self, text: str) -> tuple[str, int] | None:
        """(name, offset in bytes) that casts, fields and sums with numbers lead to; None if there is none."""
        if text[:1] == "@":
            return self.name(text), 0
        text = _RANGE.sub("", text)
        opening = text.find("(")
        words = text[:opening].split() if opening >= 0 else text.split()
        if not words:
            return None
        if words[0] in {"dso_local_equivalent", "no_cfi"}:
            return self._located(words[-1]) if words[-1][:1] == "@" else None
        if opening < 0:
            return None
        parts = split_at_commas(text[opening + 1 : closing(text, opening)])
        if not parts:
            return None
        if words[0] == "getelementptr":
            return self._field(parts)
        if words[0] == "ptrauth":
            return self._located(typed(parts[0])[1])
        if words[0] in {"add", "sub"} and len(parts) == 2:
            return self._sum(words[0] == "sub", *(typed(part)[1] for part in parts))
        if len(parts) == 1 and " to " in parts[0]:
            return self._located(typed(parts[0].rpartition(" to ")[0])[1])
        return None

    def _sum(self, is_difference: bool, left: str, right: str) -> tuple[str, int] | None:
        if "@" in right and not is_difference:
            left, right = right, left
        base = self._located(left)
        if base is None or not right.lstrip("-").isdigit():
            return None if "@" in right else base
        return base[0], base[1] + (-int(right) if is_difference else int(right))

    def _field(self, parts: list[str]) -> tuple[str, int] | None:
        base = self._located(typed(parts[1])[1]) if len(parts) > 1 else None
        if base is None:
            return None
        indices = [typed(part)[1] for part in parts[2:]]
        if not all(index.lstrip("-").isdigit() for index in indices):
            return base
        name, offset = base
        type_ = parts[0]
        for position, index in enumerate(map(int, indices)):
            layout = self._layouts.of(type_)
            if position == 0:
                offset += index * layout.size
            elif layout.is_array:
                type_ = layout.fields[0]
                offset += index * self._layouts.of(type_).size
            elif 0 <= index < len(layout.fields):
                offset += layout.offsets[index]
                type_ = layout.fields[index]
        return name, offset


def _assembly(text: str) -> Assembly:
    found = _ASSEMBLY.search(text)
    return Assembly(text if found is None else f"{found[1]} | {found[2]}")
