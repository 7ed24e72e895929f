"""`try`, `with` and `raise`: where control goes when something fails, and what is executed in any case."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterator, Sequence

from sonde.core.code import Constant, Kind
from sonde.formats.python_source.code.body import PythonBody
from sonde.formats.python_source.code.targets import assign
from sonde.formats.python_source.names.definitions import Class
from sonde.formats.python_source.names.vocabulary import CATCHING_ALL, last_name


def leave(body: PythonBody, target: int, depth: int = 0) -> None:
    """Go to a block; what must be executed in any case before that is, down to some depth."""
    writer = body.writer
    if len(body.finals) <= depth:
        writer.jump(target)
        writer.finish()
        return
    inner, block = body.finals[-1], writer.new_block()
    inner(block)
    writer.begin(block)
    finals = body.finals
    body.finals = finals[:-1]
    leave(body, target, depth)
    body.finals = finals


def execute_try(body: PythonBody, node: ast.Try) -> None:
    """`try` with its handlers, `else` and `finally`."""
    if node.finalbody:
        protect(body, lambda: _handle(body, node), lambda: body.unit.execute(body, node.finalbody))
    else:
        _handle(body, node)


def protect(body: PythonBody, inside: Callable[[], None], final: Callable[[], Sequence[int] | None]) -> None:
    """Execute something, and something else after it in any case; what that gives may forgive what failed."""
    writer = body.writer
    landing, last, end = writer.new_block(), writer.new_block(), writer.new_block()
    pending = writer.local("<finally>")
    targets: list[int] = []

    def wait_for(block: int) -> None:
        targets.append(block)
        writer.store(pending, writer.operand(Constant(f"int {len(targets)}")))
        writer.jump(last)

    body.finals.append(wait_for)
    writer.landings.append(landing)
    inside()
    writer.landings.pop()
    wait_for(end)
    writer.begin(landing)
    thrown = writer.emit(Kind.COMPUTE, (), "landingpad python")
    failing = writer.new_block()
    wait_for(failing)
    body.finals.pop()
    writer.begin(last)
    forgiving = final()
    for number, target in enumerate(targets[:-1], 1):
        further = writer.new_block()
        held = (writer.load(pending), writer.operand(Constant(f"int {number}")))
        writer.branch(writer.judge("finally", held), target, further)
        writer.begin(further)
    writer.jump(targets[-1])
    writer.begin(failing)
    _forgive(body, [thrown, *forgiving] if forgiving else [], end)
    throw(body, thrown)
    writer.begin(end)


def _forgive(body: PythonBody, values: Sequence[int], end: int) -> None:
    """Go on at the end, as these values say, instead of failing."""
    if values:
        failing = body.writer.new_block()
        body.writer.branch(body.writer.judge("forgiven", values), end, failing)
        body.writer.begin(failing)


def _handle(body: PythonBody, node: ast.Try) -> None:
    writer = body.writer
    if not node.handlers:
        body.unit.execute(body, [*node.body, *node.orelse])
        return
    landing, end = writer.new_block(), writer.new_block()
    writer.landings.append(landing)
    body.unit.execute(body, node.body)
    writer.landings.pop()
    body.unit.execute(body, node.orelse)
    writer.jump(end)
    writer.begin(landing)
    thrown = writer.emit(Kind.COMPUTE, (), "landingpad python")
    for handler in node.handlers:
        writer.at = handler.lineno
        inside, further = writer.new_block(), writer.new_block()
        is_last = not CATCHING_ALL.isdisjoint(_names(handler.type))
        if is_last:
            writer.jump(inside)
        else:
            kinds = [body.value(each) for each in _kinds(handler.type)]
            asked = [*body.with_content([thrown]), *kinds]
            writer.branch(writer.judge("except", asked), inside, further)
        writer.begin(inside)
        if handler.name:
            body.store_name(handler.name, thrown)
        body.unit.execute(body, handler.body)
        writer.jump(end)
        writer.begin(further)
    throw(body, thrown)
    writer.begin(end)


def _names(node: ast.expr | None) -> set[str]:
    if node is None:
        return {""}
    return {last_name(each) for each in _kinds(node)}


def _kinds(node: ast.expr | None) -> list[ast.expr]:
    if node is None:
        return []
    return node.elts if isinstance(node, ast.Tuple) else [node]


def throw(body: PythonBody, value: int) -> None:
    """Something fails: control goes to the next handler."""
    writer = body.writer
    callee = writer.address("python.raise")
    if writer.landings:
        after = writer.new_block()
        writer.emit(Kind.CALL, (callee, value), "call", (after, writer.landings[-1]))
        writer.begin(after)
    else:
        writer.emit(Kind.CALL, (callee, value), "call")
    writer.stop()


def execute_raise(body: PythonBody, node: ast.Raise) -> None:
    """`raise`; what no handler of the program is for only fails."""
    writer = body.writer
    value = body.value(node.exc) if node.exc is not None else writer.nothing
    if node.cause is not None:
        writer.store(value, body.value(node.cause))
    if node.exc is not None and not _is_caught(body, node.exc):
        writer.use("fail", (value,), may_raise=False)
        writer.stop()
        return
    throw(body, value)


def _is_caught(body: PythonBody, node: ast.expr) -> bool:
    """Whether some handler may be for an exception."""
    caught = body.package.vocabulary.caught
    if not CATCHING_ALL.isdisjoint(caught):
        return True
    named = node.func if isinstance(node, ast.Call) else node
    meaning = body.package.meaning(named, body.scope)
    if isinstance(meaning, Class):
        return not caught.isdisjoint(_all_names(meaning))
    builtin = getattr(builtins, last_name(named), None)
    if not isinstance(builtin, type) or not isinstance(named, ast.Name):
        return True
    return not caught.isdisjoint(each.__name__ for each in builtin.__mro__)


def _all_names(made: Class) -> Iterator[str]:
    for each in made.order:
        yield each.node.name
        for base in each.node.bases:
            builtin = getattr(builtins, last_name(base), None)
            names = builtin.__mro__ if isinstance(builtin, type) else ()
            yield from (last_name(base), *(one.__name__ for one in names))


def execute_with(body: PythonBody, node: ast.With | ast.AsyncWith) -> None:
    """`with`: the object is entered, and left in any case."""
    _enter(body, list(node.items), node)


def _enter(body: PythonBody, items: list[ast.withitem], node: ast.With | ast.AsyncWith) -> None:
    if not items:
        body.unit.execute(body, node.body)
        return
    item, writer = items[0], body.writer
    if isinstance(item.context_expr, ast.Call) and last_name(item.context_expr) == "suppress":
        _suppress(body, item.context_expr, lambda: _enter(body, items[1:], node))
        return
    value = body.value(item.context_expr)
    given = [*body.special(value, "__enter__"), *body.special(value, "__aenter__")]
    if item.optional_vars is not None:
        assign(body, item.optional_vars, writer.compute("entered", [value, body.content(value), *given]))
    methods = body.package.vocabulary.methods
    if "__exit__" not in methods and "__aexit__" not in methods:
        _enter(body, items[1:], node)
        return
    nothing = (writer.nothing,) * 3

    def exit_it() -> list[int]:
        return [each for name in ("__exit__", "__aexit__") for each in body.special(value, name, nothing)]

    protect(body, lambda: _enter(body, items[1:], node), exit_it)


def _suppress(body: PythonBody, node: ast.Call, inside: Callable[[], None]) -> None:
    """`contextlib.suppress`: what fails in a way that is named goes on behind the `with`."""
    writer = body.writer
    kinds = [body.value(each) for each in node.args]
    landing, end = writer.new_block(), writer.new_block()
    writer.landings.append(landing)
    inside()
    writer.landings.pop()
    writer.jump(end)
    writer.begin(landing)
    thrown = writer.emit(Kind.COMPUTE, (), "landingpad python")
    _forgive(body, [thrown, *kinds], end)
    throw(body, thrown)
    writer.begin(end)
