"""Arrays of bytes and numbers, texts, and the library functions that work on them."""

from __future__ import annotations

from studies.impact.generated.c.drawing.scopes import Buffer, Scope
from studies.impact.generated.c.drawing.stages.plans import Plan, finish
from studies.impact.generated.c.drawing.values import about, value
from studies.impact.generated.c.making import (
    BYTE,
    CHAR,
    INT,
    UNSIGNED,
    assign,
    binary,
    call,
    count,
    declare,
    do,
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
    Cast,
    Conditional,
    Declare,
    Expression,
    Function,
    If,
    Letter,
    Name,
    Parameter,
    Plain,
    Pointer,
    Repeat,
    SizeOf,
    Statement,
    Text,
    Type,
    Unary,
    Variable,
)


def _array(plan: Plan, type: Type, size: int, is_local: bool) -> tuple[Buffer, tuple[Statement, ...]]:
    """An array of zeros, static or local."""
    name = plan.names.data()
    buffer = Buffer(name, size, type == BYTE)
    if is_local:
        return buffer, (Declare(Array(type, plain(size)), name, Braces((plain(0),))),)
    plan.items.append(Variable(Array(type, plain(size)), name))
    return buffer, ()


def bytes_stage(plan: Plan) -> tuple[Statement, ...]:
    """Bytes are filled, changed in loops, copied and set."""
    rng = plan.rng
    begun, name, scope = plan.begin()
    size, is_local = rng.choice((32, 64, 128)), rng.random() < 0.5
    first, made = _array(plan, BYTE, size, is_local)
    found: list[Statement] = [*made]
    scope = scope.with_buffer(first)
    if rng.random() < 0.6:
        second, made = _array(plan, BYTE, size, is_local)
        found += made
        scope = scope.with_buffer(second)
    variable = plan.names.fresh("i")
    cell = element(first.name, masked(Name(variable), size))
    filled = assign(cell, Cast(BYTE, value(rng, scope.with_value(Name(variable)), 1)))
    found.append(count(variable, fixed(size), filled))
    turns, _ = plan.bound(max(2, plan.budget // 900))
    again = plan.names.fresh("i")
    inner = scope.with_value(Name(again))
    body = plan.bodies.block(inner, 700, rng.randint(2, 3), 1)
    found.append(count(again, turns, *body))
    return (begun, *found, finish(name))


def sorting_stage(plan: Plan) -> tuple[Statement, ...]:
    """`qsort` with an order that a setting may choose."""
    rng = plan.rng
    begun, name, scope = plan.begin()
    size = rng.choice((16, 32, 64))
    buffer, made = _array(plan, UNSIGNED, size, rng.random() < 0.5)
    orders = [_order(plan, direction) for direction in ("<", ">")]
    order: Expression = Name(orders[0])
    if scope.sizes and rng.random() < 0.6:
        order = Conditional(about(rng, rng.choice(scope.sizes)), Name(orders[0]), Name(orders[1]))
    variable, again = plan.names.fresh("i"), plan.names.fresh("i")
    inner = scope.with_value(Name(variable), Name(again))
    stored = assign(element(buffer.name, masked(Name(variable), size)), value(rng, inner, 1))
    scrambled = assign(name, binary(Name(name), "*", free(1103515245 % 9973 * 2 + 1)))
    filled = count(variable, fixed(size), stored, scrambled, assign(name, Name(variable), "+="))
    elements, _ = plan.bound(size)
    elements = binary(elements, "%", fixed(size + 1))
    sorted_ = do("qsort", Name(buffer.name), elements, SizeOf(UNSIGNED), order)
    summed = assign(name, element(buffer.name, masked(Name(again), size)), "^=")
    turns, _ = plan.bound(max(1, plan.budget // (size * 120)))
    loop = count(again, turns, filled, sorted_, summed)
    return (begun, *made, loop, finish(name))


def _order(plan: Plan, direction: str) -> str:
    """A function that compares two numbers for `qsort`."""
    name = plan.names.fresh("compare")
    raw = Pointer(Plain("const void"))
    type = pointer("const unsigned")
    one, other = (Unary("*", Cast(type, Name(word))) for word in ("left", "right"))
    opposite = ">" if direction == "<" else "<"
    body: tuple[Statement, ...] = (
        declare("one", one),
        declare("other", other),
        If(binary(Name("one"), direction, Name("other")), (give(Unary("-", plain(1))),)),
        give(binary(Name("one"), opposite, Name("other"))),
    )
    plan.items.append(Function(INT, name, (Parameter(raw, "left"), Parameter(raw, "right")), body))
    return name


def text_stage(plan: Plan) -> tuple[Statement, ...]:
    """A text is built, searched and measured."""
    rng = plan.rng
    begun, name, scope = plan.begin()
    size = rng.choice((32, 64, 128))
    text, at, position = plan.names.fresh("text"), plan.names.fresh("i"), plan.names.fresh("at")
    letters = plan.names.fresh("letters")
    alphabet = rng.choice(("abcdefgh", "a,b;c:d.", "01 23 45", "xyxyxyzz"))
    plan.items.append(
        Variable(Array(Plain("char"), None), letters, Text(alphabet), is_static=True, is_constant=True)
    )
    length, _ = plan.bound(size - 1)
    index = binary(binary(Name(name), "+", binary(Name(at), "*", free(rng.choice((1, 3, 5))))), "&", fixed(7))
    filled = count(
        at,
        binary(length, "%", fixed(size)),
        assign(element(text, Name(at)), element(letters, index)),
        assign(binary_target(text, at), Letter("\\0")),
    )
    again = plan.names.fresh("i")
    inner = scope.with_value(Name(again))
    turns, _ = plan.bound(max(1, plan.budget // (size * 14)))
    body: list[Statement] = [filled, assign(name, Cast(UNSIGNED, call("strlen", Name(text))), "+=")]
    if rng.random() < 0.6:
        body += _searching(plan, inner, text, position, name)
    if rng.random() < 0.4:
        other = Text(alphabet[: rng.randint(1, 8)])
        compared = binary(call("strncmp", Name(text), other, free(rng.randint(1, 8), 0, 9)), "==", plain(0))
        body.append(If(compared, plan.bodies.block(inner, 60, 1, 0)))
    made = Declare(Array(CHAR, plain(size)), text, Text(""))
    return (begun, made, count(again, turns, *body, *plan.mixed(inner, 40)), finish(name))


def binary_target(text: str, at: str) -> Expression:
    """The letter behind the one at a position."""
    return element(text, binary(Name(at), "+", fixed(1)))


def _searching(plan: Plan, scope: Scope, text: str, position: str, name: str) -> list[Statement]:
    """Count how often a letter is found; the search goes on behind it."""
    letter = Letter(plan.rng.choice("abc,;x0 "))
    begun = declare(position, call("strchr", Name(text), letter), pointer("char"))
    ahead = assign(position, call("strchr", binary(Name(position), "+", plain(1)), letter))
    inside = plan.bodies.block(scope, 40, 1, 0)
    missing = binary(Name(position), "!=", Name("NULL"))
    return [begun, Repeat(missing, (assign(name, fixed(1), "+="), *inside, ahead))]
