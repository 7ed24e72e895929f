"""Statements as instructions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from sonde.formats.python_source.code.body import EnclosingLoop, PythonBody
from sonde.formats.python_source.code.classes import define_class, define_function
from sonde.formats.python_source.code.expressions import operate
from sonde.formats.python_source.code.imports import execute_import, execute_import_from
from sonde.formats.python_source.code.matching import execute_match
from sonde.formats.python_source.code.protecting import execute_raise, execute_try, execute_with, leave, throw
from sonde.formats.python_source.code.targets import assign, assign_all
from sonde.formats.python_source.names.definitions import walk_own
from sonde.formats.python_source.names.vocabulary import last_name

FIELDS = frozenset({"field", "attrib", "ib"})  # what dataclasses and attrs write behind a field


def execute(body: PythonBody, statements: Sequence[ast.stmt]) -> None:
    """Execute statements, one after the other."""
    for each in statements:
        body.writer.at = each.lineno
        _READERS.get(type(each), _nothing)(body, each)


def _nothing(body: PythonBody, node: ast.stmt) -> None:
    """`pass`, `global`, `nonlocal`, aliases of types."""


def _expression(body: PythonBody, node: ast.Expr) -> None:
    if not isinstance(node.value, ast.Constant):
        body.value(node.value)


def _assign(body: PythonBody, node: ast.Assign) -> None:
    assign_all(body, node.targets, node.value)


def _annotated(body: PythonBody, node: ast.AnnAssign) -> None:
    if isinstance(node.value, ast.Call) and last_name(node.value) in FIELDS:
        assign(body, node.target, _field(body, node.value))
    elif node.value is not None:
        assign_all(body, [node.target], node.value)


def _field(body: PythonBody, node: ast.Call) -> int:
    """The default of a field of a record; one that is made anew each time is made by a call."""
    found = []
    for keyword in node.keywords:
        value = body.value(keyword.value)
        found.append(value)
        if keyword.arg in ("default_factory", "factory"):
            found.append(body.writer.call(value, (body.writer.nothing,)))
    return body.writer.join(found)


def _in_place(body: PythonBody, node: ast.AugAssign) -> None:
    target = node.target
    left = body.value(_as_read(target))
    right = body.value(node.value)
    if left >= 0 and right >= 0 and isinstance(node.op, ast.Add | ast.BitOr):
        body.writer.store(left, body.content(right))  # a container grows, whoever else knows it
    assign(body, target, operate(body, node.op, left, right, is_in_place=True))


def _as_read(target: ast.expr) -> ast.expr:
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    if isinstance(target, ast.Attribute):
        return ast.copy_location(ast.Attribute(target.value, target.attr, ast.Load()), target)
    assert isinstance(target, ast.Subscript)
    return ast.copy_location(ast.Subscript(target.value, target.slice, ast.Load()), target)


def _delete(body: PythonBody, node: ast.Delete) -> None:
    for each in node.targets:
        if isinstance(each, ast.Subscript):
            base, index = body.value(each.value), body.value(each.slice)
            body.special(base, "__delitem__", (index,))
            body.writer.use("object.remove", (base, index))
        elif isinstance(each, ast.Attribute):
            base = body.value(each.value)
            body.special(base, "__delattr__", (body.writer.nothing,))
            body.writer.store(body.writer.field(base, body.offset(each.attr)), body.writer.nothing)


def _return(body: PythonBody, node: ast.Return) -> None:
    writer = body.writer
    value = body.value(node.value) if node.value is not None else writer.nothing
    if body.made is not None:
        writer.store(body.made, value)
        value = body.made
    if not body.finals:
        writer.give(value)
        return
    if body.result is None or body.returning is None:
        body.result, body.returning = writer.local(), writer.new_block()
    writer.store(body.result, value)
    leave(body, body.returning)


def _if(body: PythonBody, node: ast.If) -> None:
    if last_name(node.test) == "TYPE_CHECKING":
        execute(body, node.orelse)
        return
    writer = body.writer
    yes, no, end = writer.new_block(), writer.new_block(), writer.new_block()
    writer.branch(body.truth(body.value(node.test)), yes, no)
    for block, statements in ((yes, node.body), (no, node.orelse)):
        writer.begin(block)
        execute(body, statements)
        writer.jump(end)
    writer.begin(end)


def _while(body: PythonBody, node: ast.While) -> None:
    writer = body.writer
    again, inside, rest, end = (writer.new_block() for _ in range(4))
    writer.jump(again)
    writer.begin(again)
    is_forever = isinstance(node.test, ast.Constant) and node.test.value
    if is_forever and any(isinstance(each, ast.Break | ast.Return) for each in walk_own(node.body)):
        writer.jump(inside)
    elif is_forever:  # others go on beside it, or it ends by an exception
        writer.branch(writer.judge("end", (writer.nothing,)), inside, rest)
    else:
        writer.branch(body.truth(body.value(node.test)), inside, rest)
    _loop(body, node, again, inside, rest, end)


def _for(body: PythonBody, node: ast.For | ast.AsyncFor) -> None:
    writer = body.writer
    again, inside, rest, end = (writer.new_block() for _ in range(4))
    iterated = body.iterator(body.value(node.iter))
    writer.jump(again)
    writer.begin(again)
    element, is_there = body.element(iterated, rest)
    writer.branch(is_there, inside, rest)
    writer.begin(inside)
    assign(body, node.target, element)
    _loop(body, node, again, writer.block, rest, end)


def _loop(
    body: PythonBody, node: ast.For | ast.AsyncFor | ast.While, again: int, inside: int, rest: int, end: int
) -> None:
    writer = body.writer
    writer.begin(inside)
    body.loops.append(EnclosingLoop(again, end, len(body.finals)))
    execute(body, node.body)
    body.loops.pop()
    writer.jump(again)
    writer.begin(rest)
    execute(body, node.orelse)
    writer.jump(end)
    writer.begin(end)


def _break(body: PythonBody, node: ast.Break) -> None:
    leave(body, body.loops[-1].end, body.loops[-1].depth)


def _continue(body: PythonBody, node: ast.Continue) -> None:
    leave(body, body.loops[-1].again, body.loops[-1].depth)


def _assert(body: PythonBody, node: ast.Assert) -> None:
    writer = body.writer
    fails, after = writer.new_block(), writer.new_block()
    writer.branch(body.truth(body.value(node.test)), after, fails)
    writer.begin(fails)
    message = (body.value(node.msg),) if node.msg is not None else ()
    if "AssertionError" in body.package.vocabulary.caught:
        throw(body, body.container(message))
    else:
        writer.use("assert", message, may_raise=False)
        writer.stop()
    writer.begin(after)


_READERS: dict[type[ast.stmt], Callable[..., None]] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _in_place,
    ast.Delete: _delete,
    ast.Return: _return,
    ast.If: _if,
    ast.While: _while,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.Assert: _assert,
    ast.FunctionDef: define_function,
    ast.AsyncFunctionDef: define_function,
    ast.ClassDef: define_class,
    ast.Import: execute_import,
    ast.ImportFrom: execute_import_from,
    ast.Try: execute_try,
    ast.TryStar: execute_try,
    ast.With: execute_with,
    ast.AsyncWith: execute_with,
    ast.Raise: execute_raise,
    ast.Match: execute_match,
}
