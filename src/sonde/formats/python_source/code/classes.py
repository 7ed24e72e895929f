"""The statement that makes a class, and decorators."""

from __future__ import annotations

import ast

from sonde.formats.python_source.code.body import KnownExpression, PythonBody, class_object
from sonde.formats.python_source.code.construction import class_routines, class_value, inherit
from sonde.formats.python_source.code.foreign import use_foreign
from sonde.formats.python_source.code.functions import function_value
from sonde.formats.python_source.names.definitions import Foreign, is_setter
from sonde.formats.python_source.names.vocabulary import TRANSPARENT, is_property, last_name, setter


def define_function(body: PythonBody, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    """`def`: the name means what the decorators make of the function."""
    function = body.package.functions[id(node)]
    value = _decorated(body, node.decorator_list, function_value(body, function))
    if function.owner is not None and is_setter(node):
        where = body.writer.address(class_object(function.owner), body.offset(setter(node.name)))
        body.writer.store(where, value)
    else:
        body.store_name(node.name, value)


def define_class(body: PythonBody, node: ast.ClassDef) -> None:
    """`class`: its body is executed here, and what it binds are attributes."""
    made, writer = body.package.classes[id(node)], body.writer
    object = writer.address(body.unit.object(class_object(made), made.scope.qualname))
    inherited = [name for name in made.all_attributes if name not in made.attributes]
    inherit(body, made, object, inherited)
    for each in (*node.bases, *(keyword.value for keyword in node.keywords)):
        body.value(each)
    outer = body.scope
    body.scope = made.scope
    body.unit.execute(body, node.body)
    body.scope = outer
    if made.has_base:
        for name in sorted(made.attributes - made.functions.keys()):
            writer.store(object, writer.load(writer.address(class_object(made), body.offset(name))))
    for name in sorted(made.attributes - made.functions.keys()):
        held = writer.load(writer.address(class_object(made), body.offset(name)))
        body.special(held, "__set_name__", (class_value(body, made), writer.nothing))
    for above in made.order[1:]:
        for function in above.functions.get("__init_subclass__", []):
            writer.call(writer.address(function.routine), (class_value(body, made),))
    body.store_name(node.name, _decorated(body, node.decorator_list, class_value(body, made)))
    class_routines(body.unit, made)


def _decorated(body: PythonBody, decorators: list[ast.expr], value: int) -> int:
    for each in reversed(decorators):
        if last_name(each) in TRANSPARENT or is_property(each):
            if isinstance(each, ast.Call):
                body.value(each.func)
            continue
        node = ast.copy_location(ast.Call(each, [KnownExpression(value)], []), each)
        made = body.value(node)
        if isinstance(each, ast.Call) and _is_of_library(body, each.func):
            _keep(body, each.func, value)
        value = made
    return value


def _keep(body: PythonBody, called: ast.expr, value: int) -> None:
    """A library may keep what it decorates, with the object whose method does so, and call it later."""
    values = [value]
    is_method = body.package.meaning(called, body.scope) is None
    if isinstance(called, ast.Attribute) and is_method:
        values.append(body.value(called.value))
    use_foreign(body, "decorator", values, [KnownExpression(each) for each in values])


def _is_of_library(body: PythonBody, node: ast.expr) -> bool:
    meaning = body.package.meaning(node, body.scope)
    if meaning is None and isinstance(node, ast.Attribute):
        return not body.package.vocabulary.is_known(node.attr)
    return isinstance(meaning, Foreign)
