"""Functions: as values, and as routines."""

from __future__ import annotations

import ast

from sonde.core.code import Variable
from sonde.formats.python_source.code.arguments import keyword
from sonde.formats.python_source.code.body import PythonBody, Unfinished
from sonde.formats.python_source.code.construction import class_value
from sonde.formats.python_source.code.targets import loop_over
from sonde.formats.python_source.code.writer import REFERENCE, Writer
from sonde.formats.python_source.names.definitions import PythonFunction, walk_own
from sonde.formats.python_source.names.vocabulary import FUNCTIONS, last_name

CACHING = frozenset({"lru_cache", "cache", "cached_property"})
KEPT = "<kept>"


def function_value(body: PythonBody, function: PythonFunction) -> int:
    """A function as a value; its defaults are evaluated now, its body is read later."""
    writer, node = body.writer, function.node
    if function not in body.unit.waiting:
        body.unit.waiting.append(function)
    if not isinstance(node, ast.GeneratorExp):
        arguments = node.args
        positional = [*arguments.posonlyargs, *arguments.args]
        with_default = positional[len(positional) - len(arguments.defaults) :]
        pairs = [*zip(with_default, arguments.defaults, strict=True)]
        named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
        pairs += [(name, default) for name, default in named if default is not None]
        for parameter, default in pairs:
            if isinstance(default, ast.Constant) and isinstance(default.value, int | float | None):
                # It is there before anything can ask for it, wherever the function stands.
                body.unit.begin_with(default_of(function, parameter.arg), repr(default.value))
                continue
            where = writer.address(body.unit.variable(default_of(function, parameter.arg)))
            writer.store(where, body.value(default))
        for decorator in _caches(function):
            values = [body.value(each) for each in _arguments(decorator)]
            writer.store(writer.address(body.unit.variable(default_of(function, KEPT))), writer.join(values))
    parts = [writer.address(function.routine)]
    name = getattr(node, "name", "")
    if not function.is_plain or name in body.package.vocabulary.carriers:
        parts.append(writer.address(body.unit.object(f"{function.routine}.<function>")))
    return writer.compute("function", parts)


def default_of(function: PythonFunction, parameter: str) -> str:
    """The global with the default of a parameter."""
    return f"{function.routine}.<default {parameter}>"


def write_function(unit: Unfinished, function: PythonFunction) -> None:
    """Read the body of a function into a routine."""
    node, layout = function.node, function.layout
    line = getattr(node, "lineno", 0)
    writer = Writer(function.routine, function.scope.qualname, unit.file, line, layout.count)
    body = PythonBody(unit, writer, function.scope, function)
    for name in function.scope.bound:
        if name not in function.scope.captured and name not in function.scope.of_outer:
            body.place_of(name)
    _take_parameters(body, function)
    _ask_cache(body, function)
    is_generator = isinstance(node, ast.GeneratorExp) or any(
        isinstance(each, ast.Yield | ast.YieldFrom)
        for each in (walk_own(node.body) if isinstance(node, FUNCTIONS) else ())
    )
    if is_generator or isinstance(node, ast.AsyncFunctionDef):
        writer.use("later", (writer.address(function.routine),), may_raise=False)
    if is_generator:
        body.made = writer.new_object()
    if isinstance(node, ast.GeneratorExp):
        assert body.made is not None
        made, element = body.made, node.elt
        loop_over(body, node.generators, 1, lambda: writer.store(made, body.value(element)))
        writer.give(made)
    elif isinstance(node, ast.Lambda):
        writer.give(body.value(node.body))
    else:
        unit.execute(body, node.body)
        writer.give(writer.nothing if body.made is None else body.made)
    if body.returning is not None and body.result is not None:
        writer.begin(body.returning)
        writer.give(writer.load(body.result) if body.made is None else body.made)
    unit.routines.append(writer.routine())


def _take_parameters(body: PythonBody, function: PythonFunction) -> None:
    """What comes to each parameter: arguments, its default, and what is named where nobody knows it."""
    writer, layout, node = body.writer, function.layout, function.node
    if isinstance(node, ast.GeneratorExp):
        return
    vocabulary = body.package.vocabulary
    _take_receiver(body, function)
    defaults = _with_default(node.args)
    by_mapping = [keyword("**")] if "**" in vocabulary.keywords else []
    names = [*enumerate(layout.positional, 1), *enumerate(layout.named, 1 + layout.places)]
    for number, name in names:
        channels = [*([keyword(name)] if name in vocabulary.keywords else []), *by_mapping]
        if name in defaults:
            channels.append(default_of(function, name))
        loads = [writer.load(writer.address(body.unit.variable(each))) for each in channels]
        places = [number - 1, number] if function.may_become_method else [number]
        body.store_name(name, writer.join([*places, *loads]))
        writer.variables[number] = Variable(name, REFERENCE)
    if node.args.vararg is not None:
        rest = range(1 + len(layout.positional), 1 + layout.places)
        body.store_name(node.args.vararg.arg, body.container(rest))
    if node.args.kwarg is not None:
        channels = [keyword("any"), *by_mapping]
        loads = [writer.load(writer.address(body.unit.variable(each))) for each in channels]
        body.store_name(node.args.kwarg.arg, body.container([layout.keywords, *loads]))


def _ask_cache(body: PythonBody, function: PythonFunction) -> None:
    """What a decorator keeps is not computed again: it decides whether the function is executed."""
    writer = body.writer
    for decorator in _caches(function):
        kept = writer.load(writer.address(body.unit.variable(default_of(function, KEPT))))
        known, further = writer.new_block(), writer.new_block()
        writer.branch(writer.judge(f"kept by {last_name(decorator)}", (kept,)), known, further)
        writer.begin(known)
        writer.give(writer.nothing)
        writer.begin(further)


def _caches(function: PythonFunction) -> list[ast.expr]:
    decorators: list[ast.expr] = getattr(function.node, "decorator_list", [])
    return [each for each in decorators if last_name(each) in CACHING]


def _arguments(node: ast.expr) -> list[ast.expr]:
    return [*node.args, *(each.value for each in node.keywords)] if isinstance(node, ast.Call) else []


def _take_receiver(body: PythonBody, function: PythonFunction) -> None:
    receiver, writer = function.receiver, body.writer
    if receiver is None or function.owner is None:
        return
    name = getattr(function.node, "name", "")
    values = [0]
    if name in body.package.vocabulary.detached:
        values.append(writer.load(writer.address(body.unit.variable(f"receivers of {name}"))))
    if function.is_decorated("classmethod") or name in ("__new__", "__init_subclass__"):
        values += [class_value(body, each) for each in function.owner.heirs]
    body.store_name(receiver.arg, writer.join(values))
    writer.variables[0] = Variable(receiver.arg, REFERENCE)


def _with_default(arguments: ast.arguments) -> set[str]:
    positional = [*arguments.posonlyargs, *arguments.args]
    found = {each.arg for each in positional[len(positional) - len(arguments.defaults) :]}
    pairs = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    return found | {each.arg for each, default in pairs if default is not None}
