"""A program as text: C99, one statement a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from studies.impact.generated.c.nodes import (
    Alias,
    Array,
    Assign,
    Binary,
    Braces,
    Call,
    Case,
    Cast,
    Conditional,
    Declare,
    Designated,
    Element,
    Enumeration,
    Evaluate,
    Expression,
    File,
    Function,
    If,
    Item,
    Jump,
    Letter,
    Loop,
    Macro,
    Member,
    Name,
    Number,
    Plain,
    Pointer,
    Program,
    Remark,
    Repeat,
    Return,
    Signature,
    SizeOf,
    Statement,
    Structure,
    Switch,
    Text,
    Type,
    Unary,
    Variable,
)

_INDENT = "    "


def render(program: Program) -> Mapping[str, str]:
    """The text of each file."""
    return {file.name: "\n".join(_file(file, program)) + "\n" for file in program.files}


def _file(file: File, program: Program) -> Iterator[str]:
    is_header = file.name.endswith(".h")
    guard = file.name.upper().replace(".", "_")
    if is_header:
        yield from (f"#ifndef {guard}", f"#define {guard}")
    yield from (f"#include {name}" for name in file.includes)
    yield ""
    types = [item for item in file.items if isinstance(item, Structure | Enumeration | Alias)]
    others = [item for item in file.items if not isinstance(item, Structure | Enumeration | Alias)]
    for type in types:
        yield from _item(type)
    if file.externs:
        yield from _externs(program)
    yield from (
        f"{_head(item)};"
        for item in others
        if isinstance(item, Function) and item.is_static and not is_header
    )
    for item in sorted(others, key=lambda each: not isinstance(each, Variable)):  # variables come first
        yield ""
        yield from _item(item)
    if is_header:
        yield "#endif"


def _externs(program: Program) -> Iterator[str]:
    """Declarations of what sources share."""
    for file in program.files:
        for item in file.items:
            if isinstance(item, Variable) and not item.is_static:
                constant = "const " if item.is_constant else ""
                yield f"extern {constant}{declarator(item.type, item.name)};"
            if isinstance(item, Function) and not item.is_static and item.name != "main":
                yield f"{_head(item)};"


def _item(item: Item) -> Iterator[str]:
    match item:
        case Remark():
            yield f"/* {item.text} */"
        case Variable():
            storage = ("static " if item.is_static else "") + ("const " if item.is_constant else "")
            yield f"{storage}{declarator(item.type, item.name)}{_initial(item.initial)};"
        case Structure():
            yield f"{item.word} {item.name} {{"
            yield from (f"{_INDENT}{declarator(each.type, each.name)};" for each in item.fields)
            yield "};"
        case Enumeration():
            constants = (
                each.name + (f" = {_text(each.value)}" if each.value is not None else "")
                for each in item.constants
            )
            yield f"enum {item.name} {{ {', '.join(constants)} }};"
        case Alias():
            yield f"typedef {declarator(item.type, item.name)};"
        case Macro():
            parameters = f"({', '.join(item.parameters)})" if item.parameters else ""
            yield f"#define {item.name}{parameters} ({_text(item.body)})"
        case Function():
            yield _head(item)
            yield "{"
            yield from _block(item.body)
            yield "}"


def _head(function: Function) -> str:
    words = ("static " if function.is_static else "") + ("inline " if function.is_inline else "")
    parameters = ", ".join(declarator(each.type, each.name) for each in function.parameters) or "void"
    return f"{words}{declarator(function.result, f'{function.name}({parameters})')}"


def declarator(type: Type, name: str) -> str:
    """A declaration, inside out as C has it: `unsigned (*name[4])(unsigned)`."""
    match type:
        case Plain():
            return f"{type.name} {name}".rstrip()
        case Pointer(to=Array() | Signature()):
            return declarator(type.to, f"(*{name})")
        case Pointer():
            return declarator(type.to, f"*{name}")
        case Array():
            return declarator(type.of, f"{name}[{'' if type.length is None else _text(type.length)}]")
        case Signature():
            parameters = ", ".join(declarator(each, "") for each in type.parameters) or "void"
            return declarator(type.result, f"{name}({parameters})")


def _initial(initial: Expression | None) -> str:
    return "" if initial is None else f" = {_text(initial)}"


def _block(statements: Iterable[Statement]) -> Iterator[str]:
    for each in statements:
        yield from (f"{_INDENT}{line}" for line in _statement(each))


def _statement(statement: Statement) -> Iterator[str]:
    match statement:
        case Declare():
            storage = f"{statement.storage} " if statement.storage else ""
            yield f"{storage}{declarator(statement.type, statement.name)}{_initial(statement.initial)};"
        case Assign():
            yield f"{_text(statement.target)} {statement.operator} {_text(statement.value)};"
        case Evaluate():
            yield f"{_text(statement.value)};"
        case If():
            yield f"if ({_text(statement.test)}) {{"
            yield from _block(statement.yes)
            if statement.no:
                yield "} else {"
                yield from _block(statement.no)
            yield "}"
        case Loop():
            name, step = statement.variable, statement.step
            is_one = isinstance(step, Number) and step.value == 1
            ahead = f"{name}++" if is_one else f"{name} += {_text(step)}"
            test = f"{name} < {_operand(statement.end)}"
            yield f"for (unsigned {name} = {_text(statement.start)}; {test}; {ahead}) {{"
            yield from _block(statement.body)
            yield "}"
        case Repeat():
            test = f"while ({_text(statement.test)})"
            yield f"{test} {{" if statement.is_tested_first else "do {"
            yield from _block(statement.body)
            yield "}" if statement.is_tested_first else f"}} {test};"
        case Switch():
            yield f"switch ({_text(statement.value)}) {{"
            for case in statement.cases:
                yield from _case(case)
            yield "}"
        case Return():
            yield "return;" if statement.value is None else f"return {_text(statement.value)};"
        case Jump():
            yield f"{statement.word};"
        case Remark():
            yield f"/* {statement.text} */"


def _case(case: Case) -> Iterator[str]:
    yield from (f"case {_text(label)}:" for label in case.labels)
    if not case.labels:
        yield "default:"
    yield from _block(case.body)
    if not case.falls_through and not (case.body and isinstance(case.body[-1], Return)):
        yield f"{_INDENT}break;"


def _text(expression: Expression) -> str:
    match expression:
        case Number():
            return f"{expression.value}{expression.spelling}"
        case Name():
            return expression.text
        case Text():
            return f'"{expression.value}"'
        case Letter():
            return f"'{expression.value}'"
        case Member():
            return f"{_operand(expression.base)}{'->' if expression.by_pointer else '.'}{expression.field}"
        case Element():
            return f"{_operand(expression.base)}[{_text(expression.index)}]"
        case Unary():
            return f"{expression.operator}{_operand(expression.operand)}"
        case Binary():
            return f"{_operand(expression.left)} {expression.operator} {_operand(expression.right)}"
        case Conditional():
            test, yes, no = map(_operand, (expression.test, expression.yes, expression.no))
            return f"{test} ? {yes} : {no}"
        case Call():
            return f"{_operand(expression.function)}({', '.join(map(_text, expression.arguments))})"
        case Cast():
            return f"({declarator(expression.type, '')}) {_operand(expression.operand)}"
        case SizeOf():
            return f"sizeof({declarator(expression.type, '')})"
        case Braces():
            return f"{{ {', '.join(map(_text, expression.parts))} }}"
        case Designated():
            return f".{expression.field} = {_text(expression.value)}"


def _operand(expression: Expression) -> str:
    """In parentheses where something may stand beside it."""
    is_whole = not isinstance(expression, Binary | Conditional | Cast | Unary)
    return _text(expression) if is_whole else f"({_text(expression)})"
