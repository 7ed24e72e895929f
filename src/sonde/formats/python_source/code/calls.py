"""Calls: of functions and classes of the program, of methods, of values, and of libraries."""

from __future__ import annotations

import ast
import builtins

from sonde.formats.python_source.code.arguments import Arguments, call_unknown, evaluate_arguments, placed
from sonde.formats.python_source.code.body import PythonBody
from sonde.formats.python_source.code.command_line import add_argument, parsed_arguments, set_defaults
from sonde.formats.python_source.code.construction import class_value, construct
from sonde.formats.python_source.code.dynamic import get_any, set_any, variables_here, variables_of
from sonde.formats.python_source.code.foreign import foreign_name, use_foreign
from sonde.formats.python_source.code.imports import import_by_name
from sonde.formats.python_source.code.receivers import class_of_self, is_of_program
from sonde.formats.python_source.code.super_calls import call_super, is_super
from sonde.formats.python_source.names.definitions import Class, Foreign, PythonFunction
from sonde.formats.python_source.names.package import Module
from sonde.formats.python_source.names.scopes import Sort
from sonde.formats.python_source.names.vocabulary import last_name

EXITS = frozenset({"sys.exit", "exit", "quit", "os._exit", "SystemExit"})
READERS = {
    "add_argument": add_argument,
    "add_option": add_argument,
    "set_defaults": set_defaults,
    "add_subparsers": set_defaults,
    "parse_args": parsed_arguments,
    "parse_known_args": parsed_arguments,
}
UNFOLLOWED = frozenset({"exec", "eval", "compile"})
IMPORTING = frozenset({"__import__", "importlib.import_module"})
GETTING = frozenset({"getattr", "object.__getattribute__"})
SETTING = frozenset({"setattr", "object.__setattr__"})
BUILT_IN_METHODS = frozenset(
    name for kind in (str, bytes, list, dict, set, tuple, int, float, bytearray) for name in dir(kind)
)


def call(body: PythonBody, node: ast.Call) -> int:
    """What a call gives."""
    special = _special_form(body, node)
    if special is not None:
        return special
    meaning = body.package.meaning(node.func, body.scope)
    if isinstance(meaning, Foreign):
        return _foreign(body, node, foreign_name(meaning))
    if isinstance(meaning, PythonFunction):
        return _function(body, node, meaning)
    if isinstance(meaning, Class):
        return construct(body, meaning, evaluate_arguments(body, node))
    is_class = isinstance(node.func, ast.Attribute) and node.func.attr == "__class__"
    if isinstance(node.func, ast.Attribute) and not isinstance(meaning, Module) and not is_class:
        return _method(body, node, node.func)
    return _value(body, node)


def _function(body: PythonBody, node: ast.Call, function: PythonFunction) -> int:
    """A call of a function that is known."""
    given = evaluate_arguments(body, node)
    receiver = body.writer.nothing
    if function.owner is not None and function.receiver is not None:
        if function.is_decorated("classmethod"):
            receiver = class_value(body, function.owner)
        elif given.values:  # `Class.method(object, ...)`
            receiver = given.values[0]
            given = Arguments(given.values[1:], given.rest, given.named, given.any_name, given.nodes[1:])
        elif given.rest:
            receiver = body.writer.join(given.rest)
    operands = placed(body, given, function.layout, receiver)
    return body.writer.call(body.writer.address(function.routine), operands)


def _method(body: PythonBody, node: ast.Call, called: ast.Attribute) -> int:
    """A call of an attribute: of what the object may have there, and of libraries if it may be theirs."""
    package, writer, name = body.package, body.writer, called.attr
    base = body.value(called.value)
    if name in READERS and not package.vocabulary.is_known(name):
        return READERS[name](body, node, base)
    given = evaluate_arguments(body, node)
    if name == "__subclasses__":
        return _subclasses(body, package.meaning(called.value, body.scope))
    results: list[int] = []
    is_plain = base in body.plain or isinstance(called.value, ast.Constant)
    is_known = package.vocabulary.is_known(name) or package.meaning(called.value, body.scope) is not None
    if is_known and not is_plain:
        is_own = is_of_program(body, called.value, name)
        callee = body.attribute(base, name, is_own=True) if is_own else body.method(base, name)
        layouts = [each.layout for each in package.methods(name)]
        is_open = name in package.vocabulary.stored or not layouts
        results += call_unknown(body, callee, given, base, layouts, is_open=is_open)
        if name in package.vocabulary.stored or name in package.vocabulary.shared:
            results += _call_object(body, callee, given)
    is_built_in = name in BUILT_IN_METHODS and not is_of_program(body, called.value, name)
    if not results or is_built_in:
        nodes = (called.value, *given.nodes)
        results.append(use_foreign(body, f"object.{name}", (base, *given.all), nodes))
    return writer.join(results)


