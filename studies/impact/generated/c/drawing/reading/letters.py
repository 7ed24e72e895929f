"""The letter behind the dash: `switch (argv[i][1])`."""

from __future__ import annotations

from collections.abc import Sequence

from studies.impact.generated.c.drawing.draft import Draft
from studies.impact.generated.c.drawing.homes import Home
from studies.impact.generated.c.drawing.reading.chains import each_word
from studies.impact.generated.c.drawing.reading.words import Conversions
from studies.impact.generated.c.making import binary, element, give, plain
from studies.impact.generated.c.nodes import Case, Expression, If, Letter, Name, Statement, Switch
from studies.impact.generated.knobs import Kind


def read_letters(
    draft: Draft, homes: Sequence[Home], conversions: Conversions, arguments: tuple[Expression, ...]
) -> tuple[Statement, ...]:
    """A word must begin with a dash; what follows the letter is its value."""
    word = element("argv", Name("next"))
    no_dash = If(binary(element(word, plain(0)), "!=", Letter("-")), (give(plain(2)),))
    cases = []
    for home in homes:
        if home.knob.kind is Kind.SWITCH:
            body = home.on(arguments)
        else:
            body = conversions.store(home, binary(word, "+", plain(2)), arguments)
        cases.append(Case((Letter(home.knob.letter),), body))
    usage = Case((), (give(plain(2)),))
    return each_word((no_dash, Switch(element(word, plain(1)), (*cases, usage))))
