"""Edits of what is executed: conditions, loops, statements, calls."""

from __future__ import annotations

import random
from dataclasses import replace

from studies.impact.generated.python.edits.sites import (
    Site,
    chosen,
    inside,
    sites,
    steps_of,
    with_node,
    with_statements,
)
from studies.impact.generated.python.nodes import (
    Assign,
    Augment,
    Binary,
    Call,
    Compare,
    Conditional,
    Expression,
    For,
    If,
    Line,
    Name,
    Number,
    Program,
    Raw,
    Return,
    Statement,
    Unary,
)
from studies.impact.generated.trees import walk

_OPPOSITES = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "in": "not in"}
_NEIGHBOURS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": ">=", "!=": ">"}


def opposite(test: Expression) -> Expression:
    """The condition that holds where this one does not."""
    if isinstance(test, Compare) and test.operator in _OPPOSITES:
        return replace(test, operator=_OPPOSITES[test.operator])
    return test.operand if isinstance(test, Unary) and test.operator == "not" else Unary("not", test)


def decision(rng: random.Random, program: Program) -> Program | None:
    """A condition holds in other cases than before."""
    site = chosen(rng, inside(program), lambda node: isinstance(node, If | Conditional))
    if site is None:
        return None
    assert isinstance(site.node, If | Conditional)
    new = rng.choice((opposite(site.node.test), Raw("True"), Raw("False")))
    return with_node(program, site.path, replace(site.node, test=new))


def comparison(rng: random.Random, program: Program) -> Program | None:
    """`<` becomes `<=`, and the like."""
    site = chosen(
        rng, inside(program), lambda node: isinstance(node, Compare) and node.operator in _NEIGHBOURS
    )
    if site is None:
        return None
    assert isinstance(site.node, Compare)
    if any(
        isinstance(node, Raw) or (isinstance(node, Name) and not node.text) for _, node in walk(site.node)
    ):
        return None
    return with_node(program, site.path, replace(site.node, operator=_NEIGHBOURS[site.node.operator]))


def turns(rng: random.Random, program: Program) -> Program | None:
    """A loop over a range goes further, or not as far."""
    site = chosen(rng, inside(program), _is_over_range)
    if site is None:
        return None
    assert isinstance(site.node, For)
    assert isinstance(site.node.source, Call)
    *first, end = site.node.source.arguments
    assert isinstance(end, Expression)
    changed = Binary(
        end, *rng.choice((("*", Number(2)), ("//", Number(2)), ("+", Number(3)), ("+", Number(1))))
    )
    return with_node(program, site.path, replace(site.node, source=Call(Name("range"), (*first, changed))))


def _is_over_range(node: object) -> bool:
    return (
        isinstance(node, For)
        and isinstance(node.source, Call)
        and node.source.function == Name("range")
        and len(node.source.arguments) < 3
    )


def _is_free(node: object) -> bool:
    """Whether a statement can go without anything else that has to."""
    return isinstance(node, Statement) and not isinstance(node, Return | Line | Assign)


def deletion(rng: random.Random, program: Program) -> Program | None:
    """A statement goes."""
    site = chosen(rng, (each for each in inside(program) if each.is_in_block), _is_free)
    return None if site is None else with_statements(program, site, ())


def reassigned(rng: random.Random, program: Program) -> Program | None:
    """An assignment goes; what it assigned to has an older value."""
    found = (each for each in inside(program) if each.is_in_block)
    site = chosen(rng, found, lambda node: isinstance(node, Assign))
    return None if site is None else with_statements(program, site, ())


def added_call(rng: random.Random, program: Program) -> Program | None:
    """A number goes through one more small function."""
    site = chosen(rng, (each for each in inside(program) if each.is_in_block), _is_number)
    if site is None or not (steps := steps_of(program, site)):
        return None
    assert isinstance(site.node, Assign | Augment)
    called = Call(Name(rng.choice(steps)), (site.node.target, Number(rng.randint(1, 99))))
    return with_statements(program, site, (site.node, Assign(site.node.target, called)))


def _is_number(node: object) -> bool:
    names = ("total", "row", "found", "value", "result", "first", "state")
    return isinstance(node, Assign | Augment) and node.target in [Name(each) for each in names]


def removed_call(rng: random.Random, program: Program) -> Program | None:
    """In the place of a call stands what was handed to it."""
    site = chosen(rng, inside(program), lambda node: isinstance(node, Call) and len(node.arguments) == 2)
    if site is None or site.is_in_block:
        return None
    assert isinstance(site.node, Call)
    if not isinstance(site.node.function, Name) or site.node.function.text in ("range", "filter", "map"):
        return None
    return with_node(program, site.path, site.node.arguments[0])


def limit(rng: random.Random, program: Program) -> Program | None:
    """A number is limited where it is assigned."""
    site = chosen(
        rng,
        inside(program),
        lambda node: isinstance(node, Assign) and node.target in (Name("n"), Name("width")),
    )
    if site is None:
        return None
    assert isinstance(site.node, Assign)
    least = Call(Name("min"), (site.node.value, Number(rng.choice((5, 60, 400, 1500)))))
    return with_node(program, site.path, replace(site.node, value=least))


def skipping(rng: random.Random, program: Program) -> Program | None:
    """Some turns of a loop are passed over."""
    site = chosen(rng, inside(program), _is_over_range)
    if site is None:
        return None
    assert isinstance(site.node, For)
    test = Compare(Binary(site.node.variable, "%", Number(rng.randint(2, 5))), "==", Number(1))
    return with_node(
        program, site.path, replace(site.node, body=(If(test, (Line("continue"),)), *site.node.body))
    )


def early_return(rng: random.Random, program: Program) -> Program | None:
    """A function ends before its work where a condition holds that is asked elsewhere in it."""
    site = chosen(rng, inside(program), lambda node: isinstance(node, For))
    if site is None or len(site.around) > 1 or not site.is_in_block:
        return None
    tests = [node.test for _, node in walk(site.around[-1]) if isinstance(node, If | Conditional)]
    known = {each.name for each in site.around[-1].parameters} | {"settings", "SHARED"}
    usable = [each for each in tests if _names(each) <= known]
    if not usable or "seed" not in known:
        return None
    ends = If(rng.choice(usable), (Return(Name("seed")),))
    return with_statements(program, site, (ends, site.node))


def _names(root: object) -> frozenset[str]:
    return frozenset(node.text for _, node in walk(root) if isinstance(node, Name | Raw))


def overwritten(rng: random.Random, program: Program) -> Program | None:
    """A variable gets a value that nobody reads, since another one follows."""
    site = chosen(rng, (each for each in inside(program) if each.is_in_block), _is_fresh)
    if site is None:
        return None
    assert isinstance(site.node, Assign)
    return with_statements(program, site, (Assign(site.node.target, Number(rng.randint(1, 99))), site.node))


def _is_fresh(node: object) -> bool:
    return (
        isinstance(node, Assign)
        and isinstance(node.target, Name)
        and node.target.text not in _names(node.value)
        and not any(isinstance(part, Raw) for _, part in walk(node.value))
    )


def cold_statement(rng: random.Random, program: Program) -> Program | None:
    """A statement of code that nobody runs goes."""
    cold: list[Site] = [each for each in sites(program) if each.is_cold and each.is_in_block and each.around]
    site = chosen(rng, iter(cold), _is_free)
    return None if site is None else with_statements(program, site, ())
