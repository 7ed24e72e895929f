"""Which function is called: swapped callbacks, tables of functions; and options that set more than before."""

from __future__ import annotations

import random

from studies.impact.generated.c.edits.sites import (
    block_of,
    is_step,
    locals_of,
    numbers_of,
    sites,
    steps_for,
    with_block,
    with_node,
)
from studies.impact.generated.c.making import assign, free
from studies.impact.generated.c.nodes import (
    Assign,
    Braces,
    Case,
    Cast,
    Function,
    If,
    Member,
    Name,
    Number,
    Program,
)
from studies.impact.generated.trees import at, walk


def swapped_callback(rng: random.Random, program: Program) -> Program | None:
    """Another function is called, or pointed to."""
    found = []
    for site in sites(program):
        if isinstance(site.node, Name) and not site.is_cold:
            if site.function is not None and is_step(site.function):
                continue
            if site.node.text in (known := steps_for(program, site)) and len(known) > 1:
                found.append((site, [each for each in known if each != site.node.text]))
    if not found:
        return None
    site, others = rng.choice(found)
    return with_node(program, site.path, Name(rng.choice(others)))


def swapped_rows(rng: random.Random, program: Program) -> Program | None:
    """Two entries of a table change places."""
    found = [
        site
        for site in sites(program)
        if isinstance(site.node, Braces)
        and site.function is None
        and len({type(part) for part in site.node.parts}) == 1
        and len(set(site.node.parts)) > 1
        and isinstance(site.node.parts[0], Number | Name | Braces)
    ]
    if not found:
        return None
    site = rng.choice(found)
    assert isinstance(site.node, Braces)
    parts = list(site.node.parts)
    first, second = rng.sample(range(len(parts)), 2)
    if parts[first] == parts[second]:
        return None
    parts[first], parts[second] = parts[second], parts[first]
    return with_node(program, site.path, Braces(tuple(parts)))


def wired_option(rng: random.Random, program: Program) -> Program | None:
    """Where an option is read, another one is set too."""
    function, numbers = _reader(program)
    if function is None or not numbers:
        return None
    found = []
    for site in sites(program):
        if site.function is not function or not isinstance(site.node, Assign):
            continue
        around = at(program, site.path[:-1])
        if (
            isinstance(around, Case | If)
            and isinstance(site.node.value, Number)
            and site.node.operator == "="
        ):
            found.append(site)
    if not found:
        return None
    site = rng.choice(found)
    assert isinstance(site.node, Assign)
    target, highest = rng.choice(numbers)
    if target == site.node.target:
        return None
    added = assign(target, free(rng.randint(0, highest), 0, highest))
    path, block, position = block_of(program, site)
    return with_block(program, path, (*block[: position + 1], added, *block[position + 1 :]))


def _reader(program: Program) -> tuple[Function | None, list[tuple[Name | Member, int]]]:
    """The function that reads the options, and the numbers that it converts for them."""
    for site in sites(program):
        function = site.node
        if isinstance(function, Function) and any(each.name == "argv" for each in function.parameters):
            local = locals_of(function) - numbers_of(function)
            numbers = [
                (node.target, 16)
                for _, node in walk(function)
                if isinstance(node, Assign)
                and isinstance(node.value, Cast)
                and isinstance(node.target, Name | Member)
                and not (isinstance(node.target, Name) and node.target.text in local)
            ]
            if numbers:
                return function, numbers
    return None, []
