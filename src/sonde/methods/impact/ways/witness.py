"""A way through the flow graph in words, as lines of the source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sonde.core.code import DECIDING, NOWHERE, Address, Instruction, Kind, Member, Routine, SourceLine, Unit
from sonde.core.findings.impacts import Waypoint
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.flow.edges import FlowStep
from sonde.methods.impact.library.python import PYTHON_PREFIX
from sonde.methods.impact.options.references import OBJECT
from sonde.methods.impact.program.linking import GlobalRef, RoutineRef
from sonde.methods.impact.program.memory import ObjectKind


class _Stop(NamedTuple):
    place: SourceLine
    routine: str
    words: str
    weight: int  # of several on one line, the one that says most is kept


def describe_way(flow: Flow, path: Sequence[tuple[int, FlowStep]]) -> tuple[Waypoint, ...]:
    """The steps of a way; those on one line are told as one."""
    stops: list[_Stop] = []
    for number, (node, step) in enumerate(path):
        stop = _stop(flow, node, step, path[number - 1][0] if number else -1)
        if stop is None:
            continue
        last = stops[-1] if stops else None
        if last and (last.place, last.routine) == (stop.place, stop.routine):
            if stop.weight >= last.weight:
                stops[-1] = stop
            continue
        if not stop.place.line and last:
            continue
        stops.append(stop)
    shown_stops = [each for each in stops if each.place.line] or stops
    return tuple(Waypoint(each.place, each.routine, each.words) for each in shown_stops)


def describe_place(flow: Flow, routine: int, position: int) -> Waypoint:
    """One instruction as a step of a way."""
    code = flow.program.routines[routine]
    stop = _instruction(flow, routine, code.parameters + position, FlowStep.FLOW)
    return Waypoint(stop.place, stop.routine, stop.words)


def shown(routine: Routine) -> str:
    """The name of a routine for people."""
    return routine.shown or routine.name


def _stop(flow: Flow, node: int, step: FlowStep, before: int) -> _Stop | None:
    where = flow.where(node)
    if where.kind == "value":
        return _instruction(flow, where.routine, where.index, step)
    if where.kind == "block":
        return _block(flow, where.routine, where.index, step, before)
    if where.kind == "returned":
        return None
    if where.kind == "cell" and before < 0:
        object = flow.memory.objects[flow.memory.cells[where.index].object]
        if object.kind is ObjectKind.GLOBAL:
            thing = flow.program.globals[object.position]
            name = thing.variable.name if thing.variable else thing.name
            return _Stop(thing.place, name, f"the first value of `{name}`", 9)
    return None


def _block(flow: Flow, routine: int, block: int, step: FlowStep, before: int) -> _Stop | None:
    code = flow.program.routines[routine]
    start, end = code.blocks[block]
    place = next((each.place for each in code.instructions[start:end] if each.place.line), NOWHERE)
    name = shown(code)
    if step is FlowStep.CONTROL:
        return _Stop(place, name, "executed or not, depending on an earlier decision", 5)
    if step is FlowStep.CALL:
        return _Stop(code.place, name, f"`{name}` is called or not", 5)
    return _Stop(place, name, "executed more or less often", 1) if before < 0 else None


def _instruction(flow: Flow, routine: int, value: int, step: FlowStep) -> _Stop:
    code = flow.program.routines[routine]
    name = shown(code)
    if value < code.parameters:
        variable = code.variables.get(value)
        called = f"`{variable.name}`" if variable else f"argument {value + 1}"
        return _Stop(code.place, name, f"passed to `{name}` as {called}", 6)
    each = code.instructions[value - code.parameters]
    if each.kind is Kind.STORE:
        target = _name_of(flow, routine, each.operands[0])
        if target.startswith("the result"):
            return _Stop(each.place, name, f"returned by `{name}`", 7)
        return _Stop(each.place, name, f"stored in {target}", 8)
    if each.kind in DECIDING:
        return _Stop(each.place, name, "decides what is executed", 9)
    if each.kind is Kind.CALL:
        return _Stop(each.place, name, _call(flow, routine, value - code.parameters, step), 4)
    if each.kind is Kind.RETURN:
        return _Stop(each.place, name, f"returned by `{name}`", 7)
    if each.kind is Kind.LOAD:
        return _Stop(each.place, name, f"{_name_of(flow, routine, each.operands[0])} is read", 2)
    return _Stop(each.place, name, "used in a computation", 3)


def _call(flow: Flow, routine: int, position: int, step: FlowStep) -> str:
    names = [shown(flow.program.routines[n]) for n in flow.memory.callees(routine, position)]
    externals = flow.memory.externals(routine, position)
    names += (each.removeprefix(PYTHON_PREFIX).removeprefix("object.") for each in externals)
    called = " or ".join(f"`{each}`" for each in names[:2]) + (" or others" if len(names) > 2 else "")
    if step is FlowStep.RETURN:
        return f"returns from {called}"
    return f"passes through {called}" if called else "passes through a call"


def _name_of(flow: Flow, routine: int, operand: int) -> str:
    """What an address is the address of, as the source names it."""
    code = flow.program.routines[routine]
    if operand < 0:
        outside = code.outside[~operand]
        if not isinstance(outside, Address):
            return "memory"
        meaning = flow.program.meaning(routine, operand)
        if isinstance(meaning, GlobalRef):
            thing = flow.program.globals[meaning.id]
            name = thing.variable.name if thing.variable else "a text" if thing.text else thing.name
            field = _field(flow.program.units, thing.variable.type if thing.variable else "", outside.offset)
            return f"`{name}.{field}`" if field and outside.offset else f"`{name}`"
        return f"`{outside.name}`" if not isinstance(meaning, RoutineRef) else "a routine"
    variable = code.variables.get(operand)
    if variable is not None:
        return f"`{variable.name}`"
    position = operand - code.parameters
    if position < 0:
        return "memory"
    each = code.instructions[position]
    if each.kind is Kind.LOCAL:
        return "the result"
    if each.kind is Kind.FIELD:
        return _name_of_field(flow, routine, each)
    if each.kind is Kind.LOAD:
        behind = _name_of(flow, routine, each.operands[0])
        return f"`*{behind.strip('`')}`" if behind.startswith("`") else "memory"
    return "memory"


def _name_of_field(flow: Flow, routine: int, each: Instruction) -> str:
    base = _name_of(flow, routine, each.operands[0]).strip("`")
    field = _field(flow.program.units, each.type, each.offset)
    if not field:
        return f"`{base.removeprefix('*')}[]`" if len(each.operands) > 1 and base != "memory" else f"`{base}`"
    if base == "memory":
        return f"`{field}`"
    if each.type == OBJECT:
        return f"`{base.removeprefix('*')}.{field}`"
    return f"`{base[1:]}->{field}`" if base.startswith("*") else f"`{base}.{field}`"


def _field(units: Sequence[Unit], type: str, offset: int) -> str:
    if not type:
        return ""
    for unit in units:
        members: Sequence[Member] = unit.types.get(type, ())
        if members:
            return next((each.name for each in members if each.offset == offset), "")
    return ""
