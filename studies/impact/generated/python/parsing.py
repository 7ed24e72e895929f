"""Text as a tree: stages are drawn as text, since that is how Python is easiest to write."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from studies.impact.generated.python.nodes import (
    Assign,
    Attribute,
    Augment,
    Binary,
    Call,
    Class,
    Compare,
    Comprehension,
    Conditional,
    Display,
    Element,
    Evaluate,
    Expression,
    Field,
    For,
    Function,
    Handler,
    If,
    Import,
    Imported,
    Keyword,
    Lambda,
    Line,
    Name,
    Number,
    Parameter,
    Raw,
    Return,
    Row,
    Statement,
    Table,
    Text,
    Try,
    Unary,
    While,
    With,
)

_BINARY: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
}
_COMPARE: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
}
_UNARY: dict[type[ast.unaryop], str] = {ast.Not: "not", ast.USub: "-"}


def parse(source: str) -> tuple[Statement, ...]:
    """The statements of a text."""
    return _body(ast.parse(source).body)


def _body(statements: Sequence[ast.stmt]) -> tuple[Statement, ...]:
    found = (_statement(each) for each in statements)
    return tuple(each for each in found if each != Line("pass"))


def _statement(node: ast.stmt) -> Statement:
    match node:
        case ast.Assign(targets=[target]):
            return Assign(_expression(target), _expression(node.value))
        case ast.AugAssign():
            return Augment(_expression(node.target), _BINARY[type(node.op)], _expression(node.value))
        case ast.AnnAssign(target=ast.Name(id=name)):
            value = None if node.value is None else _expression(node.value)
            return Field(name, ast.unparse(node.annotation), value)
        case ast.Expr():
            return Evaluate(_expression(node.value))
        case ast.If():
            return If(_expression(node.test), _body(node.body), _body(node.orelse))
        case ast.For():
            return For(_expression(node.target), _expression(node.iter), _body(node.body))
        case ast.While():
            return While(_expression(node.test), _body(node.body))
        case ast.Return():
            return Return(None if node.value is None else _expression(node.value))
        case ast.Import(names=[alias]):
            return Import(alias.name)
        case ast.ImportFrom():
            module = "." * node.level + (node.module or "")
            return Import(module, tuple(Imported(each.name) for each in node.names))
        case ast.Try() | ast.With() | ast.FunctionDef() | ast.ClassDef():
            return _compound(node)
        case _:
            return Line(ast.unparse(node))


def _compound(node: ast.Try | ast.With | ast.FunctionDef | ast.ClassDef) -> Statement:
    match node:
        case ast.Try():
            handlers = (Handler(_caught(each), _body(each.body)) for each in node.handlers)
            return Try(_body(node.body), tuple(handlers), _body(node.finalbody))
        case ast.With():
            (item,) = node.items
            name = "" if item.optional_vars is None else ast.unparse(item.optional_vars)
            return With(_expression(item.context_expr), name, _body(node.body))
        case ast.FunctionDef():
            decorators = tuple(map(_expression, node.decorator_list))
            return Function(node.name, _parameters(node.args), _body(node.body), decorators)
        case ast.ClassDef():
            bases = tuple(map(_expression, node.bases))
            return Class(node.name, bases, _body(node.body), tuple(map(_expression, node.decorator_list)))


def _caught(handler: ast.ExceptHandler) -> str:
    assert handler.type is not None
    return ast.unparse(handler.type) + (f" as {handler.name}" if handler.name else "")


def _parameters(arguments: ast.arguments) -> tuple[Parameter, ...]:
    plain = arguments.args
    defaults = [None] * (len(plain) - len(arguments.defaults)) + list(map(_expression, arguments.defaults))
    found = [Parameter(each.arg, default) for each, default in zip(plain, defaults, strict=True)]
    if arguments.vararg:
        found.append(Parameter(f"*{arguments.vararg.arg}"))
    elif arguments.kwonlyargs:
        found.append(Parameter("*"))
    for each, value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        found.append(Parameter(each.arg, None if value is None else _expression(value)))
    if arguments.kwarg:
        found.append(Parameter(f"**{arguments.kwarg.arg}"))
    return tuple(found)


def _expression(node: ast.expr) -> Expression:
    match node:
        case ast.Constant(value=bool() | None):
            return Raw(ast.unparse(node))
        case ast.Constant(value=int(number)):
            return Number(number)
        case ast.Constant(value=str(value)):
            return Text(value)
        case ast.Name():
            return Name(node.id)
        case ast.Attribute():
            return Attribute(_expression(node.value), node.attr)
        case ast.Subscript():
            return Element(_expression(node.value), _expression(node.slice))
        case ast.Call():
            return _call(node)
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            return Unary(_UNARY[type(node.op)], _expression(node.operand))
        case ast.BinOp():
            return Binary(_expression(node.left), _BINARY[type(node.op)], _expression(node.right))
        case ast.BoolOp(values=[left, right]):
            word = "and" if isinstance(node.op, ast.And) else "or"
            return Binary(_expression(left), word, _expression(right))
        case ast.Compare(ops=[operator], comparators=[right]):
            return Compare(_expression(node.left), _COMPARE[type(operator)], _expression(right))
        case ast.IfExp():
            return Conditional(*map(_expression, (node.test, node.body, node.orelse)))
        case ast.Lambda():
            return Lambda(_parameters(node.args), _expression(node.body))
        case _:
            return _gathered(node)


def _call(node: ast.Call) -> Expression:
    if any(each.arg is None for each in node.keywords):
        return Raw(ast.unparse(node))
    keywords = (Keyword(each.arg, _expression(each.value)) for each in node.keywords if each.arg)
    return Call(_expression(node.func), (*map(_expression, node.args), *keywords))


def _gathered(node: ast.expr) -> Expression:
    match node:
        case ast.List() | ast.Tuple() | ast.Set():
            opening = "[" if isinstance(node, ast.List) else "(" if isinstance(node, ast.Tuple) else "{"
            return Display(opening, tuple(map(_expression, node.elts)))
        case ast.Dict(keys=keys) if None not in keys:
            pairs = zip(keys, node.values, strict=True)
            rows = (Row(_expression(key), _expression(value)) for key, value in pairs if key is not None)
            return Table(tuple(rows))
        case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() if len(node.generators) == 1:
            opening = "[" if isinstance(node, ast.ListComp) else "{" if isinstance(node, ast.SetComp) else "("
            return _comprehension(opening, node.elt, node.generators[0])
        case ast.DictComp(generators=[loop]):
            return _comprehension("{", node.value, loop, node.key)
        case _:
            return Raw(ast.unparse(node))


def _comprehension(
    opening: str, element: ast.expr, loop: ast.comprehension, key: ast.expr | None = None
) -> Expression:
    tests = tuple(map(_expression, loop.ifs))
    named = None if key is None else _expression(key)
    inner, variable, source = map(_expression, (element, loop.target, loop.iter))
    return Comprehension(opening, inner, variable, source, tests, named)
