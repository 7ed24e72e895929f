"""Attributes whose name is computed."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from sonde.formats.python_source.code.body import PythonBody
from sonde.formats.python_source.code.receivers import class_of_self
from sonde.formats.python_source.names.package import Module

MOST_BY_PREFIX = 200
MOST_OF_SELF = 400
GET_ANY, SET_ANY = "<any attribute>", "<set any attribute>"  # routines of the whole program


def get_any(body: PythonBody, base: int, name: ast.expr, node: ast.expr | None = None) -> int:
    """An attribute by a name that may be computed; `node` is the expression of the object."""
    writer = body.writer
    if isinstance(name, ast.Constant) and isinstance(name.value, str):
        return body.attribute(base, name.value)
    value = body.value(name)
    known = _with_prefix(body, name) or _of_self(body, node)
    if known is not None:
        found = [body.attribute(base, each) for each in known]
    else:
        found = [writer.call(writer.address(GET_ANY), (writer.nothing, base))]
    return writer.compute("attribute", [base, body.content(base), value, *found])


def set_any(body: PythonBody, base: int, name: ast.expr, value: int) -> None:
    """Assign to an attribute by a name that may be computed."""
    writer = body.writer
    if isinstance(name, ast.Constant) and isinstance(name.value, str):
        body.set_attribute(base, name.value, value)
        return
    value = writer.compute("any", (value, body.value(name)))
    writer.call(writer.address(SET_ANY), (writer.nothing, base, value))


def variables_of(body: PythonBody, base: int) -> int:
    """All attributes of an object as a container; what is put there becomes an attribute."""
    writer = body.writer
    found = body.container([writer.call(writer.address(GET_ANY), (writer.nothing, base)), body.content(base)])
    writer.call(writer.address(SET_ANY), (writer.nothing, base, body.content(found)))
    return found


def variables_here(body: PythonBody, *, is_global: bool) -> int:
    """All variables of the module, or of the function that the code stands in, as a container."""
    if is_global or body.function is None:
        return body.container(variables_in(body, body.unit.module))
    return body.container([body.load_name(name) for name in body.function.scope.bound])


def variables_in(body: PythonBody, module: Module) -> list[int]:
    """The variables of a module that texts of the program name; all if there is none."""
    names = list(module.scope.bound)
    return named_in(body, module, [each for each in names if body.package.texts.may_name(each)] or names)


def named_in(body: PythonBody, module: Module, names: Iterable[str]) -> list[int]:
    """These variables of a module."""
    writer = body.writer
    return [writer.load(writer.address(f"{module.name}.{name}")) for name in names]


def _of_self(body: PythonBody, node: ast.expr | None) -> list[str] | None:
    """The attributes of the object whose method this is; None if it is another one, or has too many."""
    owner = class_of_self(body, node) if node is not None else None
    if owner is None or owner.has_foreign:
        return None
    vocabulary = body.package.vocabulary
    found = {name for each in owner.heirs for name in each.all_attributes} | vocabulary.stored
    known = sorted(each for each in found if vocabulary.is_known(each))
    return known if len(known) <= MOST_OF_SELF else None


def _with_prefix(body: PythonBody, name: ast.expr) -> list[str] | None:
    """The attributes that a name may mean which begins with a text; None if there are too many."""
    first: ast.expr | None = None
    if isinstance(name, ast.Call) and isinstance(name.func, ast.Attribute) and not name.args:
        return _with_prefix(body, name.func.value)  # `.lower()` and the like
    if isinstance(name, ast.Name):
        made = _only_value(body, name)
        return None if made is None else _with_prefix(body, made)
    if isinstance(name, ast.JoinedStr) and name.values:
        first = name.values[0]
    elif isinstance(name, ast.BinOp) and isinstance(name.op, ast.Add | ast.Mod):
        first = name.left
    if not isinstance(first, ast.Constant) or not isinstance(first.value, str):
        return None
    prefix = first.value.partition("%")[0].lower()
    known = body.package.vocabulary
    found = [each for each in known.attributes if each.lower().startswith(prefix) and known.is_known(each)]
    return found if prefix and 0 < len(found) <= MOST_BY_PREFIX else None


def _only_value(body: PythonBody, name: ast.Name) -> ast.expr | None:
    """The expression that a variable of this routine is bound to, if that is only one."""
    owner = body.scope.find(name.id)
    bound = owner.bound.get(name.id, []) if owner else []
    if owner is None or owner is not body.scope or len(bound) != 1:
        return None
    for each in ast.walk(owner.node):
        if isinstance(each, ast.Assign) and any(target is bound[0] for target in each.targets):
            return None if isinstance(each.value, ast.Name) else each.value
    return None
