"""Which objects surely are of the program, so that no library is called by their methods."""

from __future__ import annotations

import ast

from sonde.formats.python_source.code.body import PythonBody
from sonde.formats.python_source.names.definitions import Class
from sonde.formats.python_source.names.package import Package


def is_of_program(body: PythonBody, node: ast.expr, attribute: str) -> bool:
    """Whether an expression surely gives an object of a class of the program that has this attribute."""
    owner = class_of_self(body, node)
    if owner is not None:
        return not owner.has_foreign and any(attribute in each.all_attributes for each in owner.heirs)
    if isinstance(node, ast.Call):
        return isinstance(body.package.meaning(node.func, body.scope), Class)
    if isinstance(node, ast.Attribute):
        found = assigned_to_attribute(body.package, node.attr)
        return bool(found) and all(_is_made(body, each) for each in found)
    if isinstance(node, ast.Name):
        scope = body.scope.find(node.id)
        bound = scope.bound.get(node.id, []) if scope else []
        return bool(bound) and all(
            _is_assigned_new(body, each, scope.node if scope else node) for each in bound
        )
    return False


def class_of_self(body: PythonBody, node: ast.expr) -> Class | None:
    """The class, if an expression is the receiver of the method that it stands in."""
    function = body.function
    while function is not None and function.owner is None:  # a function inside of a method
        outer = function.scope.parent
        function = body.package.functions.get(id(outer.node)) if outer else None
    if function is None or function.receiver is None or not isinstance(node, ast.Name):
        return None
    scope = body.scope.find(node.id)
    if scope is not function.scope or node.id != function.receiver.arg:
        return None
    return function.owner if len(function.scope.bound[node.id]) == 1 else None


def _is_assigned_new(body: PythonBody, bound: ast.AST, scope: ast.AST) -> bool:
    """Whether an object of a class is made where a name is bound."""
    for each in ast.walk(scope):
        if isinstance(each, ast.Assign) and any(target is bound for target in each.targets):
            return _is_made(body, each.value)
    return False


def _is_made(body: PythonBody, node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return node.value is None
    return isinstance(node, ast.Call) and isinstance(body.package.meaning(node.func, body.scope), Class)


def assigned_to_attribute(package: Package, name: str) -> list[ast.expr]:
    """All expressions that the program assigns to attributes of a name; nothing if it does so otherwise."""
    if not package.assigned:
        for module in package.modules.values():
            for each in ast.walk(module.source.tree):
                if isinstance(each, ast.Attribute) and not isinstance(each.ctx, ast.Load):
                    package.assigned.setdefault(each.attr, []).append(None)
                elif isinstance(each, ast.Assign) and len(each.targets) == 1:
                    target = each.targets[0]
                    if isinstance(target, ast.Attribute):
                        package.assigned.setdefault(target.attr, []).append(each.value)
    found = package.assigned.get(name, [])
    values = [each for each in found if each is not None]
    return values if 2 * len(values) == len(found) else []  # each plain assignment is met twice
