"""How objects are made: what a class gives to its instances, and its constructor."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from sonde.core.code import Routine
from sonde.formats.python_source.code.arguments import Arguments, placed, plain_operands
from sonde.formats.python_source.code.body import (
    COMPUTING,
    PythonBody,
    Unfinished,
    class_object,
    new_routine,
    setup_routine,
)
from sonde.formats.python_source.code.dynamic import GET_ANY, SET_ANY
from sonde.formats.python_source.code.writer import Writer
from sonde.formats.python_source.names.definitions import Class, ParameterOrder, PythonFunction


def class_value(body: PythonBody, made: Class) -> int:
    """A class as a value: its object, and what is executed when it is called."""
    writer = body.writer
    return writer.compute("class", (writer.address(class_object(made)), writer.address(new_routine(made))))


def construct(body: PythonBody, made: Class, given: Arguments) -> int:
    """A new object of a class."""
    writer = body.writer
    new = writer.new_object()
    writer.call(writer.address(setup_routine(made)), (new,), may_raise=False)
    results = [new]
    for name in ("__new__", "__init__"):
        owner = made.definer(name)
        for function in owner.functions.get(name, []) if owner else []:
            operands = placed(body, given, function.layout, new)
            result = writer.call(writer.address(function.routine), operands)
            if name == "__new__":
                results.append(result)
    if "__init__" in body.package.vocabulary.stored:
        held = writer.load(writer.address(class_object(made), body.offset("__init__")))
        writer.call(held, plain_operands(body, given, new))
    if made.definer("__init__") is None:
        if made.is_record:
            _fill(body, made, new, given)
        elif made.has_foreign:
            results.append(writer.use(f"{made.scope.qualname}.base", (new, *given.all)))
        else:
            for value in given.all:
                writer.store(new, value)
    if "__post_init__" in made.all_attributes:
        body.ask(new, "__post_init__")
    return writer.join(results)


def _fill(body: PythonBody, made: Class, new: int, given: Arguments) -> None:
    """The constructor of a record: each argument is a field."""
    layout = ParameterOrder(tuple(made.fields), False, (), False, 0)
    operands = placed(body, given, layout, new)
    for name, value in zip(made.fields, operands[1:], strict=False):
        if value != body.writer.nothing:
            body.writer.store(body.writer.field(new, body.offset(name)), value)
            body.writer.store(new, value)


def class_routines(unit: Unfinished, made: Class) -> None:
    """Write the routines that make objects of a class."""
    unit.routines.append(_setup(unit, made))
    line = made.node.lineno
    slots = unit.package.vocabulary.slots
    writer = Writer(new_routine(made), made.scope.qualname, unit.file, line, 1 + slots)
    body = PythonBody(unit, writer, made.scope.root)
    given = Arguments(tuple(range(1, 1 + slots)))
    writer.give(construct(body, made, given))
    unit.routines.append(writer.routine())


def _setup(unit: Unfinished, made: Class) -> Routine:
    writer = Writer(setup_routine(made), made.scope.qualname, unit.file, made.node.lineno, 1)
    body = PythonBody(unit, writer, made.scope.root)
    inherit(body, made, 0, made.all_attributes)
    for each in made.order:
        if each.is_open:
            held = writer.call(writer.address(GET_ANY), (writer.nothing, writer.address(class_object(each))))
            writer.call(writer.address(SET_ANY), (writer.nothing, 0, held))
    description = made.description
    if description:
        writer.store(0, writer.judge(f"made as {description}", ()))
    for method in COMPUTING:
        owner = made.definer(method)
        for function in owner.functions.get(method, []) if owner else []:
            given = writer.call(writer.address(function.routine), (0, writer.nothing))
            writer.call(writer.address(SET_ANY), (writer.nothing, 0, given))
    if made.has_foreign:
        writer.store(0, body.foreign_value(f"{made.scope.qualname}.base"))
        _hand_out(body, made)
    writer.give(writer.nothing)
    return writer.routine()


def inherit(body: PythonBody, made: Class, target: int, attributes: Iterable[str]) -> None:
    """Let an object find these attributes where its class has them."""
    writer = body.writer
    for name in attributes:
        owner = made.definer(name)
        if owner is not None and body.offset(name):
            source = writer.address(class_object(owner), body.offset(name))
            writer.store(writer.field(target, body.offset(name)), writer.load(source))


def _hand_out(body: PythonBody, made: Class) -> None:
    """A library whose class is inherited from may call any method, with whatever it has."""
    writer = body.writer
    given = writer.use("caller", (0,))
    for function in methods_of(made):
        call, after = writer.new_block(), writer.new_block()
        writer.branch(writer.judge("called", (given,)), call, after)
        writer.begin(call)
        operands = (0, *(given,) * (function.layout.count - 1))
        result = writer.call(writer.address(function.routine), operands)
        writer.store(given, result)
        writer.use("later", (writer.address(function.routine),))
        writer.jump(after)
        writer.begin(after)


def methods_of(made: Class) -> list[PythonFunction]:
    """All methods that an object of a class has."""
    found = []
    for name in made.all_attributes:
        owner = made.definer(name)
        found += owner.functions.get(name, []) if owner else []
    return [each for each in found if isinstance(each.node, ast.FunctionDef | ast.AsyncFunctionDef)]
