"""Where a program begins, and what all of its modules share."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sonde.core.code import Routine, Unit
from sonde.formats.python_source.code.arguments import Arguments
from sonde.formats.python_source.code.body import PythonBody, Unfinished, body_routine
from sonde.formats.python_source.code.construction import construct, methods_of
from sonde.formats.python_source.code.dynamic import GET_ANY, SET_ANY
from sonde.formats.python_source.code.writer import Writer
from sonde.formats.python_source.names.definitions import Class, PythonFunction
from sonde.formats.python_source.names.package import Package
from sonde.formats.python_source.names.scopes import Sort
from sonde.formats.python_source.names.vocabulary import OBJECT

MAIN = "main"  # where the analysis begins
FILE = "<program>"


def entry_unit(unit: Unfinished, entries: Collection[str]) -> Unit:
    """The unit that starts these modules; without them, everything that others can call."""
    package = unit.package
    writer = Writer(MAIN, "", FILE, 0, 0)
    body = PythonBody(unit, writer, unit.module.scope)
    for name in entries or package.modules:
        writer.call(writer.address(body_routine(name)), ())
    if not entries:
        _call_everything(body, package)
    writer.give(writer.nothing)
    routines = (writer.routine(), *_any_attribute(unit))
    members = {OBJECT: package.vocabulary.members}
    return Unit(FILE, routines, tuple(unit.globals.values()), members, has_places=False, is_dynamic=True)


def _call_everything(body: PythonBody, package: Package) -> None:
    """A library: anyone may call its functions with anything, in any order, as often as they like."""
    writer = body.writer
    given = writer.use("caller", ())
    again, after = writer.new_block(), writer.new_block()
    writer.jump(again)
    writer.begin(again)
    for each in _callable(package):
        call, further = writer.new_block(), writer.new_block()
        writer.branch(writer.judge("called", (given,)), call, further)
        writer.begin(call)
        if isinstance(each, Class):
            slots = (given,) * package.vocabulary.slots
            made = construct(body, each, Arguments(slots))
            writer.store(given, made)
            for method in methods_of(each):
                operands = (made, *(given,) * (method.layout.count - 1))
                writer.store(given, writer.call(writer.address(method.routine), operands))
        else:
            operands = (writer.nothing, *(given,) * (each.layout.count - 1))
            writer.store(given, writer.call(writer.address(each.routine), operands))
        writer.jump(further)
        writer.begin(further)
    writer.branch(writer.judge("again", (given,)), again, after)
    writer.begin(after)


def _callable(package: Package) -> Iterable[PythonFunction | Class]:
    for function in package.functions.values():
        parent = function.scope.parent
        if function.owner is None and parent is not None and parent.sort is Sort.MODULE:
            yield function
    yield from package.classes.values()


def _any_attribute(unit: Unfinished) -> Iterable[Routine]:
    """The routines for attributes whose names are computed."""
    vocabulary = unit.package.vocabulary
    names = sorted(vocabulary.methods | vocabulary.stored)
    for routine, parameters in ((GET_ANY, 2), (SET_ANY, 3)):
        writer = Writer(routine, routine, FILE, 0, parameters)
        places = [writer.field(1, vocabulary.offsets[name]) for name in names]
        if routine == GET_ANY:
            writer.give(writer.join([1, *map(writer.load, places)]))
        else:
            for place in places:
                writer.store(place, 2)
            writer.store(1, 2)
            writer.give(writer.nothing)
        yield writer.routine()
