"""Reads UVL, the Universal Variability Language, through `uvllang` (the extra `uvl`).

Every feature becomes an on/off option, and the tree becomes constraints: the root is on, a feature requires
its parent, a mandatory one is on exactly where its parent is, and groups say how many of their features are
on where the parent is. Attributes are ignored, and so are types: a feature `Integer level` is on or off. What
cannot be said of on/off options, such as a comparison of attributes or a feature that is there several times,
is an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import comb
from typing import Any

from sonde.core.options import Option
from sonde.formats.feature_models.errors import ModelError, UnreadableModelText, mistake, sentence
from sonde.formats.feature_models.logic import both, either, implies, is_on, read_formula
from sonde.formats.feature_models.names import OptionNames
from sonde.formats.feature_models.uvl_text import line_of, parse_uvl
from sonde.space.expressions import Connective, Counted, Expression, Joined, Not, Quantity
from sonde.space.nearest import did_you_mean
from sonde.space.space import Space

MOST_BYTES = 4 * 10**6
MOST_CHOICES = 5_000  # of the features of a group with a cardinality


def read_uvl(text: str, file: str = "model") -> Space:
    """The space of a UVL model; raises ModelError, and MissingTool where uvllang is not installed."""
    if len(text) > MOST_BYTES:
        raise mistake(file, 0, f"this is larger than {MOST_BYTES:,} letters, too large for a UVL model.")
    reader = _Reader(text, file)
    try:
        reader.feature_model(parse_uvl(text, file))
    except RecursionError:
        raise mistake(file, 0, "the model is nested too deeply to be read.") from None
    return reader.space()


@dataclass
class _Reader:
    text: str
    file: str
    names: OptionNames = field(default_factory=OptionNames)
    constraints: list[Expression] = field(default_factory=list)
    formulas: list[str] = field(default_factory=list)

    def space(self) -> Space:
        options = tuple(Option(self.names[name], (False, True), False) for name in self.names.known())
        if not options:
            raise mistake(self.file, 0, "the model has no features. Write 'features' and a root below it.")
        for formula in self.formulas:
            self.constraints += self._formula(formula)
        return Space(options, tuple(dict.fromkeys(self.constraints)))

    def feature_model(self, tree: Any) -> None:
        for part in _trees(tree, "imports"):
            for line in _trees(part, "import_line"):
                raise self._mistake(
                    _text(line), "imports of other models are not read. Put both in one file."
                )
        for part in _trees(tree, "features"):
            for root in _trees(part, "feature"):
                self.constraints.append(self._feature(root))
        for part in _trees(tree, "constraints"):
            self.formulas += [_text(line) for line in _trees(part, "constraint_line")]

    def _feature(self, tree: Any) -> Expression:
        name = _unquoted(_text(next(_trees(tree, "reference"))))
        if name in self.names:
            raise self._mistake(name, f"feature '{name}' is defined twice. Rename one of them.")
        on = is_on(self.names.add(name))
        if any(_trees(tree, "feature_cardinality")):
            raise self._mistake(name, f"feature '{name}' can occur several times, which Sonde cannot vary.")
        for attributes in _trees(tree, "attributes"):
            self.formulas += _feature_constraints(attributes)
        for group in _trees(tree, "group"):
            self._group(on, group.children[0])
        return on

    def _group(self, parent: Expression, tree: Any) -> None:
        members = [
            self._feature(each) for spec in _trees(tree, "group_spec") for each in _trees(spec, "feature")
        ]
        for member in members:
            if tree.data == "mandatory_group":
                self.constraints.append(Joined(Connective.IFF, member, parent))
            else:
                self.constraints.append(implies(member, parent))
        if tree.data == "or_group":
            self.constraints.append(implies(parent, either(members)))
        elif tree.data == "alternative_group":
            self.constraints.append(implies(parent, Counted(Quantity.EXACTLY_ONE, tuple(members))))
        elif tree.data == "cardinality_group":
            written = str(tree.children[0])
            self.constraints += [implies(parent, each) for each in self._cardinality(written, members)]

    def _cardinality(self, written: str, members: Sequence[Expression]) -> Iterator[Expression]:
        """That so many of `members` hold: one of those that may not all be missing, and never too many."""
        lowest, _, highest = written.strip("[]").partition("..")
        if len(lowest) > 9 or len(highest) > 9:
            raise self._mistake(written, f"the cardinality {written} is too large.")
        least = int(lowest)
        most = len(members) if highest == "*" else int(highest or lowest)
        if least > min(most, len(members)):
            raise self._mistake(
                written, f"the cardinality {written} cannot hold for {len(members)} features."
            )
        too_many = most + 1
        if comb(len(members), len(members) - least + 1) + comb(len(members), too_many) > MOST_CHOICES:
            raise self._mistake(
                written, f"the cardinality {written} of {len(members)} features is too large."
            )
        if (least, most) == (1, 1):
            yield Counted(Quantity.EXACTLY_ONE, tuple(members))
            return
        if least:
            yield from (either(some) for some in combinations(members, len(members) - least + 1))
        if most == 1:
            yield Counted(Quantity.AT_MOST_ONE, tuple(members))
        elif most < len(members):
            yield from (Not(both(some)) for some in combinations(members, too_many))

    def _formula(self, text: str) -> tuple[Expression, ...]:
        try:
            return read_formula(text, self._resolve)
        except UnreadableModelText as error:
            raise self._mistake(text, f"constraint '{text}': {sentence(error)}") from None

    def _resolve(self, name: str) -> Expression:
        if name in self.names:
            return is_on(self.names[name])
        if re.search(r"[.+*/]|^[0-9]", name) or name in ("sum", "avg", "len", "floor", "ceil"):
            raise UnreadableModelText(
                f"'{name}' belongs to arithmetic, and Sonde reads constraints on features only"
            )
        raise UnreadableModelText(
            f"feature '{name}' is not in the model.{did_you_mean(name, self.names.known())}"
        )

    def _mistake(self, near: str, message: str) -> ModelError:
        return mistake(self.file, line_of(self.text, near), message)


def _trees(tree: Any, data: str) -> Iterator[Any]:
    return (child for child in tree.children if getattr(child, "data", None) == data)


def _text(tree: Any) -> str:
    """The text of all tokens below a node; spaces only where names would run together."""
    if not hasattr(tree, "children"):
        return str(tree)
    return "".join(_text(child) for child in tree.children).strip()


def _feature_constraints(attributes: Any) -> Iterator[str]:
    """The formulas that a feature has among its attributes."""
    for attribute in _trees(attributes, "attribute"):
        for part in _trees(attribute, "constraint_attribute"):
            inner = part.children[0]
            if inner.data == "single_constraint_attribute":
                yield _text(inner.children[1])
            else:
                yield from (_text(each) for each in inner.children[1].children if hasattr(each, "data"))


def _unquoted(name: str) -> str:
    return name[1:-1] if len(name) > 2 and name[0] == name[-1] == '"' else name
