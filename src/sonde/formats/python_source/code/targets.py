"""What is assigned to, and loops that assign to it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from sonde.formats.python_source.code.body import PythonBody, module_object
from sonde.formats.python_source.names.package import Module


def assign(body: PythonBody, target: ast.expr, value: int) -> None:
    """Put a value into whatever an assignment names."""
    writer = body.writer
    if isinstance(target, ast.Name):
        body.store_name(target.id, value)
    elif isinstance(target, ast.Attribute):
        _assign_attribute(body, target, value)
    elif isinstance(target, ast.Subscript):
        base, index = body.value(target.value), body.value(target.slice)
        body.special(base, "__setitem__", (index, value))
        writer.store(base, writer.compute("element", (value, index, *body.compare([base, index]))))
    elif isinstance(target, ast.Starred):
        assign(body, target.value, body.container([value]))
    elif isinstance(target, ast.Tuple | ast.List):
        iterated = body.iterator(value)
        for each in target.elts:
            assign(body, each, body.element(iterated)[0])


def _assign_attribute(body: PythonBody, target: ast.Attribute, value: int) -> None:
    writer = body.writer
    meaning = body.package.meaning(target.value, body.scope)
    if isinstance(meaning, Module):
        name = f"{meaning.name}.{target.attr}"
        writer.store(writer.address(name), value)
        writer.store(writer.address(module_object(meaning.name), body.offset(target.attr)), value)
        return
    body.set_attribute(body.value(target.value), target.attr, value)


def assign_all(body: PythonBody, targets: Sequence[ast.expr], node: ast.expr) -> None:
    """An assignment; of several values to as many names, each goes to its own."""
    pairs: list[tuple[ast.expr, int]] = []
    value: int | None = None
    for target in targets:
        if _fits(target, node):
            assert isinstance(target, ast.Tuple | ast.List)
            assert isinstance(node, ast.Tuple | ast.List)
            pairs += zip(target.elts, [body.value(each) for each in node.elts], strict=True)
        else:
            value = body.value(node) if value is None else value
            pairs.append((target, value))
    for target, each in pairs:
        assign(body, target, each)


def _fits(target: ast.expr, node: ast.expr) -> bool:
    return (
        isinstance(target, ast.Tuple | ast.List)
        and isinstance(node, ast.Tuple | ast.List)
        and len(target.elts) == len(node.elts)
        and not any(isinstance(each, ast.Starred) for each in (*target.elts, *node.elts))
    )


def loop_over(
    body: PythonBody, generators: Sequence[ast.comprehension], first: int, add: Callable[[], None]
) -> None:
    """The loops of a comprehension; `first` is what the outermost goes over."""
    writer = body.writer
    this, further = generators[0], generators[1:]
    iterated = body.iterator(first)
    again, inside, end = writer.new_block(), writer.new_block(), writer.new_block()
    writer.jump(again)
    writer.begin(again)
    element, is_there = body.element(iterated, end)
    writer.branch(is_there, inside, end)
    writer.begin(inside)
    assign(body, this.target, element)
    for test in this.ifs:
        passed = writer.new_block()
        writer.branch(body.truth(body.value(test)), passed, again)
        writer.begin(passed)
    if further:
        loop_over(body, further, body.value(further[0].iter), add)
    else:
        add()
    writer.jump(again)
    writer.begin(end)
