"""What is executed: conditions, bounds, statements that are added or deleted."""

from __future__ import annotations

import random
from dataclasses import replace

from studies.impact.generated.c.edits.sites import (
    Site,
    assigned_in,
    block_of,
    indexes,
    is_needed,
    is_step,
    locals_of,
    numbers_of,
    sites,
    statements,
    steps_for,
    with_block,
    with_node,
)
from studies.impact.generated.c.making import assign, binary, call, count, fixed, free
from studies.impact.generated.c.nodes import (
    Assign,
    Binary,
    Conditional,
    Declare,
    Evaluate,
    Expression,
    If,
    Jump,
    Loop,
    Name,
    Number,
    Program,
    Statement,
    Unary,
)
from studies.impact.generated.trees import at, walk

_OPPOSITES = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_NEIGHBOURS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": ">=", "!=": ">"}


def decision(rng: random.Random, program: Program) -> Program | None:
    """A condition holds in other cases than before."""
    found = [
        site
        for site in sites(program)
        if site.function is not None
        and not site.is_cold
        and isinstance(site.node, If | Conditional)
        and not is_needed(program, site)
        and "NULL" not in _names(site.node.test)
    ]
    if not found:
        return None
    site = rng.choice(found)
    node = site.node
    assert isinstance(node, If | Conditional)
    return with_node(program, site.path, replace(node, test=_other_test(rng, node.test)))


def _other_test(rng: random.Random, test: Expression) -> Expression:
    if isinstance(test, Binary) and test.operator in ("&&", "||"):
        kind = rng.randrange(4)
        if kind == 0:
            return test.left
        if kind == 1:
            return test.right
        if kind == 2:
            return replace(test, operator="||" if test.operator == "&&" else "&&")
        return replace(test, left=_other_test(rng, test.left))
    if rng.random() < 0.15:
        return fixed(rng.randint(0, 1))
    if isinstance(test, Binary) and test.operator in _NEIGHBOURS and rng.random() < 0.5:
        return replace(test, operator=_NEIGHBOURS[test.operator])
    return opposite(test)


def opposite(test: Expression) -> Expression:
    """What holds where the other does not."""
    if isinstance(test, Unary) and test.operator == "!":
        return test.operand
    if isinstance(test, Binary) and test.operator in _OPPOSITES:
        return replace(test, operator=_OPPOSITES[test.operator])
    return Unary("!", test)


def turns(rng: random.Random, program: Program) -> Program | None:
    """A loop turns more often, or less often."""
    loops = [
        site
        for site in sites(program)
        if isinstance(site.node, Loop) and not site.is_cold and not indexes(site.node)
    ]
    if not loops:
        return None
    site = rng.choice(loops)
    loop = site.node
    assert isinstance(loop, Loop)
    changed = (
        replace(loop, end=binary(loop.end, "+", free(rng.randint(1, 9)))),
        replace(loop, end=binary(loop.end, "*", fixed(2))),
        replace(loop, end=binary(loop.end, ">>", fixed(1))),
        replace(loop, step=fixed(2)) if loop.step == fixed(1) else replace(loop, step=fixed(1)),
    )
    return with_node(program, site.path, rng.choice(changed))


def deletion(rng: random.Random, program: Program) -> Program | None:
    """A statement is gone."""
    found = [site for site in statements(program) if not site.is_cold and _is_work(site.node)]
    if not found:
        return None
    path, block, position = block_of(program, rng.choice(found))
    return with_block(program, path, (*block[:position], *block[position + 1 :]))


def _is_work(node: object) -> bool:
    return isinstance(node, Assign | Evaluate | If | Loop)


def added_call(rng: random.Random, program: Program) -> Program | None:
    """A small function is called once more, perhaps in a loop of its own."""
    found = [site for site in _sums(program) if steps_for(program, site)]
    if not found:
        return None
    site = rng.choice(found)
    assert isinstance(site.node, Assign)
    target = site.node.target
    called = call(rng.choice(steps_for(program, site)), target, free(rng.randint(1, 99)))
    added: Statement = assign(target, called, rng.choice(("+=", "^=")))
    if rng.random() < 0.3:
        added = count("more", free(rng.randint(2, 20), 0, 60), added)
    return _inserted(program, site, added, behind=True)