def _subclasses(body: PythonBody, owner: object) -> int:
    """What inherits from a class: any class of the program if that is not plain."""
    classes = owner.heirs if isinstance(owner, Class) else body.package.classes.values()
    return body.container([class_value(body, each) for each in classes])


def _value(body: PythonBody, node: ast.Call) -> int:
    """A call of a value: of what it may be."""
    package, writer = body.package, body.writer
    callee = body.value(node.func)
    given = evaluate_arguments(body, node)
    name = last_name(node.func) if isinstance(node.func, ast.Name) else ""
    layouts = [each.layout for each in package.functions.values() if getattr(each.node, "name", "") == name]
    results = call_unknown(body, callee, given, writer.nothing, layouts, is_open=True)
    return writer.join([*results, *_call_object(body, callee, given)])


def _call_object(body: PythonBody, callee: int, given: Arguments) -> list[int]:
    """What objects of the program give that can be called."""
    if "__call__" not in body.package.vocabulary.methods:
        return []
    method = body.attribute(callee, "__call__")
    layouts = [each.layout for each in body.package.methods("__call__")]
    return call_unknown(body, method, given, callee, layouts, is_open=True)


def _foreign(body: PythonBody, node: ast.Call, name: str) -> int:
    writer = body.writer
    if name in UNFOLLOWED:
        body.warn(node, f"`{name}` runs code that is not followed")
    given = evaluate_arguments(body, node)
    if name in EXITS and body.scope.sort is not Sort.CLASS and name != "SystemExit":
        status = given.values[0] if given.values else writer.nothing
        writer.call(writer.address("exit"), (status,), may_raise=False)
        writer.stop()
        return writer.nothing
    if name.endswith(("Error", "Exception", "Warning")) and hasattr(builtins, name):
        return body.container(given.all)
    if name == "print" and "file" in given.named:
        name = "object.write"
        body.special(given.named["file"], "write", (body.writer.join(given.values),))
        given = Arguments((given.named["file"], *(each for each in given.all if each != given.named["file"])))
    return use_foreign(body, name, given.all, given.nodes)


def _special_form(body: PythonBody, node: ast.Call) -> int | None:
    """Calls that the language treats in its own way."""
    func = node.func
    if isinstance(func, ast.Attribute) and is_super(func.value) and body.function:
        return call_super(body, node, func.attr)
    meaning = body.package.meaning(func, body.scope)
    if not isinstance(meaning, Foreign):
        return None
    name, count = meaning.name, len(node.args)
    if name in GETTING and count >= 2:
        base = body.value(node.args[0])
        more = [body.value(each) for each in node.args[2:]]
        return body.writer.join([get_any(body, base, node.args[1], node.args[0]), *more])
    if name in SETTING and count == 3:
        base, value = body.value(node.args[0]), body.value(node.args[2])
        set_any(body, base, node.args[1], value)
        return body.writer.nothing
    if name == "vars" and node.args:
        return variables_of(body, body.value(node.args[0]))
    if name in ("globals", "locals", "vars"):
        return variables_here(body, is_global=name == "globals")
    if name == "type" and count == 1:
        return type_of(body, node.args[0])
    if name in IMPORTING and node.args:
        return import_by_name(body, node)
    return None


def type_of(body: PythonBody, node: ast.expr) -> int:
    """The class of an object: any class of the program if that is not plain."""
    classes = list(body.package.classes.values())
    owner = class_of_self(body, node)
    if owner is not None:
        classes = owner.heirs
    value = body.value(node)
    return body.writer.compute("type", [value, *(class_value(body, each) for each in classes)])
