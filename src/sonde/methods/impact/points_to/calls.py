"""The rules of calls: of routines, and of library functions by their models."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sonde.core.code import Constant, Kind
from sonde.methods.impact.library.models import NAMED, RESULT, CallValue, Effect, Transfer, effect_of
from sonde.methods.impact.library.python import PYTHON_PREFIX
from sonde.methods.impact.points_to.constraints import NO_LENGTH, Block, Constraints, Site
from sonde.methods.impact.points_to.handed_on import HandedOn
from sonde.methods.impact.program.linking import External, RoutineRef
from sonde.methods.impact.program.memory import Object, ObjectKind

SOME_FUNCTION = "?"  # of a library, or of the program that uses this one: nothing is known about it
NEW_PYTHON = f"{PYTHON_PREFIX}new"
PYTHON_BYTES = 1 << 20  # of an object of Python: more than any has attributes
SOME_PYTHON = f"{PYTHON_PREFIX}called"  # the same for what a library of Python has made
_LENGTH_ARGUMENT = 2  # of memcpy and the like
_VA_LIST_OFFSETS = (0, 8, 16)  # where the lists of arguments of common machines keep pointers


class CallRules:
    """Adds the rules of a CALL as soon as it is known what it calls."""

    def __init__(self, constraints: Constraints, handed_on: Mapping[int, HandedOn]) -> None:
        self.constraints = constraints
        self.handed_on = handed_on
        self.seen: set[tuple[Site, int | str]] = set()

    def enter(self, site: Site, routine: int) -> None:
        """A CALL may enter a routine of the program."""
        made = self.constraints
        if (site, routine) in self.seen:
            return
        self.seen.add((site, routine))
        made.note_call(site, routine)
        body = made.program.routines[routine]
        first = made.first_value[routine]
        for number, argument in enumerate(site.arguments):
            if argument < 0:
                continue
            if number < body.parameters:
                made.copies.append((argument, first + number))
            elif body.is_variadic:
                made.copies.append((argument, made.contents[made.variadic_cell(routine)]))
        handed_on = self.handed_on.get(routine)
        if handed_on is None:
            made.copies.append((made.returned(routine), site.result))
        else:
            self._hand_on(site, handed_on, body.name)

    def _hand_on(self, site: Site, handed_on: HandedOn, name: str) -> None:
        """What comes back is known without a look at other calls of the same routine."""
        made = self.constraints
        for number in handed_on.arguments:
            if number < len(site.arguments) and site.arguments[number] >= 0:
                made.copies.append((site.arguments[number], site.result))
        if not handed_on.is_fresh:
            return
        cell = made.made_at(site.routine, site.position, name)
        made.points.append((site.result, cell))
        for number in handed_on.copied:
            if number < len(site.arguments) and site.arguments[number] >= 0:
                made.blocks.append(
                    Block(
                        made.address_node(cell),
                        site.arguments[number],
                        NO_LENGTH,
                        (site.routine, site.position),
                    )
                )

    def use_object(self, site: Site, object: Object) -> None:
        """A CALL may call a thing of a library: a function, or what one returned."""
        name = function_name(object)
        if not name:
            return
        if name.endswith(")"):
            self.use(site, SOME_FUNCTION)
        elif not name.startswith("*"):
            self.use(site, name)

    def use(self, site: Site, name: str) -> None:
        """A CALL may call a function of a library."""
        made = self.constraints
        if (site, name) in self.seen:
            return
        self.seen.add((site, name))
        made.note_call(site, name=name)
        if name.startswith("llvm.va_start"):
            self._fill_list(site)
            return
        if name in ("__cxa_throw", "python.raise") and site.arguments[0] >= 0:
            made.copies.append((site.arguments[0], made.thrown))
        effect = effect_of(name)
        for slot in effect.makes:
            cell = made.made_at(site.routine, site.position, name, self._size(site, name))
            for node in self._nodes(slot, site, effect):
                self._put(made.address_node(cell), node, slot.depth)
        if effect.is_own:
            cell = made.owned_by(name)
            made.points.append((site.result, cell))
            if name.startswith(PYTHON_PREFIX):  # it holds itself, as attributes of it do
                made.points.append((made.contents[cell], cell))
        if not effect.is_known:
            self._mix(site)
        for transfer in effect.transfers:
            if not transfer.has_pointers:
                self._keep_named(transfer)
                continue
            for source in self._nodes(transfer.source, site, effect):
                for target in self._nodes(transfer.target, site, effect):
                    if source == target and transfer.target.depth:
                        continue
                    if transfer.is_copy:
                        length = self._length(site, name)
                        made.blocks.append(Block(target, source, length, (site.routine, site.position)))
                    else:
                        self._put(self._behind(source, transfer.source.depth), target, transfer.target.depth)
        # What a library function is called back with is not called back again: that would never end.
        for callback in () if site.is_callback else effect.callbacks:
            arguments = [
                self._behind(node, slot.depth)
                for slot in callback.arguments
                for node in self._nodes(slot, site, effect)
            ]
            for pointer in self._nodes(callback.argument, site, effect):
                called = Site(site.routine, site.position, tuple(arguments), made.new_node(), True)
                made.calls.append((self._behind(pointer, callback.argument.depth), called))

    def _keep_named(self, transfer: Transfer) -> None:
        """See that there is an object for what a library keeps to itself, though no pointers lie there."""
        for slot in (transfer.source, transfer.target):
            if slot.base == NAMED:
                self._named(slot)

    def _named(self, slot: CallValue) -> int:
        made = self.constraints
        return made.object_named(made.program.shared.get(slot.name) or External(slot.name))

    def _mix(self, site: Site) -> None:
        """Pointers that lie where one argument of an unknown function points may lie where all others do."""
        made = self.constraints
        mixed = made.new_node()
        for argument in site.arguments:
            if argument >= 0:
                made.loads.append((argument, mixed))
                made.stores.append((argument, mixed))

    def _fill_list(self, site: Site) -> None:
        made = self.constraints
        if site.arguments and site.arguments[0] >= 0:
            further = made.address_node(made.variadic_cell(site.routine))
            for offset in _VA_LIST_OFFSETS:
                at = made.new_node()
                made.fields.append((site.arguments[0], offset, at, ()))
                made.stores.append((at, further))

    def _nodes(self, slot: CallValue, site: Site, effect: Effect) -> list[int]:
        made = self.constraints
        if slot.base == NAMED:
            return [made.address_node(made.numbers[self._named(slot), 0])]
        if slot.base == RESULT:
            if slot.depth and effect.is_fresh:
                return [made.address_node(made.made_at(site.routine, site.position, ""))]
            return [site.result]
        found = [site.arguments[n] for n in slot.arguments(len(site.arguments))]
        return [each for each in found if each >= 0]

    def _behind(self, node: int, depth: int) -> int:
        for _ in range(depth):
            behind = self.constraints.new_node()
            self.constraints.loads.append((node, behind))
            node = behind
        return node

    def _put(self, source: int, target: int, depth: int) -> None:
        if depth == 0:
            self.constraints.copies.append((source, target))
        else:
            self.constraints.stores.append((self._behind(target, depth - 1), source))

    def _constant(self, site: Site, argument: int) -> int | None:
        body = self.constraints.program.routines[site.routine]
        instruction = body.instructions[site.position]
        if instruction.kind is not Kind.CALL or argument + 1 >= len(instruction.operands):
            return None
        operand = instruction.operands[argument + 1]
        outside = body.outside[~operand] if operand < 0 else None
        found = re.search(r"(\d+)$", outside.text) if isinstance(outside, Constant) else None
        return int(found[1]) if found else None

    def _length(self, site: Site, name: str) -> int:
        if not re.search(r"mem(p?cpy|move)", name):
            return NO_LENGTH
        found = self._constant(site, _LENGTH_ARGUMENT)
        return NO_LENGTH if found is None else found

    def _size(self, site: Site, name: str) -> int:
        if name == NEW_PYTHON:
            return PYTHON_BYTES
        if name not in {"malloc", "_Znwm"}:
            return 0
        return self._constant(site, 0) or 0


def function_name(object: Object) -> str:
    """The name of what is called if an object of a library is; empty if it cannot be called."""
    if object.kind is ObjectKind.EXTERNAL:
        is_held = object.name.startswith(PYTHON_PREFIX) and object.name.endswith("()")
        return SOME_PYTHON if is_held else object.name
    is_made = object.kind is ObjectKind.HEAP and object.name.startswith(PYTHON_PREFIX)
    return SOME_PYTHON if is_made and not effect_of(object.name).is_known else ""


def add_main(constraints: Constraints) -> None:
    """What main gets from the system; where there is no main, what the callers of a library give to it."""
    program = constraints.program
    main = program.shared.get("main")
    if isinstance(main, RoutineRef):
        body = program.routines[main.id]
        environment = constraints.object_named(program.shared.get("environ") or External("environ"))
        _point_to_texts(constraints, constraints.contents[constraints.numbers[environment, 0]], "environ")
        first = constraints.first_value[main.id]
        for number in range(1, body.parameters):
            _point_to_texts(constraints, first + number, "argv" if number == 1 else "environ")
        return
    for number, body in enumerate(program.routines):
        if not body.is_internal:
            for parameter in range(body.parameters):
                name = f"{body.name}({parameter})"
                object = constraints.new_object(Object(ObjectKind.EXTERNAL, -1, -1, name), is_folded=True)
                cell = constraints.numbers[object, 0]
                constraints.points.append((constraints.first_value[number] + parameter, cell))
                constraints.points.append((constraints.contents[cell], cell))


def _point_to_texts(constraints: Constraints, node: int, name: str) -> None:
    """Let a node point to a list of pointers to texts."""
    cells = []
    for each in (name, f"{name}[]"):
        object = constraints.object_named(External(f"*{each}"))
        cells.append(constraints.numbers[object, 0])
    constraints.points.append((node, cells[0]))
    constraints.points.append((constraints.contents[cells[0]], cells[1]))
