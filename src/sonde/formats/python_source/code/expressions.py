"""Expressions as instructions."""

from __future__ import annotations

import ast
from collections.abc import Callable

from sonde.core.code import Constant
from sonde.formats.python_source.code.body import KnownExpression, PythonBody, module_object
from sonde.formats.python_source.code.calls import call, type_of
from sonde.formats.python_source.code.dynamic import variables_of
from sonde.formats.python_source.code.functions import function_value
from sonde.formats.python_source.code.receivers import class_of_self
from sonde.formats.python_source.code.super_calls import super_attribute
from sonde.formats.python_source.code.targets import assign, loop_over
from sonde.formats.python_source.names.definitions import Foreign
from sonde.formats.python_source.names.package import Module

OPERATORS = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.BitAnd: "and",
    ast.MatMult: "matmul",
    ast.USub: "neg",
    ast.UAdd: "pos",
    ast.Invert: "invert",
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.In: "contains",
    ast.NotIn: "contains",
}
PLAIN = (
    *(ast.Constant, ast.Compare, ast.JoinedStr, ast.FormattedValue, ast.List, ast.Tuple, ast.Set, ast.Dict),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Slice, ast.Lambda),
)
SHOWN = ("__str__", "__repr__")
ORDERING = ("lt", "gt", "le", "ge")
REFLECTED = {"lt": "gt", "gt": "lt", "le": "ge", "ge": "le", "eq": "eq", "ne": "ne"}


def evaluate(body: PythonBody, node: ast.expr) -> int:
    """What an expression gives."""
    before = body.writer.at
    body.writer.at = getattr(node, "lineno", before)
    value = _READERS.get(type(node), _other)(body, node)
    if isinstance(node, PLAIN):
        body.plain.add(value)
    body.writer.at = before
    return value


def _constant(body: PythonBody, node: ast.Constant) -> int:
    kind = type(node.value).__name__
    text = (
        repr(node.value).replace(" ", "\u00a0") if isinstance(node.value, str | bytes) else repr(node.value)
    )
    return body.writer.operand(Constant(f"{kind} {text}"))


def _name(body: PythonBody, node: ast.Name) -> int:
    meaning = body.package.named(node.id, body.scope)
    if isinstance(meaning, Module):
        return body.writer.address(module_object(meaning.name))
    return body.load_name(node.id)


def _attribute(body: PythonBody, node: ast.Attribute) -> int:
    writer = body.writer
    meaning = body.package.meaning(node, body.scope)
    if isinstance(meaning, Foreign):
        return body.foreign_value(meaning.name)
    if isinstance(meaning, Module):
        return writer.address(module_object(meaning.name))
    inherited = super_attribute(body, node)
    if inherited is not None:
        return inherited
    if node.attr == "__class__":
        return type_of(body, node.value)
    base_meaning = body.package.meaning(node.value, body.scope)
    if isinstance(base_meaning, Module) and node.attr in base_meaning.scope.bound:
        return writer.load(writer.address(f"{base_meaning.name}.{node.attr}"))
    base = body.value(node.value)
    if node.attr == "__dict__":
        return variables_of(body, base)
    owner = class_of_self(body, node.value)
    is_own = owner is not None and not owner.has_foreign
    found = body.attribute(base, node.attr, is_own=is_own)
    if node.attr in body.package.vocabulary.methods:  # it may be called later, without its object
        writer.store(writer.address(body.unit.variable(f"receivers of {node.attr}")), base)
    return found


def _operation(body: PythonBody, node: ast.BinOp) -> int:
    left, right = body.value(node.left), body.value(node.right)
    return operate(body, node.op, left, right)


def operate(
    body: PythonBody, operator: ast.operator, left: int, right: int, *, is_in_place: bool = False
) -> int:
    """What an operator gives; methods of the program that stand for it included."""
    name = OPERATORS[type(operator)]
    found = [*body.special(left, f"__{name}__", (right,)), *body.special(right, f"__r{name}__", (left,))]
    if is_in_place:
        found += body.special(left, f"__i{name}__", (right,))
    if isinstance(operator, ast.Div | ast.FloorDiv | ast.Mod) and body.writer.landings:
        body.writer.use("may_raise", (left, right))
    if isinstance(operator, ast.Mod) and right >= 0:  # it may be a text that is filled in
        values = [right, body.content(right)]
        found.append(values[1])
        found += [each for value in values for name in SHOWN for each in body.special(value, name)]
    return body.writer.compute(name, [left, right, *found])


