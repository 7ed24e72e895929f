"""A program as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from studies.impact.generated.python.nodes import (
    CLOSING,
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
    If,
    Import,
    Keyword,
    Lambda,
    Line,
    Name,
    Number,
    Parameter,
    Program,
    Raw,
    Remark,
    Return,
    Statement,
    Table,
    Text,
    Try,
    Unary,
    While,
    With,
)

_INDENT = "    "


def render(program: Program) -> Mapping[str, str]:
    """The text of each file."""
    return {file.name: "".join(f"{line}\n" for line in _module(file.body)) for file in program.files}


def _module(body: Iterable[Statement]) -> Iterator[str]:
    for each in body:
        if isinstance(each, Function | Class):
            yield from ("", "")
        yield from _statement(each)


def _block(statements: tuple[Statement, ...]) -> Iterator[str]:
    lines = [line for each in statements for line in _statement(each)]
    is_code = any(not isinstance(each, Remark) for each in statements)
    yield from (f"{_INDENT}{line}" for line in (lines if is_code else [*lines, "pass"]))


def _statement(statement: Statement) -> Iterator[str]:
    match statement:
        case Assign():
            yield f"{text(statement.target)} = {text(statement.value)}"
        case Augment():
            yield f"{text(statement.target)} {statement.operator}= {text(statement.value)}"
        case Evaluate():
            yield text(statement.value)
        case If():
            yield f"if {text(statement.test)}:"
            yield from _block(statement.yes)
            if statement.no:
                yield "else:"
                yield from _block(statement.no)
        case For():
            yield f"for {text(statement.variable)} in {text(statement.source)}:"
            yield from _block(statement.body)
        case While():
            yield f"while {text(statement.test)}:"
            yield from _block(statement.body)
        case Return():
            yield "return" if statement.value is None else f"return {text(statement.value)}"
        case Line():
            yield statement.text
        case Remark():
            yield f"# {statement.text}"
        case Import():
            names = ", ".join(each.name for each in statement.names)
            yield f"from {statement.module} import {names}" if names else f"import {statement.module}"
        case Field():
            value = "" if statement.value is None else f" = {text(statement.value)}"
            yield f"{statement.name}: {statement.annotation}{value}"
        case _:
            yield from _compound(statement)


def _compound(statement: Try | With | Function | Class) -> Iterator[str]:
    match statement:
        case Try():
            yield "try:"
            yield from _block(statement.body)
            for handler in statement.handlers:
                yield f"except {handler.caught}:"
                yield from _block(handler.body)
            if statement.last or not statement.handlers:
                yield "finally:"
                yield from _block(statement.last)
        case With():
            name = f" as {statement.name}" if statement.name else ""
            yield f"with {text(statement.context)}{name}:"
            yield from _block(statement.body)
        case Function():
            yield from (f"@{text(each)}" for each in statement.decorators)
            yield f"def {statement.name}({_parameters(statement.parameters)}):"
            yield from _block(statement.body)
        case Class():
            yield from (f"@{text(each)}" for each in statement.decorators)
            bases = f"({', '.join(map(text, statement.bases))})" if statement.bases else ""
            yield f"class {statement.name}{bases}:"
            yield from _block(statement.body)


def _parameters(parameters: Iterable[Parameter]) -> str:
    return ", ".join(
        each.name if each.default is None else f"{each.name}={text(each.default)}" for each in parameters
    )


def text(expression: Expression | Keyword) -> str:
    """An expression as it is written."""
    match expression:
        case Number():
            return str(expression.value)
        case Text():
            return repr(expression.value)
        case Name() | Raw():
            return expression.text
        case Keyword():
            return f"{expression.name}={text(expression.value)}"
        case Attribute():
            return f"{_operand(expression.base)}.{expression.field}"
        case Element():
            return f"{_operand(expression.base)}[{text(expression.index)}]"
        case Call():
            return f"{_operand(expression.function)}({', '.join(map(text, expression.arguments))})"
        case Unary():
            space = " " if expression.operator == "not" else ""
            return f"{expression.operator}{space}{_operand(expression.operand)}"
        case Binary() | Compare():
            return f"{_operand(expression.left)} {expression.operator} {_operand(expression.right)}"
        case Conditional():
            test, yes, no = map(_operand, (expression.test, expression.yes, expression.no))
            return f"{yes} if {test} else {no}"
        case Display() | Table() | Comprehension():
            return _gathered(expression)
        case Lambda():
            return f"lambda {_parameters(expression.parameters)}: {text(expression.body)}"


def _gathered(expression: Display | Table | Comprehension) -> str:
    match expression:
        case Table():
            rows = (f"{text(each.key)}: {text(each.value)}" for each in expression.rows)
            return f"{{{', '.join(rows)}}}"
        case Display():
            parts = ", ".join(map(text, expression.parts))
            if expression.opening == "(" and len(expression.parts) == 1:
                parts += ","
            if expression.opening == "{" and not expression.parts:
                return "set()"
            return f"{expression.opening}{parts}{CLOSING[expression.opening]}"
        case Comprehension():
            key = "" if expression.key is None else f"{text(expression.key)}: "
            loop = f"for {text(expression.variable)} in {_operand(expression.source)}"
            tests = "".join(f" if {_operand(each)}" for each in expression.tests)
            inside = f"{key}{_operand(expression.element)} {loop}{tests}"
            return f"{expression.opening}{inside}{CLOSING[expression.opening]}"


def _operand(expression: Expression) -> str:
    """In parentheses where something may stand beside it."""
    is_whole = not isinstance(expression, Binary | Compare | Conditional | Lambda | Unary | Number)
    is_whole = is_whole or (isinstance(expression, Number) and expression.value >= 0)
    return text(expression) if is_whole else f"({text(expression)})"