def removed_call(rng: random.Random, program: Program) -> Program | None:
    """A statement that calls something is gone."""
    found = [
        site
        for site in statements(program)
        if not site.is_cold
        and isinstance(site.node, Assign | Evaluate)
        and any("Call" in type(node).__name__ for _, node in walk(site.node))
    ]
    if not found:
        return None
    path, block, position = block_of(program, rng.choice(found))
    return with_block(program, path, (*block[:position], *block[position + 1 :]))


def limit(rng: random.Random, program: Program) -> Program | None:
    """A number is limited where it was not."""
    found = _sums(program)
    if not found:
        return None
    site = rng.choice(found)
    assert isinstance(site.node, Assign)
    target, most = site.node.target, free(rng.choice((4, 16, 100, 5000)))
    return _inserted(program, site, If(binary(target, ">", most), (assign(target, most),)), behind=True)


def skipping(rng: random.Random, program: Program) -> Program | None:
    """Turns of a loop are skipped where a condition holds that the function knows elsewhere."""
    found = []
    for site in sites(program):
        if isinstance(site.node, Loop) and site.function is not None and not site.is_cold:
            local = locals_of(site.function)
            tests = [
                node.test
                for _, node in walk(site.function)
                if isinstance(node, If | Conditional) and not local & set(_names(node.test))
            ]
            if tests and not indexes(site.node):
                found.append((site, tests))
    if not found:
        return None
    site, tests = rng.choice(found)
    loop = site.node
    assert isinstance(loop, Loop)
    early = If(rng.choice(tests), (Jump(rng.choice(("continue", "break"))),))
    return with_node(program, site.path, replace(loop, body=(early, *loop.body)))


def _names(root: object) -> list[str]:
    return [node.text for _, node in walk(root) if isinstance(node, Name)]


def _sums(program: Program) -> list[Site]:
    """Assignments to local numbers, in functions that may call small functions."""
    found = []
    for site in statements(program):
        if site.function is None or site.is_cold or is_step(site.function):
            continue
        node = site.node
        is_named = isinstance(node, Assign) and isinstance(node.target, Name)
        if is_named and set(assigned_in(node)) <= numbers_of(site.function):
            found.append(site)
    return found


def _inserted(program: Program, site: Site, added: Statement, behind: bool) -> Program:
    path, block, position = block_of(program, site)
    position += behind
    return with_block(program, path, (*block[:position], added, *block[position:]))


def overwritten(rng: random.Random, program: Program) -> Program | None:
    """A number gets a value that nobody reads, since it gets another one at once."""
    found = [site for site in sites(program) if not site.is_cold and _gets_a_number(site)]
    if not found:
        return None
    site = rng.choice(found)
    value = free(rng.randint(0, 200))
    path, block, position = block_of(program, site)
    if isinstance(site.node, Declare):
        assert site.node.initial is not None
        first: Statement = replace(site.node, initial=value)
        real = assign(site.node.name, site.node.initial)
    else:
        assert isinstance(site.node, Assign)
        first, real = assign(site.node.target, value), site.node
    return with_block(program, path, (*block[:position], first, real, *block[position + 1 :]))


def _gets_a_number(site: Site) -> bool:
    """Whether a local number gets a value that does not depend on the one before."""
    node = site.node
    if site.function is None or site.path[-1].position < 0:
        return False
    if isinstance(node, Declare):
        return node.initial is not None and node.name in numbers_of(site.function)
    if not isinstance(node, Assign) or node.operator != "=" or not isinstance(node.target, Name):
        return False
    return node.target.text in numbers_of(site.function) - set(_names(node.value))


def cold_statement(rng: random.Random, program: Program) -> Program | None:
    """A statement of code that is never run comes twice."""
    found = [
        site
        for site in statements(program)
        if site.is_cold and isinstance(site.node, Assign) and not isinstance(site.node.target, Number)
    ]
    if not found:
        return None
    site = rng.choice(found)
    node = at(program, site.path)
    assert isinstance(node, Assign)
    return _inserted(program, site, node, behind=True)
