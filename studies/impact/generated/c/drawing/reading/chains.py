"""A chain of comparisons for each word of the command line."""

from __future__ import annotations

from collections.abc import Sequence

from studies.impact.generated.c.drawing.draft import Draft
from studies.impact.generated.c.drawing.homes import Home
from studies.impact.generated.c.drawing.reading.words import WORD, Conversions, is_word
from studies.impact.generated.c.making import INT, assign, binary, call, declare, element, fixed, give, plain
from studies.impact.generated.c.nodes import Expression, If, Name, Repeat, Statement, Text
from studies.impact.generated.knobs import Kind


def read_chain(
    draft: Draft, homes: Sequence[Home], conversions: Conversions, arguments: tuple[Expression, ...]
) -> tuple[Statement, ...]:
    """`if (strcmp(word, "--fast") == 0) ... else if ... else return 2;`, for each word."""
    chain: tuple[Statement, ...] = (give(plain(2)),)
    for home in reversed(homes):
        chain = (If(*_arm(draft, home, conversions, arguments), chain),)
    return each_word((declare("word", element("argv", Name("next")), WORD), *chain))


def _arm(
    draft: Draft, home: Home, conversions: Conversions, arguments: tuple[Expression, ...]
) -> tuple[Expression, tuple[Statement, ...]]:
    word = f"--{home.knob.name}"
    if home.knob.kind is Kind.SWITCH:
        return is_word(Name("word"), word), home.on(arguments)
    if home.knob.kind is Kind.MODE and draft.rng.random() < 0.4:
        return _each_mode(home, word, arguments)
    length = fixed(len(word) + 1)
    begins = binary(call("strncmp", Name("word"), Text(f"{word}="), length), "==", plain(0))
    return begins, conversions.store(home, binary(Name("word"), "+", length), arguments)


def _each_mode(
    home: Home, word: str, arguments: tuple[Expression, ...]
) -> tuple[Expression, tuple[Statement, ...]]:
    """The whole word is compared with each that there is."""
    begins = binary(call("strncmp", Name("word"), Text(f"{word}="), fixed(len(word) + 1)), "==", plain(0))
    chosen: tuple[Statement, ...] = ()
    for value, mode in reversed(list(enumerate(home.knob.words))):
        chosen = (If(is_word(Name("word"), f"{word}={mode}"), home.store(fixed(value), arguments), chosen),)
    return begins, chosen


def each_word(body: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """A loop over the words of the command line; the position is `next`."""
    ahead = assign("next", plain(1), "+=")
    return (
        declare("next", plain(1), INT),
        Repeat(binary(Name("next"), "<", Name("argc")), (*body, ahead)),
    )
