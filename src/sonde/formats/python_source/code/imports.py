"""Imports: the module is executed, and a name is bound to it or to something in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from sonde.core.code import Constant
from sonde.formats.python_source.code.body import PythonBody, body_routine, module_object
from sonde.formats.python_source.code.dynamic import named_in, variables_in
from sonde.formats.python_source.sources import PythonSource


def execute_import(body: PythonBody, node: ast.Import) -> None:
    """`import a.b as c`."""
    for each in node.names:
        _run(body, each.name)
        name = each.asname or each.name.partition(".")[0]
        body.store_name(name, _module(body, each.name if each.asname else name))


def execute_import_from(body: PythonBody, node: ast.ImportFrom) -> None:
    """`from a import b`: a name of the module, or a module inside of it."""
    home = body.package.absolute(node, body.unit.module.name)
    _run(body, home)
    module = body.package.modules.get(home)
    for each in node.names:
        if each.name == "*":
            continue
        inner, values = f"{home}.{each.name}", []
        is_bound = module is not None and each.name in module.scope.bound
        if is_bound and module is not body.unit.module:
            values.append(body.writer.load(body.writer.address(inner)))
        if not values or inner in body.package.modules:
            _run(body, inner)
            values.append(_module(body, inner))
        body.store_name(each.asname or each.name, body.writer.join(values))


def import_by_name(body: PythonBody, node: ast.Call) -> int:
    """`import_module(name)`: the module if the name is plain, else those that texts of the program name.

    So it is with what is looked up there by a computed name. Other modules are those of libraries.
    """
    given = [body.value(each) for each in node.args]
    package = body.package
    listed = package.texts.listed if isinstance(node.args[0], ast.Name) else {}
    names = _importable(body, node.args[0], listed)
    held: list[int] = []
    for each in names:
        _run(body, each)
        module = package.modules[each]
        held += named_in(body, module, listed[each]) if each in listed else variables_in(body, module)
    found = [_module(body, each) for each in names]
    rest = body.container(held) if names else body.foreign_value("module")
    return body.writer.compute("module", [*found, rest, *given])


def _importable(body: PythonBody, name: ast.expr, listed: Mapping[str, Sequence[str]]) -> list[str]:
    """The modules that a name may mean: those of whole paths in texts, else those that some word is for."""
    modules = body.package.modules
    if isinstance(name, ast.Constant) and isinstance(name.value, str) and not name.value.startswith("."):
        return [name.value] if name.value in modules else []
    spelled = [each for each in modules if body.package.texts.may_name(each.rpartition(".")[2])]
    return list(listed) or spelled or list(modules)


def _run(body: PythonBody, name: str) -> None:
    """Execute the module and the packages that it lies in; what is executed already is not told apart."""
    writer = body.writer
    parts = name.split(".")
    known = [".".join(parts[:n]) for n in range(1, len(parts) + 1)]
    for each in known:
        if each in body.package.modules and each != body.unit.module.name:
            writer.call(writer.address(body_routine(each)), ())
    if known[-1] not in body.package.modules and writer.landings:
        writer.use("may_raise", (writer.operand(Constant(f"module {name}")),))


def _module(body: PythonBody, name: str) -> int:
    if name in body.package.modules:
        return body.writer.address(module_object(name))
    return body.foreign_value(name)


class Simplifying(ast.NodeTransformer):
    """Writes some forms in terms of others: `functools.partial` as a lambda, `import *` with the names."""

    def __init__(self, source: PythonSource, names: dict[str, list[str]]) -> None:
        self.source, self.names = source, names

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        func = node.func
        name = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
        if name == "methodcaller" and node.args and isinstance(node.args[0], ast.Constant):
            return _calling(node, str(node.args[0].value))
        if name not in ("partial", "MethodType") or not node.args or isinstance(node.args[0], ast.Starred):
            return node
        called = ast.Call(
            node.args[0],
            [*node.args[1:], ast.Starred(ast.Name("further", ast.Load()), ast.Load())],
            [*node.keywords, ast.keyword(None, ast.Name("named", ast.Load()))],
        )
        parameters = ast.arguments([], [], ast.arg("further"), [], [], ast.arg("named"), [])
        made = ast.Lambda(parameters, called)
        for each in ast.walk(made):
            if not hasattr(each, "lineno"):
                ast.copy_location(each, node)
        return ast.copy_location(made, node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        if [each.name for each in node.names] != ["*"]:
            return node
        parts = self.source.module.split(".")
        if not self.source.is_package:
            parts = parts[:-1]
        base = parts[: len(parts) - node.level + 1] if node.level else []
        home = ".".join([*base, *([node.module] if node.module else [])])
        if not self.names.get(home):
            return node
        return ast.copy_location(
            ast.ImportFrom(node.module, [ast.alias(each) for each in self.names[home]], node.level), node
        )


def _calling(node: ast.Call, name: str) -> ast.AST:
    """`methodcaller(name, ...)` as a lambda."""
    target = ast.Attribute(ast.Name("target", ast.Load()), name, ast.Load())
    parameters = ast.arguments([], [ast.arg("target")], None, [], [], None, [])
    made = ast.Lambda(parameters, ast.Call(target, node.args[1:], node.keywords))
    for each in ast.walk(made):
        if not hasattr(each, "lineno"):
            ast.copy_location(each, node)
    return ast.copy_location(made, node)


def public_names(tree: ast.Module) -> Iterator[str]:
    """What `import *` takes from a module, as far as it stands there plainly."""
    for each in ast.walk(tree):
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield each.name
        elif isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            yield each.id
        elif isinstance(each, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in each.names)
