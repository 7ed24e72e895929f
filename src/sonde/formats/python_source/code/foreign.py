"""Calls of what the program does not define: libraries, the language itself, and what they call back."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from sonde.formats.python_source.code.body import KnownExpression, PythonBody
from sonde.formats.python_source.code.dynamic import GET_ANY
from sonde.formats.python_source.names.definitions import Class, Foreign, PythonFunction
from sonde.formats.python_source.names.known_functions import (
    CALLING,
    COMPARING,
    FINDING,
    GATHERING,
    GIVING,
    INSIDE,
    ITERATING,
    OF_PYTHON,
    SILENT,
    SPECIAL,
)

DATA = (
    *(ast.Constant, ast.JoinedStr, ast.BinOp, ast.Compare, ast.List, ast.Dict, ast.Set, ast.Tuple),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.UnaryOp, ast.Subscript),
)


def use_foreign(body: PythonBody, name: str, values: Sequence[int], nodes: Sequence[ast.expr]) -> int:
    """What a function of a library gives; `nodes` are the expressions of the values, as far as there are."""
    writer = body.writer
    results = [each for value in values for each in _special(body, name, value)]
    results += _asked_inside(body, name, values, nodes)
    called = [value for value, node in zip(values, nodes, strict=False) if may_be_called(body, node)]
    if not _is_well_known(name):
        called += [each for value in values if value >= 0 for each in _inside(body, value)]
    result = _gathered(body, name, values) if name in GATHERING else writer.use(name, values)
    for each in results if name in INSIDE else ():
        writer.store(result, each)
    for each in body.compare(values) if name.rpartition(".")[2] in FINDING else ():
        results.append(each)
        if name.startswith("object.") and values[0] >= 0:
            writer.store(values[0], each)
    if called and name not in SILENT and not name.startswith("object.is"):
        others = body.with_content(values)
        given = writer.compute("any", [*others, *(body.content(each) for each in others if each >= 0)][:40])
        for value in called:
            back = writer.call(value, (given,) * (1 + body.package.vocabulary.slots))
            results.append(back)
            writer.store(result, back)
            for each in values if name not in GIVING else ():
                if each >= 0 and each != value:
                    writer.store(each, back)
            if name not in CALLING:
                writer.use("later", (value,), may_raise=False)
    return writer.join([result, *results])


def _gathered(body: PythonBody, name: str, values: Sequence[int]) -> int:
    """A call by which a container comes to hold what others do: element by element, nothing else of them."""
    writer = body.writer
    result = writer.use(f"{GATHERING[name]}.{name}", values)
    is_method = GATHERING[name] == "extended"
    target = values[0] if is_method and values else result
    for each in values[1:] if is_method else values:
        for value in [each] if is_method or name == "dict" else []:
            writer.store(target, value)
        if each >= 0 and target >= 0:
            writer.store(target, body.content(each))
    return result


def _inside(body: PythonBody, value: int) -> tuple[int, int]:
    """What a container holds, and the methods of an object."""
    methods = body.writer.call(body.writer.address(GET_ANY), (body.writer.nothing, value))
    return body.content(value), methods


def _is_well_known(name: str) -> bool:
    """Whether it calls nothing that a container holds: methods of libraries, and what is part of Python."""
    return name in SILENT | CALLING or name.partition(".")[0] in OF_PYTHON


def _asked_inside(body: PythonBody, name: str, values: Sequence[int], nodes: Sequence[ast.expr]) -> list[int]:
    """What elements give where a function of the language is handed over: `map(str, values)`."""
    found: list[int] = []
    for node in nodes if name not in SILENT else ():
        meaning = body.package.meaning(node, body.scope) if isinstance(node, ast.Name) else None
        for method in SPECIAL.get(meaning.name, ()) if isinstance(meaning, Foreign) else ():
            for value in values:
                found += body.special(body.content(value), method) if value >= 0 else []
    return found


def _special(body: PythonBody, name: str, value: int) -> list[int]:
    """What methods of the program give that a function of the language calls."""
    if value < 0:
        return []
    found: list[int] = []
    last = name.rpartition(".")[2]
    for method in SPECIAL.get(name, ()):
        for each in [value, body.content(value)] if name in INSIDE else [value]:
            found += body.special(each, method, (each,) if method in ("__add__", "__radd__") else ())
    if name in SPECIAL and name != "sum":
        return found
    if name not in SILENT or last in ("list", "tuple", "set", "sorted", "sum", "any", "all", "enumerate"):
        for method in ITERATING:
            found += body.special(value, method)
    if last in ("sorted", "min", "max", "sort", "heappush", "heappop", "insort", "set", "index", "count"):
        element = body.content(value)
        for method in COMPARING:
            found += body.special(element, method, (element,))
    if last in ("map", "filter", "zip", "dict", "extend", "update", "join"):
        found += body.special(value, "__iter__")
        found += body.special(value, "__next__")
    return found


def may_be_called(body: PythonBody, node: ast.expr) -> bool:
    """Whether an expression may give something that can be called."""
    if isinstance(node, ast.Lambda | ast.Call | ast.IfExp | ast.BoolOp | ast.Starred | KnownExpression):
        return True
    if isinstance(node, ast.Attribute):
        return body.package.vocabulary.is_known(node.attr)
    if not isinstance(node, ast.Name):
        return False
    owner = body.scope.find(node.id)
    if owner is None:
        return False
    meaning = body.package.named(node.id, body.scope)
    if meaning is not None:
        return isinstance(meaning, PythonFunction | Class)
    return any(not _is_data(each, node.id, owner.node) for each in owner.bound.get(node.id, ()))


def _is_data(bound: ast.AST, name: str, scope: ast.AST) -> bool:
    """Whether what is bound here is surely no function."""
    if not isinstance(bound, ast.Name):
        return False
    for each in ast.walk(scope):
        if isinstance(each, ast.Assign) and any(target is bound for target in each.targets):
            return isinstance(each.value, DATA)
        if isinstance(each, ast.AugAssign) and each.target is bound:
            return True
    return False


def foreign_name(meaning: Foreign) -> str:
    """The name by which models know it: without the module where the language knows it by itself."""
    return meaning.name.removeprefix("builtins.")
