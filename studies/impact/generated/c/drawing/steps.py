"""Small functions that any code calls: macros, inline functions of the header, functions of other files."""

from __future__ import annotations

from collections.abc import Sequence

from studies.impact.generated.c.drawing.draft import Draft
from studies.impact.generated.c.drawing.scopes import Callable, Scope
from studies.impact.generated.c.drawing.values import value
from studies.impact.generated.c.making import UNSIGNED, binary, count, declare, fixed, free, give
from studies.impact.generated.c.nodes import Expression, Function, If, Item, Macro, Name, Parameter, Statement

STEP_TYPE = "step"  # the name of the type of pointers to such functions


def add_steps(draft: Draft) -> None:
    """Some of each kind."""
    for _ in range(draft.rng.randint(1, 2)):
        _add_macro(draft)
    for _ in range(draft.rng.randint(1, 2)):
        draft.steps.append(add_step(draft, draft.inlines, is_static=True, is_inline=True))
    for _ in range(draft.rng.randint(1, 3)):
        draft.steps.append(add_step(draft, draft.source(), is_static=False))


def _add_macro(draft: Draft) -> None:
    first, second = Name("(first)"), Name("(second)")
    name = draft.names.function().upper()
    rng = draft.rng
    left: Expression = binary(first, rng.choice(("*", "+")), free(rng.randint(3, 63)))
    right: Expression = rng.choice((binary(second, ">>", fixed(rng.randint(1, 5))), second))
    draft.inlines.append(Macro(name, ("first", "second"), binary(left, rng.choice("^+-"), right)))
    draft.steps.append(Callable(Name(name), 2, 4))


def add_step(
    draft: Draft, items: list[Item], is_static: bool, is_inline: bool = False, turns: int = -1
) -> Callable:
    """A function of two numbers; it may have a short loop, of so many turns if that is given."""
    rng, name = draft.rng, draft.names.function()
    scope = Scope(values=(Name("first"), Name("second")), targets=("result",))
    if not is_inline and draft.steps and rng.random() < 0.4:
        scope = scope.with_call(rng.choice(draft.steps))
    body: list[Statement] = [declare("result", value(rng, scope, 1), UNSIGNED)]
    inner = sum(each.cost for each in scope.calls) + 8
    cost = 12
    if turns < 0 and rng.random() < 0.4:
        turns = rng.randint(2, 6)
    if turns > 0:
        variable = draft.names.fresh("i")
        step = draft.bodies.block(scope.with_value(Name(variable)), 40, 1, 0)
        body.append(count(variable, free(turns, 0, 3 * turns), *step))
        cost += turns * (inner + 8)
    body += draft.bodies.block(scope, 40, 1, 0)
    if rng.random() < 0.3:
        test = binary(binary(Name("result"), "&", fixed(7)), "==", free(rng.randint(0, 7), 0, 7))
        body.append(If(test, draft.bodies.block(scope, 20, 1, 0)))
    body.append(give(Name("result")))
    parameters = (Parameter(UNSIGNED, "first"), Parameter(UNSIGNED, "second"))
    items.append(Function(UNSIGNED, name, parameters, tuple(body), is_static, is_inline))
    return Callable(Name(name), 2, cost + inner)


def alternatives(draft: Draft, items: list[Item], number: int, is_static: bool = True) -> Sequence[Callable]:
    """Functions that may stand for each other, some of them dear."""
    return [
        add_step(draft, items, is_static, turns=draft.rng.choice((0, 1, 3, 6, 10))) for _ in range(number)
    ]
