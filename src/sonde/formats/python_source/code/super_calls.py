"""`super`: what classes behind this one define."""

from __future__ import annotations

import ast

from sonde.formats.python_source.code.arguments import evaluate_arguments, placed
from sonde.formats.python_source.code.body import PythonBody, class_object
from sonde.formats.python_source.code.dynamic import get_any, set_any
from sonde.formats.python_source.code.foreign import use_foreign
from sonde.formats.python_source.names.definitions import Class


def is_super(node: ast.expr) -> bool:
    """Whether an expression is a call of `super`."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def _behind(body: PythonBody, name: str) -> tuple[Class | None, dict[Class | None, None]]:
    """The class that `super` stands in, and those behind it that may define a name; None: of a library."""
    function = body.function
    assert function is not None
    owner, scope = function.owner, function.scope
    while owner is None and scope.parent is not None:  # a function inside of a method
        scope = scope.parent
        outer = body.package.functions.get(id(scope.node))
        owner = outer.owner if outer else None
    heirs = owner.heirs if owner else []
    return owner, dict.fromkeys(each.definer(name, owner) for each in heirs)


def super_attribute(body: PythonBody, node: ast.Attribute) -> int | None:
    """An attribute of what a class behind this one defines, without a call; None if it is another one."""
    function, writer = body.function, body.writer
    if not is_super(node.value) or function is None:
        return None
    receiver = body.load_name(function.receiver.arg) if function.receiver else writer.nothing
    found = body.with_content([receiver])
    for each in _behind(body, node.attr)[1]:
        if each is not None:
            held = writer.load(writer.address(class_object(each), body.offset(node.attr)))
            found.append(held)
            if node.attr in body.package.vocabulary.properties:
                found.append(writer.call(held, (receiver,)))
    return writer.join(found)


def call_super(body: PythonBody, node: ast.Call, name: str) -> int:
    """A call of what a class behind this one defines, in any order that its heirs have."""
    writer, function = body.writer, body.function
    assert function is not None
    owner, next_ones = _behind(body, name)
    given = evaluate_arguments(body, node)
    receiver = body.load_name(function.receiver.arg) if function.receiver else writer.nothing
    if owner is None:
        return use_foreign(body, f"super.{name}", given.all, given.nodes)
    results = []
    for each in next_ones:
        for method in each.functions.get(name, []) if each else []:
            operands = placed(body, given, method.layout, receiver)
            results.append(writer.call(writer.address(method.routine), operands))
    if None in next_ones and owner.has_foreign:
        results.append(use_foreign(body, f"super.{name}", (receiver, *given.all), given.nodes[:0]))
    elif None in next_ones and name == "__setattr__" and len(node.args) == 2:
        set_any(body, receiver, node.args[0], given.values[1])
    elif None in next_ones and name == "__getattribute__" and node.args:
        results.append(get_any(body, receiver, node.args[0]))
    elif None in next_ones:  # a class of the language: it keeps what it is given, and gives it back
        for value in given.all:
            writer.store(receiver, value)
        results.append(writer.compute("any", [*body.with_content([receiver]), *given.all]))
    return writer.join(results)
