"""Objects on the heap: lists, trees, tables of chains."""

from __future__ import annotations

from studies.impact.generated.c.drawing.scopes import Scope
from studies.impact.generated.c.drawing.stages.plans import Plan, finish
from studies.impact.generated.c.drawing.values import value
from studies.impact.generated.c.making import (
    UNSIGNED,
    VOID,
    address,
    arrow,
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
)
from studies.impact.generated.c.nodes import (
    Array,
    Expression,
    Field,
    Function,
    If,
    Jump,
    Name,
    Parameter,
    Plain,
    Pointer,
    Repeat,
    SizeOf,
    Statement,
    Structure,
    Type,
    Unary,
    Variable,
)

_NULL = Name("NULL")


def _node(plan: Plan, *links: str) -> tuple[Plain, Type]:
    """A structure with a key, a weight and links to others of its kind."""
    kind = plan.names.fresh("node")
    type = Plain(f"struct {kind}")
    fields = [
        Field(UNSIGNED, "key"),
        Field(UNSIGNED, "weight"),
        *(Field(Pointer(type), each) for each in links),
    ]
    plan.draft.types.append(Structure(kind, tuple(fields)))
    return type, Pointer(type)


def _made(plan: Plan, type: Plain, *links: str) -> str:
    """A function that allocates a node."""
    name = plan.names.fresh("make_node")
    body: tuple[Statement, ...] = (
        declare("node", call("calloc", plain(1), SizeOf(type)), Pointer(type)),
        If(binary(Name("node"), "==", _NULL), (do("exit", plain(3)),)),
        assign(arrow("node", "key"), Name("key")),
        assign(arrow("node", "weight"), value(plan.rng, Scope((Name("key"),)), 1)),
        *(assign(arrow("node", link), _NULL) for link in links),
        give(Name("node")),
    )
    plan.items.append(Function(Pointer(type), name, (Parameter(UNSIGNED, "key"),), body))
    return name


