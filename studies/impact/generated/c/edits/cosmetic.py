"""Edits that change the text and not what is done: names, comments, order, other words for the same."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from studies.impact.generated.c.edits.flow import opposite
from studies.impact.generated.c.edits.sites import block_of, sites, statements, with_block, with_node
from studies.impact.generated.c.making import UNSIGNED, assign, binary, fixed
from studies.impact.generated.c.nodes import (
    Assign,
    Binary,
    Conditional,
    Declare,
    File,
    Function,
    If,
    Jump,
    Loop,
    Name,
    Number,
    Parameter,
    Program,
    Remark,
    Repeat,
    Structure,
    Variable,
)
from studies.impact.generated.trees import mapped, walk

_COMMON = frozenset({"x", "first", "second", "config", "argc", "argv"})
_SAME_BOTH_WAYS = frozenset("+*^&|")


def renamed(rng: random.Random, program: Program) -> Program | None:
    """A local variable, a parameter or a function has another name."""
    functions = [node for _, node in walk(program) if isinstance(node, Function) and node.name != "main"]
    function = rng.choice(functions)
    if rng.random() < 0.4:
        return with_name(program, function.name, f"{function.name}_of_all")
    local = [
        node.name
        for _, node in walk(function)
        if isinstance(node, Declare | Parameter) and node.name not in _COMMON
    ]
    if not local:
        return None
    old = rng.choice(local)
    new = mapped(function, lambda node: _renamed(node, old, f"{old}_now"))
    changed = mapped(program, lambda node: new if node is function else node)
    assert isinstance(changed, Program)
    return changed


def with_name(program: Program, old: str, new: str) -> Program:
    """The program with another name for something."""
    changed = mapped(program, lambda node: _renamed(node, old, new))
    assert isinstance(changed, Program)
    return changed


def _renamed(node: object, old: str, new: str) -> object:
    if isinstance(node, Name) and node.text == old:
        return Name(new)
    if isinstance(node, Declare | Parameter | Function | Variable) and node.name == old:
        return replace(node, name=new)
    if isinstance(node, Loop) and node.variable == old:
        return replace(node, variable=new)
    return node


def remark(rng: random.Random, program: Program) -> Program | None:
    """A comment is added."""
    site = rng.choice(list(statements(program)))
    path, block, position = block_of(program, site)
    text = rng.choice(("see above", "the usual case", "as the manual says", "TODO: tidy"))
    return with_block(program, path, (*block[:position], Remark(text), *block[position:]))


def reordered(rng: random.Random, program: Program) -> Program | None:
    """Functions of a file come in another order."""
    files = [position for position, file in enumerate(program.files) if len(_functions(file)) > 1]
    if not files:
        return None
    position = rng.choice(files)
    file = program.files[position]
    if file.name.endswith(".h"):
        return None  # an inline function must stand before its callers
    first, second = rng.sample(_functions(file), 2)
    items = list(file.items)
    items[first], items[second] = items[second], items[first]
    files_now = (*program.files[:position], replace(file, items=tuple(items)), *program.files[position + 1 :])
    return Program(files_now)


def _functions(file: File) -> list[int]:
    return [position for position, item in enumerate(file.items) if isinstance(item, Function)]


def swapped_sides(rng: random.Random, program: Program) -> Program | None:
    """`a + b` becomes `b + a`."""
    found = [
        site
        for site in sites(program)
        if isinstance(site.node, Binary)
        and site.node.operator in _SAME_BOTH_WAYS
        and site.function is not None
    ]
    if not found:
        return None
    site = rng.choice(found)
    assert isinstance(site.node, Binary)
    return with_node(program, site.path, Binary(site.node.right, site.node.operator, site.node.left))


def turned_around(rng: random.Random, program: Program) -> Program | None:
    """The opposite is asked, and both sides change places."""
    found = [
        site
        for site in sites(program)
        if isinstance(site.node, Conditional)
        or (isinstance(site.node, If) and site.node.no and not isinstance(site.node.no[0], If))
    ]
    if not found:
        return None
    site = rng.choice(found)
    node = site.node
    assert isinstance(node, If | Conditional)
    if isinstance(node, If):
        return with_node(program, site.path, If(opposite(node.test), node.no, node.yes))
    return with_node(program, site.path, Conditional(opposite(node.test), node.no, node.yes))


def as_while(rng: random.Random, program: Program) -> Program | None:
    """A `for` becomes a `while`."""
    found = [
        site
        for site in sites(program)
        if isinstance(site.node, Loop)
        and site.path[-1].position >= 0
        and not any(node == Jump("continue") for _, node in walk(site.node.body))
    ]
    if not found:
        return None
    site = rng.choice(found)
    loop = site.node
    assert isinstance(loop, Loop)
    ahead = assign(loop.variable, loop.step, "+=")
    made = Declare(UNSIGNED, loop.variable, loop.start)
    again = Repeat(binary(Name(loop.variable), "<", loop.end), (*loop.body, ahead))
    path, block, position = block_of(program, site)
    return with_block(program, path, (*block[:position], made, again, *block[position + 1 :]))


def named_value(rng: random.Random, program: Program) -> Program | None:
    """A value gets a name before it is assigned."""
    found = [
        site
        for site in statements(program)
        if isinstance(site.node, Assign)
        and site.node.operator != "="
        and isinstance(site.node.target, Name)
        and isinstance(site.node.value, Binary)
    ]
    if not found:
        return None
    site = rng.choice(found)
    assert isinstance(site.node, Assign)
    made = Declare(UNSIGNED, "named", site.node.value)
    path, block, position = block_of(program, site)
    named = (made, replace(site.node, value=Name("named")))
    return with_block(program, path, (*block[:position], *named, *block[position + 1 :]))


def written_otherwise(rng: random.Random, program: Program) -> Program | None:
    """`x * 8` becomes `x << 3`, `x += y` becomes `x = x + y`."""
    found = [site for site in sites(program) if site.function is not None and _other_words(site.node)]
    if not found:
        return None
    site = rng.choice(found)
    change = _other_words(site.node)
    return with_node(program, site.path, change()) if change else None


def _other_words(node: object) -> Callable[[], object] | None:
    if isinstance(node, Assign) and node.operator == "+=" and isinstance(node.target, Name):
        return lambda: assign(node.target, binary(node.target, "+", node.value))
    if isinstance(node, Binary) and node.operator == "<<" and isinstance(node.right, Number):
        shift = node.right.value
        return lambda: binary(node.left, "*", fixed(1 << shift)) if shift < 16 else node
    if isinstance(node, Binary) and node.operator == "!=" and node.right == fixed(0):
        return lambda: binary(fixed(0), "!=", node.left)
    return None


def reordered_fields(rng: random.Random, program: Program) -> Program | None:
    """Fields of a structure come in another order."""
    found = [
        site
        for site in sites(program)
        if isinstance(site.node, Structure) and site.node.name == "config" and len(site.node.fields) > 1
    ]
    if not found:
        return None
    site = rng.choice(found)
    assert isinstance(site.node, Structure)
    fields = list(site.node.fields)
    first, second = rng.sample(range(len(fields)), 2)
    fields[first], fields[second] = fields[second], fields[first]
    return with_node(program, site.path, replace(site.node, fields=tuple(fields)))
