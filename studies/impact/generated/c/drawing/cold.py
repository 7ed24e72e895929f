"""Code that runs rarely or never: messages, a self-test that nobody asks for, functions that nobody calls."""

from __future__ import annotations

from studies.impact.generated.c.drawing.draft import Draft
from studies.impact.generated.c.drawing.scopes import Scope, Sized
from studies.impact.generated.c.making import (
    INT,
    UNSIGNED,
    binary,
    call,
    declare,
    do,
    element,
    free,
    give,
    plain,
)
from studies.impact.generated.c.nodes import (
    Cast,
    Expression,
    Function,
    If,
    Name,
    Parameter,
    Plain,
    Pointer,
    Statement,
    Text,
)

COLD = "cold"  # in the names of such functions
_TEXT = Pointer(Plain("const char"))
_PROGRAM = element("argv", plain(0))
_COUNT = Cast(UNSIGNED, Name("argc"))


def add_unused(draft: Draft) -> None:
    """A function that nobody calls."""
    name = draft.names.fresh(f"{COLD}_spare")
    draft.source().append(_work(draft, name, draft.rng.randint(400, 2000)))


def _work(draft: Draft, name: str, budget: int) -> Function:
    scope = Scope(values=(Name("x"), Name("result")), targets=("result",), calls=tuple(draft.steps[:1]))
    loop = draft.bodies.loop(scope, budget, 1)
    body = (declare("result", Name("x")), loop, *draft.bodies.block(scope, 60, 2, 0), give(Name("result")))
    return Function(UNSIGNED, name, (Parameter(UNSIGNED, "x"),), body, is_static=False)


def self_test(draft: Draft) -> tuple[Statement, ...]:
    """A statement of main: a test that only a variable of the environment asks for, which nobody sets."""
    name = draft.names.fresh(f"{COLD}_test")
    draft.source().append(_work(draft, name, 3000))
    asked = binary(call("getenv", Text("APP_SELF_TEST")), "!=", Name("NULL"))
    shown = do("printf", Text("test: %u\\n"), call(name, free(draft.rng.randint(1, 99))))
    return (If(asked, (shown, give(plain(0)))),)


def refusal(draft: Draft) -> tuple[Statement, ...]:
    """A statement of main: too many words end the program with a message."""
    name = draft.names.fresh(f"{COLD}_refuse")
    limit = free(draft.rng.randint(40, 99), 40, 999)
    shown = do(
        "fprintf", Name("stderr"), Text("%s: %u words are too many\\n"), Name("program"), Name("words")
    )
    body = (shown, give(plain(2)))
    parameters = (Parameter(_TEXT, "program"), Parameter(UNSIGNED, "words"))
    draft.source().append(Function(INT, name, parameters, body, is_static=False))
    many = call(name, _PROGRAM, _COUNT)
    return (If(binary(_COUNT, ">", limit), (give(many),)),)


def message(setting: Sized, value: Expression) -> Statement:
    """A line on stderr where a setting says so; it only reads."""
    shown = do("fprintf", Name("stderr"), Text("value %u\\n"), value)
    return If(binary(setting.read, "!=", plain(0)), (shown,))
