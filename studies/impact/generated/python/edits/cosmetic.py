"""Edits that change the text and hardly what is done: names, comments, order, other words for the same."""

from __future__ import annotations

import random
from dataclasses import replace

from studies.impact.generated.python.edits.flow import opposite
from studies.impact.generated.python.edits.sites import chosen, inside, sites, with_node, with_statements
from studies.impact.generated.python.nodes import (
    Assign,
    Augment,
    Binary,
    Class,
    Conditional,
    Evaluate,
    File,
    Function,
    If,
    Imported,
    Line,
    Name,
    Parameter,
    Program,
    Raw,
    Remark,
    Text,
)
from studies.impact.generated.trees import mapped, walk

_SAME_BOTH_WAYS = frozenset("+*^&|")


def renamed_local(rng: random.Random, program: Program) -> Program | None:
    """A local variable or a parameter has another name."""
    site = chosen(rng, sites(program), lambda node: isinstance(node, Function) and node.name != "main")
    if site is None:
        return None
    function = site.node
    local = sorted(
        {
            node.target.text
            for _, node in walk(function)
            if isinstance(node, Assign) and isinstance(node.target, Name)
        }
    )
    texts = " ".join(node.text for _, node in walk(function) if isinstance(node, Raw | Line))
    usable = [each for each in local if each not in texts]
    if not usable or site.around:
        return None
    old = rng.choice(usable)
    new = mapped(function, lambda node: _renamed(node, old, f"{old}_now"))
    return with_node(program, site.path, new)


def renamed_function(rng: random.Random, program: Program) -> Program | None:
    """A function of a module has another name, wherever it is named."""
    functions = [item.name for file in program.files for item in file.body if isinstance(item, Function)]
    old = rng.choice(sorted({*functions} - {"main"}))
    changed = mapped(program, lambda node: _renamed(node, old, f"{old}_of_all"))
    assert isinstance(changed, Program)
    return changed


def _renamed(node: object, old: str, new: str) -> object:
    if isinstance(node, Name) and node.text == old:
        return Name(new)
    if isinstance(node, Parameter | Function | Imported) and node.name == old:
        return replace(node, name=new)
    return node


def remark(rng: random.Random, program: Program) -> Program | None:
    """A comment is added."""
    site = rng.choice([each for each in inside(program) if each.is_in_block])
    text = rng.choice(("see above", "the usual case", "as the manual says", "TODO: tidy"))
    return with_statements(program, site, (Remark(text), site.node))


def docstring(rng: random.Random, program: Program) -> Program | None:
    """A function gets a docstring."""
    site = chosen(rng, sites(program), lambda node: isinstance(node, Function))
    if site is None:
        return None
    assert isinstance(site.node, Function)
    told = Evaluate(Text("What it does is told here."))
    return with_node(program, site.path, replace(site.node, body=(told, *site.node.body)))


def reordered(rng: random.Random, program: Program) -> Program | None:
    """Functions of a file change places."""
    site = chosen(rng, sites(program), lambda node: isinstance(node, File | Class) and len(node.body) > 2)
    if site is None:
        return None
    assert isinstance(site.node, File | Class)
    body = list(site.node.body)
    places = [at for at, item in enumerate(body) if isinstance(item, Function) and not item.decorators]
    if len(places) < 2:
        return None
    first, second = rng.sample(places, 2)
    body[first], body[second] = body[second], body[first]
    return with_node(program, site.path, replace(site.node, body=tuple(body)))


def swapped_sides(rng: random.Random, program: Program) -> Program | None:
    """`a + b` becomes `b + a`."""
    site = chosen(
        rng, inside(program), lambda node: isinstance(node, Binary) and node.operator in _SAME_BOTH_WAYS
    )
    if site is None:
        return None
    assert isinstance(site.node, Binary)
    return with_node(program, site.path, Binary(site.node.right, site.node.operator, site.node.left))


def turned_around(rng: random.Random, program: Program) -> Program | None:
    """The opposite is asked, and both sides change places."""
    site = chosen(
        rng,
        inside(program),
        lambda node: isinstance(node, Conditional) or (isinstance(node, If) and bool(node.no)),
    )
    if site is None:
        return None
    node = site.node
    if isinstance(node, If):
        return with_node(program, site.path, If(opposite(node.test), node.no, node.yes))
    assert isinstance(node, Conditional)
    return with_node(program, site.path, Conditional(opposite(node.test), node.no, node.yes))


def written_out(rng: random.Random, program: Program) -> Program | None:
    """`x += y` becomes `x = x + y`."""
    site = chosen(
        rng, inside(program), lambda node: isinstance(node, Augment) and isinstance(node.target, Name)
    )
    if site is None:
        return None
    node = site.node
    assert isinstance(node, Augment)
    return with_node(program, site.path, Assign(node.target, Binary(node.target, node.operator, node.value)))


def as_if(rng: random.Random, program: Program) -> Program | None:
    """`x = a if test else b` becomes an `if` with two assignments."""
    found = (each for each in inside(program) if each.is_in_block)
    site = chosen(rng, found, lambda node: isinstance(node, Assign) and isinstance(node.value, Conditional))
    if site is None:
        return None
    node = site.node
    assert isinstance(node, Assign)
    assert isinstance(node.value, Conditional)
    yes, no = Assign(node.target, node.value.yes), Assign(node.target, node.value.no)
    return with_node(program, site.path, If(node.value.test, (yes,), (no,)))


def unused_function(rng: random.Random, program: Program) -> Program | None:
    """A function comes that nobody calls."""
    files = [at for at, file in enumerate(program.files) if file.body]
    at = rng.choice(files)
    file = program.files[at]
    made = Function("never_called", (Parameter("given"),), (Assign(Name("found"), Name("given")),))
    functions = [place for place, item in enumerate(file.body) if isinstance(item, Function)]
    if not functions:
        return None
    place = rng.choice(functions)
    body = (*file.body[:place], made, *file.body[place:])
    return Program((*program.files[:at], replace(file, body=body), *program.files[at + 1 :]))
