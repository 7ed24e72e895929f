"""From the words of a command line to numbers: `atoi`, `strtoul`, names of modes."""

from __future__ import annotations

from studies.impact.generated.c.drawing.draft import Draft
from studies.impact.generated.c.drawing.homes import Home
from studies.impact.generated.c.making import (
    UNSIGNED,
    assign,
    binary,
    call,
    count,
    dot,
    element,
    fixed,
    free,
    give,
    plain,
)
from studies.impact.generated.c.nodes import (
    Array,
    Braces,
    Case,
    Cast,
    Expression,
    Field,
    Function,
    If,
    Letter,
    Name,
    Parameter,
    Plain,
    Pointer,
    Statement,
    Structure,
    Switch,
    Text,
    Unary,
    Variable,
)
from studies.impact.generated.knobs import Kind, Knob

WORD = Pointer(Plain("const char"))


def is_word(text: Expression, word: str) -> Expression:
    """Whether a text is a word."""
    return binary(call("strcmp", text, Text(word)), "==", plain(0))


class Conversions:
    """How a program turns words into numbers; a function for each option with modes is made once."""

    def __init__(self, draft: Draft, file: str) -> None:
        self._draft, self._file = draft, file
        self._functions: dict[str, str] = {}
        self._number = draft.rng.choice(("atoi", "strtol", "strtoul"))

    def store(self, home: Home, text: Expression, arguments: tuple[Expression, ...]) -> tuple[Statement, ...]:
        """The option gets what a text says."""
        if home.knob.kind is Kind.SWITCH:
            return (If(is_word(text, "1"), home.on(arguments)),)
        stored = home.store(self._converted(home.knob, text), arguments)
        if home.knob.kind is Kind.LEVEL and not home.setter and self._draft.rng.random() < 0.3:
            most = 4 * home.knob.highest
            limit = free(most, home.knob.highest, most)
            return (*stored, If(binary(home.place, ">", limit), (assign(home.place, limit),)))
        return stored

    def _converted(self, knob: Knob, text: Expression) -> Expression:
        if knob.kind is Kind.MODE:
            return call(self._mode_function(knob), text)
        if self._number == "atoi":
            return Cast(UNSIGNED, call("atoi", text))
        return Cast(UNSIGNED, call(self._number, text, Name("NULL"), plain(10)))

    def _mode_function(self, knob: Knob) -> str:
        if knob.name not in self._functions:
            name = self._draft.names.fresh(f"{knob.name}_of")
            self._functions[knob.name] = name
            way = self._draft.rng.randrange(3)
            firsts = {word[0] for word in knob.words}
            if way == 0:
                body = self._by_table(knob)
            elif way == 1 and len(firsts) == len(knob.words):
                body = _by_letter(knob)
            else:
                body = _by_comparing(knob)
            function = Function(UNSIGNED, name, (Parameter(WORD, "word"),), body)
            self._draft.files[self._file].append(function)
        return self._functions[knob.name]

    def _by_table(self, knob: Knob) -> tuple[Statement, ...]:
        row, table = self._draft.names.fresh("choice"), self._draft.names.fresh("choices")
        fields = (Field(WORD, "text"), Field(UNSIGNED, "value"))
        self._draft.types.append(Structure(row, fields))
        rows = tuple(
            Braces((Text(word), free(value, 0, knob.highest))) for value, word in enumerate(knob.words)
        )
        type = Array(Plain(f"struct {row}"), None)
        items = self._draft.files[self._file]
        items.append(Variable(type, table, Braces(rows), is_static=True, is_constant=True))
        entry = element(table, Name("at"))
        found = If(
            binary(call("strcmp", Name("word"), dot(entry, "text")), "==", plain(0)),
            (give(dot(entry, "value")),),
        )
        return (count("at", fixed(len(rows)), found), give(fixed(0)))


def _by_comparing(knob: Knob) -> tuple[Statement, ...]:
    tests = [
        If(is_word(Name("word"), word), (give(free(value, 0, knob.highest)),))
        for value, word in enumerate(knob.words)
    ]
    return (*tests[1:], give(fixed(0)))


def _by_letter(knob: Knob) -> tuple[Statement, ...]:
    cases = tuple(
        Case((Letter(word[0]),), (give(free(value, 0, knob.highest)),))
        for value, word in enumerate(knob.words)
    )
    return (Switch(Unary("*", Name("word")), (*cases[1:], Case((), (give(fixed(0)),)))),)
