"""Where a program can be edited."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from studies.impact.generated.python.drawing.cold import COLD
from studies.impact.generated.python.nodes import File, Function, Name, Program, Statement
from studies.impact.generated.trees import Path, Step, at, replaced, walk


@dataclass(frozen=True)
class Site:
    """A node, and the functions around it, the innermost last."""

    path: Path
    node: object
    around: tuple[Function, ...]

    @property
    def is_cold(self) -> bool:
        """Whether nobody runs it."""
        return any(each.name.startswith(COLD) for each in self.around)

    @property
    def is_in_block(self) -> bool:
        """Whether it is a statement of a block, where others may stand beside it."""
        return isinstance(self.node, Statement) and bool(self.path) and self.path[-1].position >= 0


def sites(program: Program) -> Iterator[Site]:
    """Every node."""
    for path, node in walk(program):
        above = (at(program, path[:length]) for length in range(len(path)))
        yield Site(path, node, tuple(each for each in above if isinstance(each, Function)))


def inside(program: Program) -> Iterator[Site]:
    """Every node of a function that may run, but for `read` and what else has to do with words."""
    for site in sites(program):
        if site.around and not site.is_cold and site.around[0].name not in ("read", "make_parser"):
            yield site


def chosen(rng: random.Random, found: Iterator[Site], is_wanted: Callable[[object], bool]) -> Site | None:
    """One of the sites whose node is wanted, or None."""
    wanted = [site for site in found if is_wanted(site.node)]
    return rng.choice(wanted) if wanted else None


def with_node(program: Program, path: Path, node: object) -> Program:
    """The program with another node, or another block."""
    changed = replaced(program, path, node)
    assert isinstance(changed, Program)
    return changed


def with_statements(program: Program, site: Site, statements: Sequence[object]) -> Program:
    """The program with these statements in the place of one."""
    *above, last = site.path
    path = (*above, Step(last.field))
    block = at(program, path)
    assert isinstance(block, tuple)
    return with_node(program, path, (*block[: last.position], *statements, *block[last.position + 1 :]))


def home_of(program: Program, site: Site) -> File:
    """The file of a node."""
    file = at(program, site.path[:1])
    assert isinstance(file, File)
    return file


def steps_of(program: Program, site: Site) -> list[str]:
    """The small functions of two numbers that the file of a node defines or imports."""
    steps = {
        node.name
        for _, node in walk(program)
        if isinstance(node, Function) and [each.name for each in node.parameters][:2] == ["first", "second"]
    }
    own = home_of(program, site)
    return sorted(steps & {name for _, node in walk(own) if (name := _named(node))})


def _named(node: object) -> str:
    return node.text if isinstance(node, Name) else node.name if isinstance(node, Function) else ""
