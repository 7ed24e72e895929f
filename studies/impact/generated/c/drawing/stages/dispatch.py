"""Which function is called: tables of pointers, switches, callbacks, structures of operations."""

from __future__ import annotations

from studies.impact.generated.c.drawing.derived import STEP
from studies.impact.generated.c.drawing.stages.plans import Plan, finish
from studies.impact.generated.c.drawing.steps import alternatives
from studies.impact.generated.c.drawing.values import about
from studies.impact.generated.c.making import (
    UNSIGNED,
    address,
    arrow,
    assign,
    call,
    count,
    declare,
    element,
    fixed,
    free,
    give,
    masked,
    plain,
    pointer,
)
from studies.impact.generated.c.nodes import (
    Array,
    Braces,
    Case,
    Conditional,
    Declare,
    Designated,
    Expression,
    Field,
    Function,
    If,
    Name,
    Parameter,
    Plain,
    Statement,
    Structure,
    Switch,
    Variable,
)


def _choice(plan: Plan) -> Expression:
    """A setting that chooses, or data where there is none."""
    sizes = plan.scope.sizes
    return plan.rng.choice(sizes).read if sizes else Name("x")


def _turns(plan: Plan, cost: int) -> Expression:
    return plan.bound(max(4, plan.budget // (cost + 20)))[0]


def table_stage(plan: Plan) -> tuple[Statement, ...]:
    """A constant table of functions."""
    begun, name, scope = plan.begin()
    functions = alternatives(plan.draft, plan.items, 4)
    table, variable = plan.names.fresh("steps"), plan.names.fresh("i")
    rows = Braces(tuple(each.function for each in functions))
    plan.items.append(Variable(Array(STEP, plain(4)), table, rows, is_static=True))
    chosen = element(table, masked(_choice(plan), 4))
    turns = _turns(plan, max(each.cost for each in functions))
    stepped = assign(name, call(chosen, Name(name), Name(variable)))
    return (begun, count(variable, turns, stepped, *plan.mixed(scope, 30)), finish(name))


def switch_stage(plan: Plan) -> tuple[Statement, ...]:
    """A switch in a loop."""
    begun, name, scope = plan.begin()
    functions = alternatives(plan.draft, plan.items, 3)
    variable = plan.names.fresh("i")
    cases = [
        Case((fixed(label),), (assign(name, call(each.function, Name(name), Name(variable))),))
        for label, each in enumerate(functions)
    ]
    other = Case((), plan.bodies.block(scope, 30, 1, 0))
    choice = masked(_choice(plan), 4)
    turns = _turns(plan, max(each.cost for each in functions))
    return (begun, count(variable, turns, Switch(choice, (*cases, other))), finish(name))


def callback_stage(plan: Plan) -> tuple[Statement, ...]:
    """A function that is handed to another one, which calls it in a loop."""
    rng = plan.rng
    begun, name, scope = plan.begin()
    first, second = alternatives(plan.draft, plan.items, 2)
    apply, turn = plan.names.fresh("apply"), plan.names.fresh("i")
    stepped = assign("x", call(Name("function"), Name("x"), Name(turn)))
    body = (count(turn, Name("turns"), stepped), give(Name("x")))
    parameters = (Parameter(STEP, "function"), Parameter(UNSIGNED, "x"), Parameter(UNSIGNED, "turns"))
    plan.items.append(Function(UNSIGNED, apply, parameters, body))
    chosen = first.function
    if scope.sizes:
        chosen = Conditional(about(rng, rng.choice(scope.sizes)), first.function, second.function)
    turns = _turns(plan, max(first.cost, second.cost))
    pointed = plan.names.fresh("chosen")
    if rng.random() < 0.5:
        return (begun, assign(name, call(apply, chosen, Name(name), turns)), finish(name))
    kept: tuple[Statement, ...] = (Declare(STEP, pointed, chosen),)
    if rng.random() < 0.5 and scope.sizes:
        test = about(rng, rng.choice(scope.sizes))
        kept = (Declare(STEP, pointed, first.function), If(test, (assign(pointed, second.function),)))
    return (begun, *kept, assign(name, call(apply, Name(pointed), Name(name), turns), "+="), finish(name))


def operations_stage(plan: Plan) -> tuple[Statement, ...]:
    """Structures of functions, one of which is chosen."""
    rng = plan.rng
    begun, name, scope = plan.begin()
    kind = plan.names.fresh("operations")
    type = Plain(f"struct {kind}")
    plan.draft.types.append(
        Structure(kind, (Field(STEP, "step"), Field(STEP, "end"), Field(UNSIGNED, "turns")))
    )
    steps, ends = alternatives(plan.draft, plan.items, 2), alternatives(plan.draft, plan.items, 2)
    cost = max(each.cost for each in steps)
    objects = []
    for step, end in zip(steps, ends, strict=True):
        word = plan.names.fresh(kind)
        most = max(5, plan.budget // (cost + 20))
        turns = free(rng.randint(4, most), 0, 2 * most)
        parts = Braces(
            (Designated("step", step.function), Designated("end", end.function), Designated("turns", turns))
        )
        plan.items.append(Variable(type, word, parts, is_static=True, is_constant=True))
        objects.append(address(Name(word)))
    chosen: Expression = objects[0]
    if scope.sizes:
        chosen = Conditional(about(rng, rng.choice(scope.sizes)), objects[0], objects[1])
    pointed, variable = plan.names.fresh("chosen"), plan.names.fresh("i")
    stepped = assign(name, call(arrow(pointed, "step"), Name(name), Name(variable)))
    ended = assign(name, call(arrow(pointed, "end"), Name(name), Name("x")), "^=")
    loop = count(variable, arrow(pointed, "turns"), stepped, *plan.mixed(scope, 30))
    return (begun, declare(pointed, chosen, pointer(f"const {type.name}")), loop, ended, finish(name))
