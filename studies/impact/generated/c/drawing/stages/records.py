"""Unions of records, and machines that go from state to state."""

from __future__ import annotations

from studies.impact.generated.c.drawing.stages.plans import Plan, finish
from studies.impact.generated.c.drawing.values import about, value
from studies.impact.generated.c.making import (
    BYTE,
    UNSIGNED,
    assign,
    binary,
    count,
    declare,
    dot,
    element,
    fixed,
    free,
    masked,
    plain,
)
from studies.impact.generated.c.nodes import (
    Array,
    Braces,
    Case,
    Cast,
    Conditional,
    Expression,
    Field,
    Member,
    Name,
    Plain,
    Statement,
    Structure,
    Switch,
    Variable,
)

_SHORT = Plain("unsigned short")


def union_stage(plan: Plan) -> tuple[Statement, ...]:
    """Records of several kinds share their memory; what is done depends on the kind."""
    rng = plan.rng
    begun, name, scope = plan.begin()
    content, kind = plan.names.fresh("content"), plan.names.fresh("record")
    pair = plan.names.fresh("pair")
    plan.draft.types.append(Structure(pair, (Field(_SHORT, "low"), Field(_SHORT, "high"))))
    members = (
        Field(UNSIGNED, "number"),
        Field(Plain(f"struct {pair}"), "pair"),
        Field(Array(BYTE, plain(4)), "bytes"),
    )
    plan.draft.types.append(Structure(content, members, "union"))
    fields = (Field(UNSIGNED, "kind"), Field(Plain(f"union {content}"), "as"))
    plan.draft.types.append(Structure(kind, fields))
    records, variable, again = plan.names.data(), plan.names.fresh("i"), plan.names.fresh("i")
    plan.items.append(Variable(Array(Plain(f"struct {kind}"), plain(16)), records))

    def record(at: str) -> Member:
        return dot(element(records, masked(Name(at), 16)), "as")

    tag: Expression = masked(Name(variable), 4)
    if scope.sizes and rng.random() < 0.7:
        tag = Conditional(about(rng, rng.choice(scope.sizes)), tag, free(rng.randint(0, 2), 0, 2))
    filled = count(
        variable,
        fixed(16),
        assign(dot(element(records, Name(variable)), "kind"), tag),
        assign(dot(record(variable), "number"), value(rng, scope.with_value(Name(variable)), 1)),
    )
    number = dot(record(again), "number")
    low, high = (dot(dot(record(again), "pair"), each) for each in ("low", "high"))
    byte = element(dot(record(again), "bytes"), masked(Name(name), 4))
    inner = scope.with_value(Name(again))
    cases = (
        Case((fixed(0),), (assign(name, number, "+="), *plan.bodies.block(inner, 60, 1, 1))),
        Case(
            (fixed(1),),
            (
                assign(name, binary(Cast(UNSIGNED, low), "*", high), "^="),
                assign(low, Cast(_SHORT, Name(name))),
            ),
        ),
        Case((fixed(2),), (assign(name, byte, "+="), *plan.bodies.block(inner, 120, 1, 1))),
        Case((), (assign(byte, Cast(BYTE, Name(name))),)),
    )
    turns, _ = plan.bound(max(8, plan.budget // 90))
    switched = Switch(dot(element(records, masked(Name(again), 16)), "kind"), cases)
    return (begun, filled, count(again, turns, switched), finish(name))


def machine_stage(plan: Plan) -> tuple[Statement, ...]:
    """A table of transitions; which of them are taken depends on data, where it begins on a setting."""
    rng = plan.rng
    begun, name, scope = plan.begin()
    table, state, variable = plan.names.data(), plan.names.fresh("state"), plan.names.fresh("i")
    rows = Braces(tuple(Braces(tuple(free(rng.randint(0, 3), 0, 3) for _ in range(4))) for _ in range(4)))
    type = Array(Array(BYTE, plain(4)), plain(4))
    plan.items.append(Variable(type, table, rows, is_static=True, is_constant=True))
    start = rng.choice([each.read for each in scope.sizes] or [Name("x")])
    inner = scope.with_value(Name(variable))
    cases = tuple(
        Case((fixed(label),), plan.bodies.block(inner, rng.choice((20, 60, 200)), 1, 1)) for label in range(3)
    )
    data = binary(binary(Name(name), ">>", fixed(rng.randint(0, 4))), "&", fixed(3))
    ahead = assign(state, element(element(table, masked(Name(state), 4)), data))
    stepped = assign(name, binary(Name(name), "*", free(rng.choice((31, 33, 69)))), "=")
    turns, _ = plan.bound(max(8, plan.budget // 90))
    loop = count(
        variable,
        turns,
        Switch(Name(state), (*cases, Case((), (stepped,)))),
        ahead,
        assign(name, fixed(1), "+="),
    )
    return (begun, declare(state, masked(start, 4)), loop, finish(name))
