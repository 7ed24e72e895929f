"""Edits of numbers: in bounds, tables, defaults and anywhere."""

from __future__ import annotations

import random
from collections.abc import Iterator

from studies.impact.generated.python.edits.sites import Site, chosen, inside, sites, with_node
from studies.impact.generated.python.nodes import (
    Assign,
    Augment,
    Class,
    Compare,
    Display,
    Number,
    Parameter,
    Program,
    Table,
)
from studies.impact.generated.trees import at

_LARGE = 20  # from here a number says how often something is done


def constant(rng: random.Random, program: Program) -> Program | None:
    """Any number of a function."""
    return _changed(rng, program, (site for site in inside(program)))


def bound(rng: random.Random, program: Program) -> Program | None:
    """A number that is large enough to say how often."""
    large = (each for each in inside(program) if isinstance(each.node, Number) and each.node.value >= _LARGE)
    return _changed(rng, program, (each for each in large if _is_below(program, each, Assign | Augment)))


def condition(rng: random.Random, program: Program) -> Program | None:
    """A number that something is compared with."""
    return _changed(rng, program, (each for each in inside(program) if _is_below(program, each, Compare)))


def table(rng: random.Random, program: Program) -> Program | None:
    """An entry of a table, be it of a module or in a function."""
    return _changed(
        rng, program, (each for each in sites(program) if _is_below(program, each, Display | Table))
    )


def default(rng: random.Random, program: Program) -> Program | None:
    """The default of a parameter."""
    return _changed(rng, program, (each for each in sites(program) if _is_below(program, each, Parameter)))


def attribute(rng: random.Random, program: Program) -> Program | None:
    """A number that a class has."""
    outside = (each for each in sites(program) if not each.around)
    return _changed(rng, program, (each for each in outside if _is_below(program, each, Class)))


def unused(rng: random.Random, program: Program) -> Program | None:
    """A number in code that nobody runs."""
    return _changed(rng, program, (each for each in sites(program) if each.is_cold))


def _changed(rng: random.Random, program: Program, found: Iterator[Site]) -> Program | None:
    site = chosen(rng, found, lambda node: isinstance(node, Number))
    if site is None:
        return None
    assert isinstance(site.node, Number)
    old = site.node.value
    news = {old + 1, old + 2, max(0, old - 1), old * 2, old * 3 // 2, old // 2}
    new = rng.choice(sorted(news - {old}))
    return with_node(program, site.path, Number(new))


def _is_below(program: Program, site: Site, kinds: type | object) -> bool:
    """Whether some node around it, but none of its functions, is of a kind."""
    return any(
        isinstance(at(program, site.path[:length]), kinds)  # type: ignore[arg-type]
        for length in range(len(site.path))
    )