def list_stage(plan: Plan) -> tuple[Statement, ...]:
    """A linked list is built, walked some times, and freed."""
    begun, name, scope = plan.begin()
    type, link = _node(plan, "next")
    make = _made(plan, type, "next")
    head, node = plan.names.fresh("head"), plan.names.fresh("node")
    variable, again = plan.names.fresh("i"), plan.names.fresh("i")
    length, most = plan.bound(40)
    inner = scope.with_value(Name(variable))
    built = count(
        variable,
        length,
        declare(node, call(make, value(plan.rng, inner, 1)), link),
        assign(arrow(node, "next"), Name(head)),
        assign(head, Name(node)),
    )
    walker = plan.names.fresh("node")
    seen = scope.with_value(arrow(walker, "key"), arrow(walker, "weight"), Name(again))
    walk = (
        declare(walker, Name(head), link),
        Repeat(
            binary(Name(walker), "!=", _NULL),
            (*plan.bodies.block(seen, 60, 2, 0), assign(walker, arrow(walker, "next"))),
        ),
    )
    turns, _ = plan.bound(max(1, plan.budget // (60 * max(most, 1))))
    dropped = plan.names.fresh("node")
    freed = Repeat(
        binary(Name(head), "!=", _NULL),
        (declare(dropped, Name(head), link), assign(head, arrow(head, "next")), do("free", Name(dropped))),
    )
    return (begun, declare(head, _NULL, link), built, count(again, turns, *walk), freed, finish(name))


def tree_stage(plan: Plan) -> tuple[Statement, ...]:
    """Keys are inserted into a binary tree, looked up, and summed by recursion; the tree is freed."""
    rng = plan.rng
    begun, name, scope = plan.begin()
    type, link = _node(plan, "left", "right")
    make = _made(plan, type, "left", "right")
    insert, total, free_ = (plan.names.fresh(word) for word in ("insert", "sum_tree", "free_tree"))
    place = Unary("*", Name("place"))
    side = "left" if rng.random() < 0.5 else "right"
    other = "right" if side == "left" else "left"
    down = If(
        binary(Name("key"), "<", arrow(place, "key")),
        (assign("place", address(arrow(place, side))),),
        (assign("place", address(arrow(place, other))),),
    )
    found = If(binary(arrow(place, "key"), "==", Name("key")), (give(Name("steps")),))
    counted = assign("steps", fixed(1), "+=")
    plan.items.append(
        Function(
            UNSIGNED,
            insert,
            (Parameter(Pointer(link), "place"), Parameter(UNSIGNED, "key")),
            (
                declare("steps", fixed(0)),
                Repeat(binary(place, "!=", _NULL), (found, down, counted)),
                assign(place, call(make, Name("key"))),
                give(Name("steps")),
            ),
        )
    )
    below = [call(total, arrow("node", each)) for each in ("left", "right")]
    summed: Expression = binary(binary(below[0], "+", below[1]), "^", arrow("node", "weight"))
    empty = If(binary(Name("node"), "==", _NULL), (give(fixed(0)),))
    plan.items.append(Function(UNSIGNED, total, (Parameter(link, "node"),), (empty, give(summed))))
    freed = If(
        binary(Name("node"), "!=", _NULL),
        (do(free_, arrow("node", "left")), do(free_, arrow("node", "right")), do("free", Name("node"))),
    )
    plan.items.append(Function(VOID, free_, (Parameter(link, "node"),), (freed,)))
    root, variable, again = plan.names.fresh("root"), plan.names.fresh("i"), plan.names.fresh("i")
    keys, most = plan.bound(60)
    key = masked(binary(binary(Name(variable), "*", free(rng.choice((7, 13, 29)))), "+", Name("x")), 256)
    built = count(variable, keys, assign(name, call(insert, address(Name(root)), key), "+="))
    turns, _ = plan.bound(max(1, plan.budget // (16 * max(most, 1))))
    walked = count(again, turns, assign(name, call(total, Name(root)), "+="), *plan.mixed(scope, 30))
    return (begun, declare(root, _NULL, link), built, walked, do(free_, Name(root)), finish(name))


def hash_stage(plan: Plan) -> tuple[Statement, ...]:
    """Chains of static slots; the number of chains that are used is a setting."""
    rng = plan.rng
    begun, name, scope = plan.begin()
    heads, links, keys = (plan.names.fresh(word) for word in ("heads", "links", "keys"))
    for array in (heads, links, keys):
        plan.items.append(Variable(Array(UNSIGNED, plain(64)), array))
    chains, _ = plan.bound(32)
    used, chain, at, slot, again = (plan.names.fresh(word) for word in ("chains", "chain", "at", "i", "i"))
    several = binary(binary(chains, "%", fixed(63)), "+", fixed(1))
    key = binary(binary(Name(slot), "*", free(rng.choice((5, 11, 37)))), "+", Name("x"))
    hashed = declare(chain, binary(element(keys, Name(slot)), "%", Name(used)))
    built = count(
        slot,
        fixed(64),
        assign(element(keys, Name(slot)), key),
        hashed,
        assign(element(links, Name(slot)), element(heads, Name(chain))),
        assign(element(heads, Name(chain)), Name(slot)),
    )
    cleared = do("memset", Name(heads), plain(0), binary(fixed(64), "*", SizeOf(UNSIGNED)))
    wanted = value(rng, scope.with_value(Name(again)), 1)
    sought, tried = plan.names.value(), plan.names.fresh("i")
    here = masked(Name(at), 64)
    hit = If(binary(element(keys, here), "==", Name(sought)), (assign(name, Name(at), "+="), Jump("break")))
    end = If(binary(Name(at), "==", fixed(0)), (Jump("break"),))
    ahead = assign(at, element(links, here))
    looked = (
        declare(sought, binary(binary(wanted, "&", fixed(511)), "+", Name("x"))),
        declare(at, element(heads, binary(Name(sought), "%", Name(used)))),
        count(tried, fixed(64), end, hit, ahead, *plan.mixed(scope, 20)),
    )
    turns, _ = plan.bound(max(4, plan.budget // 300))
    return (begun, declare(used, several), cleared, built, count(again, turns, *looked), finish(name))
