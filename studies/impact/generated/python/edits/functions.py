"""Edits of functions and classes: which one is meant, what overrides, what options decide."""

from __future__ import annotations

import random
from dataclasses import replace

from studies.impact.generated.python.edits.flow import opposite
from studies.impact.generated.python.edits.sites import (
    chosen,
    inside,
    sites,
    steps_of,
    with_node,
    with_statements,
)
from studies.impact.generated.python.nodes import (
    Attribute,
    Call,
    Class,
    Element,
    Expression,
    Function,
    If,
    Name,
    Program,
    Row,
    Table,
    Text,
)
from studies.impact.generated.trees import Path, at, walk

_KEEPERS = frozenset({"args", "config", "SHARED", "settings"})


def other_function(rng: random.Random, program: Program) -> Program | None:
    """Another small function is called, or handed over."""
    found = [
        site
        for site in inside(program)
        if isinstance(site.node, Name) and site.node.text in steps_of(program, site)
    ]
    if not found:
        return None
    site = rng.choice(found)
    assert isinstance(site.node, Name)
    others = [each for each in steps_of(program, site) if each != site.node.text]
    if not others or any(each.name in others for each in site.around):
        return None
    return with_node(program, site.path, Name(rng.choice(others)))


def swapped_rows(rng: random.Random, program: Program) -> Program | None:
    """Two entries of a dictionary of functions or numbers change places."""
    site = chosen(rng, sites(program), lambda node: isinstance(node, Table) and len(node.rows) > 1)
    if site is None:
        return None
    assert isinstance(site.node, Table)
    first, second, *rest = site.node.rows
    if isinstance(first.value, Text):
        return None
    rows = (Row(first.key, second.value), Row(second.key, first.value), *rest)
    return with_node(program, site.path, Table(rows))


def method(rng: random.Random, program: Program) -> Program | None:
    """A method that overrides another one goes."""
    site = chosen(rng, sites(program), lambda node: isinstance(node, Class) and _has_base_here(program, node))
    if site is None:
        return None
    assert isinstance(site.node, Class)
    methods = [each for each in site.node.body if isinstance(each, Function)]
    gone = rng.choice(methods)
    return with_node(
        program, site.path, replace(site.node, body=tuple(each for each in site.node.body if each != gone))
    )


def _has_base_here(program: Program, node: Class) -> bool:
    classes = {each.name for _, each in walk(program) if isinstance(each, Class)}
    return any(isinstance(base, Name) and base.text in classes for base in node.bases) and any(
        isinstance(each, Function) for each in node.body
    )


def undecorated(rng: random.Random, program: Program) -> Program | None:
    """A decorator goes."""
    site = chosen(
        rng,
        sites(program),
        lambda node: isinstance(node, Function) and any(each != Name("property") for each in node.decorators),
    )
    if site is None:
        return None
    assert isinstance(site.node, Function)
    return with_node(program, site.path, replace(site.node, decorators=()))


def wired_option(rng: random.Random, program: Program) -> Program | None:
    """A condition asks another option than before."""
    keeps = [site for site in inside(program) if _is_kept(site.node) and not _is_target(program, site.path)]
    if not keeps:
        return None
    site = rng.choice(keeps)
    others = [
        each.node for each in keeps if each.node != site.node and _keeper(each.node) == _keeper(site.node)
    ]
    return with_node(program, site.path, rng.choice(others)) if others else None


def _keeper(node: object) -> Expression | None:
    return node.base if isinstance(node, Attribute | Element) else None


def _is_kept(node: object) -> bool:
    if isinstance(node, Element):
        return node.base == Name("options")
    return isinstance(node, Attribute) and isinstance(node.base, Name) and node.base.text in _KEEPERS


def _is_target(program: Program, path: Path) -> bool:
    return path[-1].field in ("target", "function") or isinstance(at(program, path[:-1]), Call)


def guarded(rng: random.Random, program: Program) -> Program | None:
    """A statement is executed only where an option says so."""
    tests = [
        site.node.test
        for site in inside(program)
        if isinstance(site.node, If) and any(_is_kept(node) for _, node in walk(site.node.test))
    ]
    found = [
        site
        for site in inside(program)
        if site.is_in_block and isinstance(site.node, If) and site.node.test not in tests
    ]
    if not tests or not found:
        return None
    site, test = rng.choice(found), rng.choice(tests)
    names = {node.text for _, node in walk(test) if isinstance(node, Name)}
    known = {each.name for function in site.around for each in function.parameters}
    if site.around[0].name != "main" and not names <= known | {"settings", "SHARED"}:
        return None
    test = test if rng.random() < 0.5 else opposite(test)
    return with_statements(program, site, (If(test, (site.node,)),))  # type: ignore[arg-type]
