"""Another number: constants, bounds, conditions, tables, defaults, macros and inline functions of headers."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace

from studies.impact.generated.c.edits.sites import Site, sites, with_node
from studies.impact.generated.c.nodes import (
    Braces,
    Case,
    Conditional,
    Designated,
    Function,
    If,
    Loop,
    Macro,
    Number,
    Program,
    Variable,
)
from studies.impact.generated.trees import Path, at

Edit = Callable[[random.Random, Program], Program | None]


def constant(rng: random.Random, program: Program) -> Program | None:
    """A number of a computation."""
    return _edited(rng, program, lambda path: _is_computed(program, path))


def bound(rng: random.Random, program: Program) -> Program | None:
    """A number in the bound of a loop."""
    return _edited(rng, program, lambda path: _is_below(program, path, Loop, "end"))


def condition(rng: random.Random, program: Program) -> Program | None:
    """A number in a condition."""
    return _edited(rng, program, lambda path: _is_tested(program, path))


def table(rng: random.Random, program: Program) -> Program | None:
    """An entry of a constant table."""
    return _edited(
        rng, program, lambda path: _is_initial(program, path) and not _has(program, path, Designated)
    )


def structure(rng: random.Random, program: Program) -> Program | None:
    """A field in the initializer of a structure."""
    return _edited(rng, program, lambda path: _has(program, path, Designated))


def default(rng: random.Random, program: Program) -> Program | None:
    """The first value of a variable."""

    def is_default(path: Path) -> bool:
        return isinstance(at(program, path[:-1]), Variable)

    return _edited(rng, program, is_default)


def header(rng: random.Random, program: Program) -> Program | None:
    """A number in a macro or an inline function of a header."""
    return _edited(rng, program, lambda path: _has(program, path, Macro) or _is_inline(at(program, path[:2])))


def unused(rng: random.Random, program: Program) -> Program | None:
    """A number in code that is never run."""
    found = [site for site in _numbers(program) if site.is_cold]
    return _with_other(rng, program, rng.choice(found)) if found else None


def _numbers(program: Program) -> Iterator[Site]:
    for site in sites(program):
        if isinstance(site.node, Number) and site.node.low < site.node.high:
            yield site


def _edited(rng: random.Random, program: Program, fits: Callable[[Path], bool]) -> Program | None:
    found = [site for site in _numbers(program) if not site.is_cold and fits(site.path)]
    return _with_other(rng, program, rng.choice(found)) if found else None


def _with_other(rng: random.Random, program: Program, site: Site) -> Program | None:
    number = site.node
    assert isinstance(number, Number)
    value = number.value
    tried = (2 * value, value // 2, 3 * value + 1, value + (value + 3) // 4, value + 1, 0)
    others = [each for each in dict.fromkeys(tried) if number.low <= each <= number.high and each != value]
    if not others:
        return None
    return with_node(program, site.path, replace(number, value=rng.choice(others)))


def _around(program: Program, path: Path) -> Iterator[object]:
    for length in range(len(path)):
        yield at(program, path[:length])


def _has(program: Program, path: Path, kind: type) -> bool:
    return any(isinstance(node, kind) for node in _around(program, path))


def _is_below(program: Program, path: Path, kind: type, *fields: str) -> bool:
    """Whether the way down goes through one of these fields of such a node."""
    return any(
        isinstance(node, kind) and step.field in fields
        for node, step in zip(_around(program, path), path, strict=True)
    )


def _is_tested(program: Program, path: Path) -> bool:
    return _is_below(program, path, If, "test") or _is_below(program, path, Conditional, "test")


def _is_initial(program: Program, path: Path) -> bool:
    return _has(program, path, Braces) and _has(program, path, Variable)


def _is_inline(item: object) -> bool:
    return isinstance(item, Function) and item.is_inline


def _is_computed(program: Program, path: Path) -> bool:
    """Whether it is none of the others."""
    return not (
        _is_tested(program, path)
        or _is_below(program, path, Loop, "start", "end", "step")
        or _is_below(program, path, Case, "labels")
        or _has(program, path, Variable)
        or _has(program, path, Macro)
        or _is_inline(at(program, path[:2]))
    )
