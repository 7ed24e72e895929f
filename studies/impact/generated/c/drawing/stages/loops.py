"""Loops, matrices, tables of constants, recursion, cached results."""

from __future__ import annotations

from dataclasses import replace

from studies.impact.generated.c.drawing.scopes import Callable
from studies.impact.generated.c.drawing.stages.plans import Plan, finish
from studies.impact.generated.c.drawing.values import about, value
from studies.impact.generated.c.making import (
    UNSIGNED,
    assign,
    binary,
    call,
    count,
    declare,
    dot,
    element,
    fixed,
    free,
    give,
    masked,
    plain,
)
from studies.impact.generated.c.nodes import (
    Array,
    Braces,
    Field,
    Function,
    If,
    Name,
    Parameter,
    Plain,
    Statement,
    Structure,
    Variable,
)


def plain_stage(plan: Plan) -> tuple[Statement, ...]:
    """Loops in loops."""
    begun, name, scope = plan.begin()
    loops = [plan.bodies.loop(scope, plan.budget // 2, 1, 3) for _ in range(plan.rng.randint(1, 2))]
    return (begun, *loops, finish(name))


def matrix_stage(plan: Plan) -> tuple[Statement, ...]:
    """A static matrix, of which as many rows are used as a setting says."""
    begun, name, scope = plan.begin()
    matrix, row, column = plan.names.data(), plan.names.fresh("i"), plan.names.fresh("k")
    plan.items.append(Variable(Array(Array(UNSIGNED, plain(16)), plain(16)), matrix))
    rows, _ = plan.bound(16)
    cell = element(element(matrix, masked(Name(row), 16)), masked(Name(column), 16))
    inner = scope.with_value(Name(row), Name(column), cell)
    filled = assign(cell, value(plan.rng, inner, 1), plan.rng.choice(("=", "+=")))
    summed = assign(name, cell, plan.rng.choice(("+=", "^=")))
    work = count(row, rows, count(column, free(16, 0, 32), filled, summed, *plan.mixed(inner)))
    turns, _ = plan.bound(max(1, plan.budget // 12000))
    again = plan.names.fresh("i")
    return (begun, count(again, turns, work), finish(name))


def rows_stage(plan: Plan) -> tuple[Statement, ...]:
    """A constant table of rows, one of which says how much is done."""
    rng = plan.rng
    begun, name, scope = plan.begin()
    kind, table, row = plan.names.fresh("profile"), plan.names.data(), plan.names.value()
    most = max(4, min(120, plan.budget // 120))
    plan.draft.types.append(Structure(kind, (Field(UNSIGNED, "turns"), Field(UNSIGNED, "weight"))))
    rows = tuple(
        Braces((free(rng.randint(0, most), 0, 2 * most), free(rng.randint(1, 99)))) for _ in range(4)
    )
    type = Array(Plain(f"struct {kind}"), plain(4))
    plan.items.append(Variable(type, table, Braces(rows), is_static=True, is_constant=True))
    index = rng.choice([each.read for each in scope.sizes] or [Name("x")])
    chosen = element(table, Name(row))
    variable = plan.names.fresh("i")
    inner = scope.with_value(Name(variable), dot(chosen, "weight"))
    loop = count(variable, dot(chosen, "turns"), *plan.mixed(inner))
    return (begun, declare(row, masked(index, 4)), loop, finish(name))


def recursive_stage(plan: Plan) -> tuple[Statement, ...]:
    """A function that calls itself, once or twice, as deep as a setting says."""
    rng = plan.rng
    begun, name, scope = plan.begin()
    function, is_double = plan.names.function(), rng.random() < 0.5
    calls = [each for each in scope.calls if each.cost < 60 and _is_global(plan, each)]
    inner = replace(scope, values=(Name("x"), Name("depth")), targets=("x",), sizes=(), calls=tuple(calls))
    again = call(function, binary(Name("depth"), "-", fixed(1)), value(rng, inner, 1))
    end = If(binary(Name("depth"), "==", fixed(0)), (give(Name("x")),))
    result = binary(again, rng.choice("+^"), again if is_double else Name("x"))
    body = (end, *plan.bodies.block(inner, 60, 1, 0), give(result))
    parameters = (Parameter(UNSIGNED, "depth"), Parameter(UNSIGNED, "x"))
    plan.items.append(Function(UNSIGNED, function, parameters, body))
    deepest = 8 if is_double else 90
    depth, most = plan.bound(deepest)
    limited = binary(depth, "%", fixed((10 if is_double else 200) + 1))
    cost = 40 * 2**most if is_double else 40 * most
    turns, _ = plan.bound(max(1, plan.budget // cost))
    variable = plan.names.fresh("i")
    called = assign(name, call(function, limited, binary(Name(name), "+", Name(variable))), "+=")
    return (begun, count(variable, turns, called, *plan.mixed(scope, 30)), finish(name))


def _is_global(plan: Plan, function: Callable) -> bool:
    return function in plan.draft.steps


def cached_stage(plan: Plan) -> tuple[Statement, ...]:
    """Results are kept in a static table, and computed where there is none yet, or always."""
    rng = plan.rng
    begun, name, scope = plan.begin()
    kept, index, result, variable = (
        plan.names.data(),
        plan.names.value(),
        plan.names.value(),
        plan.names.fresh("i"),
    )
    plan.items.append(Variable(Array(UNSIGNED, plain(32)), kept))
    entry = element(kept, Name(index))
    local = replace(scope, targets=(result,)).with_value(Name(result))
    compute: tuple[Statement, ...] = (
        assign(result, binary(Name(index), "*", free(rng.randint(3, 99)))),
        plan.bodies.loop(replace(local, values=(Name(result), Name(index))), 1200, 0),
        assign(entry, binary(Name(result), "|", fixed(1))),
    )
    missing = binary(Name(result), "==", fixed(0))
    if scope.sizes and rng.random() < 0.6:
        missing = binary(missing, "||", about(rng, rng.choice(scope.sizes)))
    turns, _ = plan.bound(max(4, plan.budget // 700))
    body = (
        declare(
            index,
            masked(binary(binary(Name(variable), "*", free(rng.choice((3, 5, 7, 8)))), "+", Name("x")), 32),
        ),
        declare(result, entry),
        If(missing, compute),
        assign(name, Name(result), "+="),
    )
    return (begun, count(variable, turns, *body), finish(name))
