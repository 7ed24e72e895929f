"""Writes a space as SPLConqueror's XML.

On/off options and numbers stay what they are; one of several becomes alternatives `NAME_value` below an
option NAME; a minus in a name becomes `_`. Constraints become clauses `a | !b`; where numbers take part, a
clause becomes comparisons that forbid what it does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from xml.sax.saxutils import escape

from sonde.core.options import Literal, Option, Value
from sonde.formats.feature_models.errors import ModelError
from sonde.formats.feature_models.names import OptionNames
from sonde.formats.feature_models.normal_form import MOST_CLAUSES, Clause, clauses_of
from sonde.space.expressions import Fact, satisfying
from sonde.space.facts import text_of
from sonde.space.space import Space
from sonde.space.templates import fill_text
from sonde.space.words import VALUE_PLACE

ROOT = "root"

_MARK = "\0"


def write_splconqueror(space: Space, name: str = "model") -> str:
    """The space as a document that SPLConqueror and `read_splconqueror` read; raises ModelError."""
    if ROOT in space.option and space.solver.is_possible([Literal(ROOT, False)]):
        raise ModelError(f"SPLConqueror has an option '{ROOT}' that is always on. Rename yours.")
    writer = _Writer(space)
    boolean, mixed = writer.constraints()
    return "\n".join(
        [
            f'<vm name="{escape(name, {chr(34): "&quot;"})}">',
            *_section("binaryOptions", writer.binary_options()),
            *_section("numericOptions", writer.numeric_options()),
            *_section("booleanConstraints", [f"<constraint>{escape(each)}</constraint>" for each in boolean]),
            *_section("nonBooleanConstraints", []),
            *_section(
                "mixedConstraints",
                [f'<constraint req="none" exprKind="pos">{escape(each)}</constraint>' for each in mixed],
            ),
            "</vm>",
            "",
        ]
    )


class _Writer:
    def __init__(self, space: Space) -> None:
        self._space = space
        names = OptionNames()
        # A minus in a name would be one in a sum.
        self._names = {option.name: names.add(option.name.replace("-", "_")) for option in space.options}
        self._alternatives: Mapping[tuple[str, Value], str] = {
            (option.name, value): names.add(f"{option.name}_{text_of(value)}")
            for option in space.options
            if not _is_plain(option)
            for value in option.values
        }

    def binary_options(self) -> Iterator[str]:
        for option in self._space.options:
            if option.is_switch:
                yield _option(self._names[option.name], _with_value(option, True), is_optional=True)
            elif not option.is_numeric:
                yield _option(self._names[option.name], "", is_optional=False)
                names = [self._alternatives[option.name, value] for value in option.values]
                for value, name in zip(option.values, names, strict=True):
                    others = [other for other in names if other != name]
                    yield _option(name, _with_value(option, value), False, self._names[option.name], others)

    def numeric_options(self) -> Iterator[str]:
        for option in self._space.options:
            if option.is_numeric:
                name = escape(self._names[option.name])
                before, _, after = fill_text(option.words, {VALUE_PLACE: _MARK}).partition(_MARK)
                values = ";".join(text_of(value) for value in option.values)
                yield (
                    f"<configurationOption><name>{name}</name><prefix>{escape(before)}</prefix>"
                    f"<postfix>{escape(after)}</postfix><parent></parent><values>{values}</values>"
                    "</configurationOption>"
                )

    def constraints(self) -> tuple[list[str], list[str]]:
        """Those over on/off options, and those with numbers."""
        boolean: list[str] = []
        mixed: list[str] = []
        for constraint in self._space.constraints:
            for clause in clauses_of(constraint):
                if any(self._space.option[fact.option].is_numeric for fact, _ in clause):
                    mixed += self._comparisons(clause)
                else:
                    boolean.append(" | ".join(sorted(self._literals(clause))) or _never())
                if len(boolean) + len(mixed) > MOST_CLAUSES:
                    raise ModelError("the constraints take too many comparisons in SPLConqueror's format.")
        return list(dict.fromkeys(boolean)), list(dict.fromkeys(mixed))

    def _literals(self, clause: Clause) -> Iterator[str]:
        for fact, sign in clause:
            option = self._space.option[fact.option]
            if option.is_switch:
                yield self._names[fact.option] if sign else f"!{self._names[fact.option]}"
            elif not option.is_numeric:
                for value in _satisfying(option, fact, sign):
                    yield self._alternatives[option.name, value]

    def _comparisons(self, clause: Clause) -> Iterator[str]:
        """For each combination of numbers that breaks the clause, that it or a literal is otherwise."""
        numeric = [(fact, sign) for fact, sign in clause if self._space.option[fact.option].is_numeric]
        breaking: dict[str, set[Value]] = {}
        for fact, sign in numeric:
            option = self._space.option[fact.option]
            values = breaking.setdefault(fact.option, set(option.values))
            values &= set(_satisfying(option, fact, not sign))
        rest = frozenset(clause) - frozenset(numeric)
        literals = [
            f"(1 - {each[1:]})" if each.startswith("!") else each for each in sorted(self._literals(rest))
        ]
        names = sorted(breaking)
        for combination in product(*(sorted(breaking[name], key=float) for name in names)):
            squares = [
                f"({name} - {text_of(value)}) * ({name} - {text_of(value)})"
                for name, value in zip(map(self._names.__getitem__, names), combination, strict=True)
            ]
            yield f"{' + '.join([*squares, *literals])} > 0"


def _is_plain(option: Option) -> bool:
    return option.is_switch or option.is_numeric


def _satisfying(option: Option, fact: Fact, sign: bool) -> Iterator[Value]:
    return (
        value for value, is_so in zip(option.values, satisfying(fact, option), strict=True) if is_so == sign
    )


def _option(name: str, words: str, is_optional: bool, parent: str = "", excluded: Sequence[str] = ()) -> str:
    others = "".join(f"<options>{escape(each)}</options>" for each in excluded)
    return (
        f"<configurationOption><name>{escape(name)}</name><outputString>{escape(words)}</outputString>"
        f"<prefix></prefix><postfix></postfix><parent>{escape(parent)}</parent><impliedOptions />"
        f"<excludedOptions>{others}</excludedOptions><optional>{is_optional}</optional></configurationOption>"
    )


def _with_value(option: Option, value: Value) -> str:
    return fill_text(option.words, {VALUE_PLACE: text_of(value)})


def _section(name: str, lines: Sequence[str] | Iterator[str]) -> list[str]:
    inner = [f"    {line}" for line in lines]
    return [f"  <{name}>", *inner, f"  </{name}>"] if inner else [f"  <{name} />"]


def _never() -> str:
    raise ModelError("a constraint never holds, which SPLConqueror cannot express. Change it, or remove it.")
