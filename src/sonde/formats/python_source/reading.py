"""A Python program as units of code."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from sonde.core.code import Unit
from sonde.formats.python_source.code.body import PythonBody, Unfinished, body_routine, module_object
from sonde.formats.python_source.code.entry import entry_unit
from sonde.formats.python_source.code.expressions import evaluate
from sonde.formats.python_source.code.functions import write_function
from sonde.formats.python_source.code.imports import Simplifying, public_names
from sonde.formats.python_source.code.statements import execute
from sonde.formats.python_source.code.writer import Writer
from sonde.formats.python_source.names.package import Module, Package
from sonde.formats.python_source.names.vocabulary import Vocabulary, learn
from sonde.formats.python_source.sources import PythonSource, UnreadablePython

__all__ = ["PythonProgram", "UnreadablePython", "read_python"]


@dataclass(frozen=True)
class PythonProgram:
    """A program, and what of it cannot be followed."""

    units: tuple[Unit, ...]
    warnings: tuple[str, ...]


def read_python(
    sides: Sequence[Sequence[PythonSource]], entries: Collection[str] = ()
) -> tuple[PythonProgram, ...]:
    """The same program at several revisions; `entries` are files where it begins, none if it is a library.

    All sides are read at once, so that what is the same in them is read alike.
    """
    plain = [_simplified(side) for side in sides]
    vocabulary = learn(source.tree for side in plain for source in side)
    return tuple(_read(side, vocabulary, entries) for side in plain)


def _simplified(side: Sequence[PythonSource]) -> list[PythonSource]:
    names = {
        each.module: sorted({name for name in public_names(each.tree) if not name.startswith("_")})
        for each in side
    }
    return [replace(each, tree=Simplifying(each, names).visit(each.tree)) for each in side]


def _read(sources: Sequence[PythonSource], vocabulary: Vocabulary, entries: Collection[str]) -> PythonProgram:
    package = Package(sources, vocabulary)
    warnings: list[str] = []
    units = []
    for module in package.modules.values():
        unit = Unfinished(package, module, evaluate, execute, warnings=warnings)
        _write_module(unit, module)
        units.append(Unit(module.source.file, tuple(unit.routines), tuple(unit.globals.values())))
    begin = [each.name for each in package.modules.values() if each.source.file in entries]
    if not package.modules:
        return PythonProgram((), ())
    first = next(iter(package.modules.values()))
    shared = entry_unit(Unfinished(package, first, evaluate, execute, warnings=warnings), begin)
    return PythonProgram((shared, *units), tuple(warnings))


def _write_module(unit: Unfinished, module: Module) -> None:
    writer = Writer(body_routine(module.name), "<module>", module.source.file, 1, 0)
    unit.object(module_object(module.name), module.name)
    for name, bound in module.scope.bound.items():
        line = getattr(bound[0], "lineno", 0)
        unit.variable(f"{module.name}.{name}", name, line)
    body = PythonBody(unit, writer, module.scope)
    unit.execute(body, module.source.tree.body)
    writer.give(writer.nothing)
    unit.routines.append(writer.routine())
    for function in unit.waiting:  # grows
        write_function(unit, function)