def _unary(body: PythonBody, node: ast.UnaryOp) -> int:
    value = body.value(node.operand)
    if isinstance(node.op, ast.Not):
        return body.writer.judge("not", [body.truth(value)])
    name = OPERATORS[type(node.op)]
    return body.writer.compute(name, [value, *body.special(value, f"__{name}__")])


def _choice(body: PythonBody, node: ast.BoolOp) -> int:
    """`and` and `or`: what comes later is executed or not."""
    writer = body.writer
    end = writer.new_block()
    values: list[tuple[int, int]] = []
    for number, each in enumerate(node.values):
        value = body.value(each)
        if number == len(node.values) - 1:
            values.append((value, writer.block))
            writer.jump(end)
            break
        truth = body.truth(value)
        values.append((value, writer.block))
        further = writer.new_block()
        targets = (further, end) if isinstance(node.op, ast.And) else (end, further)
        writer.branch(truth, *targets)
        writer.begin(further)
    writer.begin(end)
    return writer.merge(values)


def _conditional(body: PythonBody, node: ast.IfExp) -> int:
    writer = body.writer
    yes, no, end = writer.new_block(), writer.new_block(), writer.new_block()
    writer.branch(body.truth(body.value(node.test)), yes, no)
    values = []
    for block, part in ((yes, node.body), (no, node.orelse)):
        writer.begin(block)
        values.append((body.value(part), writer.block))
        writer.jump(end)
    writer.begin(end)
    return writer.merge(values)


def _comparison(body: PythonBody, node: ast.Compare) -> int:
    writer = body.writer
    left, parts = body.value(node.left), []
    for operator, right_node in zip(node.ops, node.comparators, strict=True):
        right = body.value(right_node)
        if isinstance(operator, ast.Is | ast.IsNot):
            parts.append(writer.judge(type(operator).__name__, (left, right)))
        else:
            name = OPERATORS[type(operator)]
            owner, other = (right, left) if name == "contains" else (left, right)
            found = body.special(owner, f"__{name}__", (other,))
            found += body.special(other, f"__{REFLECTED.get(name, name)}__", (owner,))
            if name in ORDERING and "total_ordering" in body.package.vocabulary.offsets:
                found += [each for one in ORDERING for each in body.special(owner, f"__{one}__", (other,))]
            if name == "contains":
                found += [*body.special(owner, "__iter__"), *body.compare([other, owner])]
            operands = [left, right, *(body.content(each) for each in (left, right) if each >= 0), *found]
            parts.append(writer.judge(type(operator).__name__, operands))
        left = right
    return parts[0] if len(parts) == 1 else writer.judge("and", parts)


def _lambda(body: PythonBody, node: ast.Lambda) -> int:
    return function_value(body, body.package.functions[id(node)])


def _display(body: PythonBody, node: ast.List | ast.Tuple | ast.Set) -> int:
    elements = []
    for each in node.elts:
        value = body.value(each.value if isinstance(each, ast.Starred) else each)
        elements.append(body.element(body.iterator(value))[0] if isinstance(each, ast.Starred) else value)
    if isinstance(node, ast.Set):
        elements += body.compare(elements)
    return body.container(elements)


def _dictionary(body: PythonBody, node: ast.Dict) -> int:
    elements = []
    for key, each in zip(node.keys, node.values, strict=True):
        value = body.value(each)
        elements += [body.content(value)] if key is None else [body.value(key), value]
    return body.container([*elements, *body.compare(elements)])


def _subscript(body: PythonBody, node: ast.Subscript) -> int:
    writer = body.writer
    base, index = body.value(node.value), body.value(node.slice)
    if writer.landings:
        writer.use("may_raise", (base, index))
    found = body.special(base, "__getitem__", (index,)) + body.special(base, "__missing__", (index,))
    found += body.special(base, "__class_getitem__", (index,))
    found += body.compare([base, index])
    if isinstance(node.slice, ast.Slice):
        return writer.compute("slice", [base, index, *found])
    return writer.compute("index", [body.content(base), index, *found])


