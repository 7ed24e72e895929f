"""A table of words: each row has a word, a number, and a pointer to where it goes or a bit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from studies.impact.generated.c.drawing.draft import Draft
from studies.impact.generated.c.drawing.homes import Home
from studies.impact.generated.c.drawing.reading.chains import each_word
from studies.impact.generated.c.drawing.reading.words import WORD, Conversions
from studies.impact.generated.c.making import (
    UNSIGNED,
    address,
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
    Assign,
    Braces,
    Declare,
    Expression,
    Field,
    If,
    Jump,
    Name,
    Plain,
    Pointer,
    Statement,
    Structure,
    Text,
    Unary,
)
from studies.impact.generated.knobs import Kind


def can_be_read_by_table(homes: Sequence[Home]) -> bool:
    """Whether all are bits of the same flags, or all are numbers that a pointer can mean."""
    if not homes or any(home.setter for home in homes):
        return False
    return all(home.bit for home in homes) or all(not home.bit and home.type == UNSIGNED for home in homes)


def read_table(
    draft: Draft, homes: Sequence[Home], conversions: Conversions, arguments: tuple[Expression, ...]
) -> tuple[Statement, ...]:
    """Look for each word in the table."""
    is_bits = bool(homes[0].bit)
    row = draft.names.fresh("word_row")
    target = () if is_bits else (Field(Pointer(UNSIGNED), "target"),)
    draft.types.append(Structure(row, (Field(WORD, "text"), *target, Field(UNSIGNED, "value"))))
    rows = tuple(each for home in homes for each in _rows(home, is_bits))
    table = Declare(Array(Plain(f"struct {row}"), None), "words", Braces(rows))
    entry = element("words", Name("at"))
    if is_bits:
        stored: Assign = assign(homes[0].place, dot(entry, "value"), "|=")
    else:
        stored = assign(Unary("*", dot(entry, "target")), dot(entry, "value"))
    compared = call("strcmp", element("argv", Name("next")), dot(entry, "text"))
    here = assign("found", fixed(1))
    looking = count(
        "at", fixed(len(rows)), If(binary(compared, "==", plain(0)), (stored, here, Jump("break")))
    )
    missing = If(binary(Name("found"), "==", fixed(0)), (give(plain(2)),))
    begun = Declare(UNSIGNED, "found", fixed(0))
    return (table, *each_word((begun, looking, missing)))


def _rows(home: Home, is_bits: bool) -> Iterator[Braces]:
    word = f"--{home.knob.name}"
    if is_bits:
        yield Braces((Text(word), Name(home.bit)))
        return
    place: Expression = address(home.place)
    if home.knob.kind is Kind.SWITCH:
        yield Braces((Text(word), place, fixed(1)))
    for value in home.knob.levels:
        yield Braces((Text(f"{word}={value}"), place, free(value, 0, 2 * home.knob.highest)))
    for position, mode in enumerate(home.knob.words):
        yield Braces((Text(f"{word}={mode}"), place, free(position, 0, home.knob.highest)))
