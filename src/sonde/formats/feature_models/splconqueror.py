"""Reads SPLConqueror's XML: `<vm>` with binaryOptions, numericOptions and constraints.

An on/off option stays one, a number becomes an option with levels, and the tree becomes constraints, as
SPLConqueror's own solver reads it:

    an option requires its parent;
    one that is not optional and excludes nothing is on exactly where its parent is;
    options that are not optional, share a parent and exclude each other are alternatives: exactly one of
    them is on where the parent is;
    other exclusions and implications are just that. A number has a value whether its parent is on or not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import partial

from sonde.core.options import Option
from sonde.formats.feature_models.comparisons import read_comparison
from sonde.formats.feature_models.elements import Element, read_elements
from sonde.formats.feature_models.errors import ModelError, UnreadableModelText, mistake, sentence
from sonde.formats.feature_models.features import Feature, read_features, refuse_cycles
from sonde.formats.feature_models.logic import either, implies, is_on, read_formula
from sonde.formats.feature_models.names import OptionNames
from sonde.space.expressions import Connective, Counted, Expression, Joined, Not, Quantity
from sonde.space.nearest import did_you_mean
from sonde.space.space import Space

MOST_COMBINATIONS = 50_000  # of values, in a comparison
MOST_COMBINATIONS_IN_ALL = 1_000_000

_ROOT = "root"


def read_splconqueror(text: str, file: str = "model") -> Space:
    """The space of an SPLConqueror model; raises ModelError."""
    model = read_elements(text, file)
    if model.name != "vm":
        raise mistake(
            file,
            model.line,
            f"this is XML, but <{model.name}> is not SPLConqueror's <vm>. "
            "Export the model as SPLConqueror, UVL or DIMACS.",
        )
    return _Reader(model, file).space()


class _Reader:
    def __init__(self, model: Element, file: str) -> None:
        self._model = model
        self._file = file
        self._features = {feature.name: feature for feature in read_features(model, file)}
        self._names = OptionNames()
        self._options: Mapping[str, Option] = {
            feature.name: _option(self._names.add(feature.name), feature)
            for feature in self._features.values()
        }

    def space(self) -> Space:
        refuse_cycles(self._features.values(), self._parent, self._file)
        constraints = [*self._tree(), *self._formulas(), *self._comparisons()]
        return Space(tuple(self._options.values()), tuple(dict.fromkeys(constraints)))

    def _tree(self) -> Iterator[Expression]:
        grouped: set[frozenset[str]] = set()  # pairs of alternatives
        in_groups: set[str] = set()
        for feature in self._features.values():
            if feature.levels:
                continue
            on = is_on(self._names[feature.name])
            parent = self._parent(feature)
            is_mandatory = not feature.is_optional and not feature.excluded
            if parent is not None:
                above = is_on(self._names[parent.name])
                yield Joined(Connective.IFF, on, above) if is_mandatory else implies(on, above)
            elif is_mandatory:
                yield on
            group = self._alternatives(feature)
            if len(group) > 1 and feature.name not in in_groups:
                one = Counted(Quantity.EXACTLY_ONE, tuple(is_on(self._names[name]) for name in group))
                yield one if parent is None else implies(is_on(self._names[parent.name]), one)
                in_groups |= set(group)
                grouped |= {frozenset([one, other]) for one in group for other in group}
            yield from self._exclusions(feature, grouped)
            for names in feature.implied:
                yield implies(on, either([self._switch(name, feature.line) for name in names]))

    def _alternatives(self, feature: Feature) -> tuple[str, ...]:
        """The option and those that are on in its stead."""
        others = [names[0] for names in feature.excluded if len(names) == 1 and not feature.is_optional]
        siblings = [
            name
            for name in others
            if (other := self._feature(name, feature.line)).parent == feature.parent
            and not other.is_optional
            and not other.levels
        ]
        return tuple(dict.fromkeys([feature.name, *siblings]))

    def _exclusions(self, feature: Feature, grouped: set[frozenset[str]]) -> Iterator[Expression]:
        on = is_on(self._names[feature.name])
        for names in feature.excluded:
            for name in names:
                other = self._switch(name, feature.line)
                pair = frozenset([feature.name, name])
                if pair not in grouped:
                    grouped.add(pair)
                    yield Joined(Connective.EXCLUDES, on, other) if len(pair) == 2 else Not(on)

    def _formulas(self) -> Iterator[Expression]:
        for element in self._constraints("booleanConstraints"):
            if {"&", "|"} <= set(element.text) and "(" not in element.text:
                raise self._mistake(
                    element, "'&' and '|' together are ambiguous. Put parentheses around one."
                )
            try:
                yield from read_formula(element.text, partial(self._switch, line=element.line))
            except UnreadableModelText as error:
                raise self._mistake(element, sentence(error)) from None

    def _comparisons(self) -> Iterator[Expression]:
        left = MOST_COMBINATIONS_IN_ALL
        for section in ("nonBooleanConstraints", "mixedConstraints"):
            for element in self._constraints(section):
                requirement = element.attributes.get("req", "all").strip().lower()
                kind = element.attributes.get("exprKind", "pos").strip().lower()
                if requirement not in ("all", "none") or kind not in ("pos", "neg"):
                    raise self._mistake(element, "write req='all' or 'none', and exprKind='pos' or 'neg'.")
                try:
                    comparison = read_comparison(
                        element.text,
                        partial(self._option, line=element.line),
                        needs_all=requirement == "all",
                        is_negated=kind == "neg",
                        most=min(left, MOST_COMBINATIONS),
                    )
                except UnreadableModelText as error:
                    raise self._mistake(element, sentence(error)) from None
                left -= comparison.tried
                yield from comparison.constraints

    def _constraints(self, section: str) -> Iterator[Element]:
        return (
            element for part in self._model.all(section) for element in part.all("constraint") if element.text
        )

    def _parent(self, feature: Feature) -> Feature | None:
        if not feature.parent:
            has_root = _ROOT in self._features and feature.name != _ROOT
            return self._features[_ROOT] if has_root and not self._features[_ROOT].levels else None
        parent = self._feature(feature.parent, feature.line)
        if parent.levels:
            raise mistake(
                self._file,
                feature.line,
                f"the parent of '{feature.name}' is the number '{parent.name}'. Name an on/off option.",
            )
        return parent

    def _switch(self, name: str, line: int) -> Expression:
        feature = self._feature(name, line)
        if feature.levels:
            raise mistake(
                self._file, line, f"'{name}' is a number, where an on/off option is expected. Name one."
            )
        return is_on(self._names[feature.name])

    def _option(self, name: str, line: int) -> Option:
        return self._options[self._feature(name, line).name]

    def _feature(self, name: str, line: int) -> Feature:
        if name not in self._features:
            hint = did_you_mean(name, self._features)
            raise mistake(self._file, line, f"option '{name}' is not in the model.{hint} Name one that is.")
        return self._features[name]

    def _mistake(self, element: Element, message: str) -> ModelError:
        shown = re.sub(r"\s+", " ", element.text)
        shown = shown if len(shown) <= 80 else f"{shown[:80]}..."
        return mistake(self._file, element.line, f"constraint '{shown}': {message}")


def _option(name: str, feature: Feature) -> Option:
    values = feature.levels or (False, True)
    return Option(name, values, values[0], words=feature.words, variables=feature.variables)