def _slice(body: PythonBody, node: ast.Slice) -> int:
    parts = [body.value(each) for each in (node.lower, node.upper, node.step) if each is not None]
    return body.writer.judge("slice", parts) if parts else body.writer.nothing


def _text(body: PythonBody, node: ast.JoinedStr) -> int:
    values: list[int] = []
    for each in node.values:
        value = body.value(each)
        values += body.with_content([value])
    return body.writer.judge("text", values) if values else body.writer.nothing


def _formatted(body: PythonBody, node: ast.FormattedValue) -> int:
    value = body.value(node.value)
    found = [each for name in ("__format__", "__str__", "__repr__") for each in body.special(value, name)]
    if node.format_spec is not None:
        found.append(body.value(node.format_spec))
    shape = f"formatted {chr(node.conversion)}" if node.conversion > 0 else "formatted"
    return body.writer.judge(shape, [*body.with_content([value]), *found])


def _comprehension(
    body: PythonBody, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
) -> int:
    writer = body.writer
    made = writer.new_object()
    outer_scope = body.scope

    def add() -> None:
        parts = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        for part in parts:
            writer.store(made, body.value(part))
        if not isinstance(node, ast.ListComp):
            writer.store(made, writer.join([*body.compare([made]), writer.nothing]))

    first = body.value(node.generators[0].iter)
    body.scope = body.unit.module.scopes[id(node)]
    loop_over(body, node.generators, first, add)
    body.scope = outer_scope
    return made


def _generator(body: PythonBody, node: ast.GeneratorExp) -> int:
    """A generator expression is a function that is called here, and runs later."""
    function = body.package.functions[id(node)]
    function_value(body, function)
    first = body.value(node.generators[0].iter)
    return body.writer.call(body.writer.address(function.routine), (body.writer.nothing, first))


def _walrus(body: PythonBody, node: ast.NamedExpr) -> int:
    value = body.value(node.value)
    assign(body, node.target, value)
    return value


def _yield(body: PythonBody, node: ast.Yield) -> int:
    writer = body.writer
    made = body.made if body.made is not None else writer.nothing
    writer.store(made, body.value(node.value) if node.value is not None else writer.nothing)
    return body.content(made)


def _yield_from(body: PythonBody, node: ast.YieldFrom) -> int:
    writer = body.writer
    made = body.made if body.made is not None else writer.nothing
    value = body.iterator(body.value(node.value))
    element, _ = body.element(value)
    writer.store(made, element)
    return writer.compute("any", (element, value))


def _await(body: PythonBody, node: ast.Await) -> int:
    value = body.value(node.value)
    found = body.special(value, "__await__")
    return body.writer.compute("await", [value, *found])


def _starred(body: PythonBody, node: ast.Starred) -> int:
    return body.value(node.value)


def _given(body: PythonBody, node: KnownExpression) -> int:
    return node.number


def _other(body: PythonBody, node: ast.expr) -> int:
    """What has no reader of its own: all that it consists of."""
    parts = [body.value(each) for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)]
    return body.writer.compute(type(node).__name__, parts)


_READERS: dict[type[ast.expr], Callable[..., int]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.BinOp: _operation,
    ast.UnaryOp: _unary,
    ast.BoolOp: _choice,
    ast.IfExp: _conditional,
    ast.Compare: _comparison,
    ast.Call: call,
    ast.Lambda: _lambda,
    ast.List: _display,
    ast.Tuple: _display,
    ast.Set: _display,
    ast.Dict: _dictionary,
    ast.Subscript: _subscript,
    ast.Slice: _slice,
    ast.JoinedStr: _text,
    ast.FormattedValue: _formatted,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.DictComp: _comprehension,
    ast.GeneratorExp: _generator,
    ast.NamedExpr: _walrus,
    ast.Yield: _yield,
    ast.YieldFrom: _yield_from,
    ast.Await: _await,
    ast.Starred: _starred,
    KnownExpression: _given,
}
