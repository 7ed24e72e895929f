"""Where a program can be edited: functions, their blocks, and what must stay as it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from studies.impact.generated.c.drawing.cold import COLD
from studies.impact.generated.c.making import UNSIGNED
from studies.impact.generated.c.nodes import (
    Assign,
    Call,
    Declare,
    Element,
    Function,
    Jump,
    Loop,
    Name,
    Parameter,
    Program,
    Repeat,
    Return,
    Statement,
)
from studies.impact.generated.trees import Path, Step, at, replaced, walk


@dataclass(frozen=True)
class Site:
    """A node of a program that an edit may change, and the function around it."""

    path: Path
    node: object
    function: Function | None  # None: it stands outside of functions

    @property
    def is_cold(self) -> bool:
        """Whether nobody runs it."""
        return self.function is not None and self.function.name.startswith(COLD)


def sites(program: Program) -> Iterator[Site]:
    """Every node, with the function around it."""
    for path, node in walk(program):
        function = at(program, path[:2]) if len(path) > 2 else None
        yield Site(path, node, function if isinstance(function, Function) else None)


def statements(program: Program) -> Iterator[Site]:
    """Statements that stand in a block and may be changed, moved or deleted."""
    for site in sites(program):
        is_in_block = site.function is not None and bool(site.path) and site.path[-1].position >= 0
        if is_in_block and isinstance(site.node, Statement) and not is_needed(program, site):
            yield site


def is_needed(program: Program, site: Site) -> bool:
    """Whether a loop needs it to end, or what follows needs it to be there."""
    if isinstance(site.node, Declare | Return | Jump):
        return True
    if any(isinstance(node, Return | Jump) for _, node in walk(site.node)):
        return True
    names = {
        node.text
        for length in range(len(site.path))
        if isinstance(around := at(program, site.path[:length]), Repeat)
        for _, node in walk(around.test)
        if isinstance(node, Name)
    }
    return bool(names & set(assigned_in(site.node)))


def assigned_in(root: object) -> Iterator[str]:
    """The variables that are assigned in a part of a program."""
    for _, node in walk(root):
        if isinstance(node, Assign) and isinstance(node.target, Name):
            yield node.target.text


def block_of(program: Program, site: Site) -> tuple[Path, tuple[object, ...], int]:
    """The block of a statement: its path, its statements, and the position there."""
    *above, last = site.path
    path = (*above, Step(last.field))
    block = at(program, path)
    assert isinstance(block, tuple)
    return path, block, last.position


def with_block(program: Program, path: Path, block: tuple[object, ...]) -> Program:
    """The program with another block."""
    changed = replaced(program, path, block)
    assert isinstance(changed, Program)
    return changed


def with_node(program: Program, path: Path, node: object) -> Program:
    """The program with another node."""
    return with_block(program, path, node)  # type: ignore[arg-type]


def numbers_of(function: Function) -> frozenset[str]:
    """The local numbers of a function, and its parameters that are numbers."""
    declared = (node for _, node in walk(function) if isinstance(node, Declare | Parameter))
    return frozenset(each.name for each in declared if each.type == UNSIGNED)


def locals_of(function: Function) -> frozenset[str]:
    """All that is declared inside of a function."""
    found = {node.name for _, node in walk(function) if isinstance(node, Declare)}
    return frozenset(found | {node.variable for _, node in walk(function) if isinstance(node, Loop)})


def indexes(loop: Loop) -> bool:
    """Whether the variable of a loop is an index as it is, so that its bound is that of an array."""
    return any(isinstance(node, Element) and node.index == Name(loop.variable) for _, node in walk(loop.body))


def is_step(function: Function) -> bool:
    """Whether it is one of the small functions of two numbers, which call each other in one direction."""
    return [each.name for each in function.parameters] == ["first", "second"]


def steps_for(program: Program, site: Site) -> list[str]:
    """The small functions that the code at a place can call or point to."""
    home = site.path[0].position
    return [
        item.name
        for position, file in enumerate(program.files)
        for item in file.items
        if isinstance(item, Function)
        and is_step(item)
        and (not item.is_static or position == home or file.name.endswith(".h"))
    ]


def is_called_only(program: Program, path: Path) -> bool:
    """Whether a name is what a call calls, and not a value."""
    parent = at(program, path[:-1])
    return isinstance(parent, Call) and path[-1].field == "function"
