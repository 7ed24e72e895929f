"""The edges of the flow graph that calls make: into routines and back, and what library functions do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from sonde.core.code import Assembly, Routine
from sonde.methods.impact.flow.edges import FlowEdges, FlowStep, label_of
from sonde.methods.impact.flow.graph import NodeOrigin
from sonde.methods.impact.flow.memory import CellEdges
from sonde.methods.impact.library.models import NAMED, RESULT, UNKNOWN, CallValue, Effect, effect_of
from sonde.methods.impact.program.calls import THROWS, Call, routines_in, throwing
from sonde.methods.impact.program.linking import Program


class CallEdges:
    """Adds the edges of calls to a graph."""

    def __init__(
        self, program: Program, calls: Sequence[Sequence[Call]], cells: CellEdges, special: FlowEdges
    ) -> None:
        self.program, self.calls, self.cells, self.special = program, calls, cells, special
        self.throwing = throwing(calls)
        self.plain, self.memory, self.numbering = cells.plain, cells.memory, cells.numbering
        self.entering: dict[int, int] = {}  # by the node of the CALL
        self.fixed: dict[tuple[int, int], int] = {}  # by the node of the CALL and the place of the argument
        self._gives = [routine.gives for routine in program.routines]

    def add(self, number: int, dead_ends: Set[int]) -> None:
        """Adds all calls of a routine; those in dead ends lead nowhere."""
        routine = self.program.routines[number]
        base = self.numbering.firsts[number]
        for call in self.calls[number]:
            site = base + routine.parameters + call.position
            operands = routine.instructions[call.position].operands
            if operands[0] >= 0:
                self.plain.add(base + operands[0], site)
            if call.block in dead_ends:
                continue
            what = NodeOrigin("value", number, routine.parameters + call.position)
            for callee in call.callees:
                self._enter(number, call, callee, site)
                self._pass(number, operands[1:], callee, site, what)
            if call.callees or call.called_back:
                self._start(call, site, what)
            for name in call.externals:
                self._use_library(number, call, site, effect_of(name))
            if operands[0] < 0 and isinstance(routine.outside[~operands[0]], Assembly):
                self._use_library(number, call, site, UNKNOWN)
            if number in self.throwing:
                self._throw(number, call, site)
            copied = self.memory.copied(number, call.position)
            if copied:
                self.cells.copy(copied, site, what)

    def _start(self, call: Call, site: int, what: NodeOrigin) -> None:
        """A node for this very call, which nothing comes to: where the effects of a new call begin."""
        node = self.entering[site] = self.cells.new(what)
        for callee in dict.fromkeys((*call.callees, *call.called_back)):
            entry = self.numbering.firsts[callee] + self.numbering.values[callee]
            self.special.add_labelled(node, entry, label_of(FlowStep.CALL, site))

    def _enter(self, number: int, call: Call, callee: int, site: int) -> None:
        """Whether the callee is executed, and what it returns."""
        numbering = self.numbering
        base = numbering.firsts[number]
        executed = base + numbering.values[number] + numbering.blocks[number] + call.block
        entry = numbering.firsts[callee] + numbering.values[callee]
        self.special.add_labelled(executed, entry, label_of(FlowStep.CALL, site))
        pointer = self.program.routines[number].instructions[call.position].operands[0]
        if pointer >= 0:
            self.special.add_labelled(base + pointer, entry, label_of(FlowStep.CONTROL, site))
        if self._gives[callee] or callee in self.throwing:
            returned = entry + 2 * numbering.blocks[callee]
            self.special.add_labelled(returned, site, label_of(FlowStep.RETURN, site))

    def _throw(self, number: int, call: Call, site: int) -> None:
        """That a routine throws is told to its callers like what it returns."""
        blocks = self.numbering.firsts[number] + self.numbering.values[number]
        returned = blocks + 2 * self.numbering.blocks[number]
        if not THROWS.isdisjoint(call.externals):
            self.plain.add(blocks + call.block, returned)
        if not self.throwing.isdisjoint(call.callees):
            self.plain.add(site, returned)
            self.plain.add(blocks + call.block, returned)

    def _pass(self, number: int, arguments: Sequence[int], callee: int, site: int, what: NodeOrigin) -> None:
        """Arguments to parameters; a constant gets a node of its own, as it may be what has changed."""
        base = self.numbering.firsts[number]
        first = self.numbering.firsts[callee]
        parameters = self.program.routines[callee].parameters
        label = label_of(FlowStep.CALL, site)
        further = self.memory.variadic_cell(callee)
        for place, argument in enumerate(arguments):
            if argument >= 0:
                node = base + argument
            elif (site, place) in self.fixed:
                node = self.fixed[site, place]
            else:
                node = self.fixed[site, place] = self.cells.new(what)
            if place < parameters:
                self.special.add_labelled(node, first + place, label)
            elif further is not None:
                self.cells.write(node, (further,))

    def _use_library(self, number: int, call: Call, site: int, effect: Effect) -> None:
        """What a library function does; all of it goes through the node of the CALL, but for plain copies."""
        routine = self.program.routines[number]
        arguments = routine.instructions[call.position].operands[1:]
        base = self.numbering.firsts[number]
        read: dict[CallValue, None] = {}
        written: dict[CallValue, None] = {}
        for transfer in effect.transfers:
            if not transfer.is_copy:
                read[transfer.source] = None
            if transfer.target.depth or transfer.target.base == NAMED:
                written[transfer.target] = None
        for slot in read:
            self._read(number, arguments, slot, site)
        if written:
            executed = base + self.numbering.values[number] + self.numbering.blocks[number] + call.block
            self.plain.add(executed, site)
        if any(transfer.is_copy for transfer in effect.transfers):  # to where, from where and how much
            self.plain.add_all([base + each for each in arguments if each >= 0], site)
        else:
            self._point(base, arguments, (*read, *written), site)
        for slot in written:
            for cells in self._cells(number, arguments, slot, routine.parameters + call.position):
                self.cells.write(site, cells)
        self._call_back(number, call, site, effect)

    def _point(self, base: int, arguments: Sequence[int], slots: Sequence[CallValue], site: int) -> None:
        """Values that are used, and pointers, which decide what is read and written."""
        places = {place for slot in slots for place in slot.arguments(len(arguments))}
        self.plain.add_all([base + arguments[each] for each in sorted(places) if arguments[each] >= 0], site)

    def _read(self, number: int, arguments: Sequence[int], slot: CallValue, site: int) -> None:
        for cells in self._cells(number, arguments, slot, -1):
            self.cells.read(cells, site)

    def _cells(
        self, number: int, arguments: Sequence[int], slot: CallValue, result: int
    ) -> Iterator[tuple[int, ...]]:
        """The cells that a slot means, nothing for a value; result is the value of the call."""
        if slot.depth == 0:
            return
        if slot.base == NAMED:
            object = self.memory.object_of_external(slot.name)
            found = [] if object is None else [self.cells.all_of(object)]
        elif slot.base == RESULT:
            found = [self.cells.from_here_on(number, result)] if result >= 0 else []
        else:
            found = [
                self.cells.from_here_on(number, arguments[place]) for place in slot.arguments(len(arguments))
            ]
        for _ in range(slot.depth - 1):
            found = [self.cells.behind(cells) for cells in found]
        yield from (cells for cells in found if cells)

    def _call_back(self, number: int, call: Call, site: int, effect: Effect) -> None:
        """Routines that the function calls: whether, and with what."""
        from_routine = self.program.routines[number]
        arguments = from_routine.instructions[call.position].operands[1:]
        for callback in effect.callbacks:
            for callee in self._called_back(number, arguments, callback.argument):
                self._enter(number, call, callee, site)
                self._pass_back(number, arguments, callback.arguments, callee, site)

    def _called_back(self, number: int, arguments: Sequence[int], slot: CallValue) -> list[int]:
        """The routines that a slot points to."""
        if slot.depth == 0:
            pointees = [self.memory.pointees(number, arguments[n]) for n in slot.arguments(len(arguments))]
        else:
            deeper = slot._replace(depth=slot.depth + 1)
            pointees = list(self._cells(number, arguments, deeper, -1))
        return list(
            dict.fromkeys(routine for cells in pointees for routine in routines_in(self.memory, cells))
        )

    def _pass_back(
        self, number: int, arguments: Sequence[int], slots: Sequence[CallValue], callee: int, site: int
    ) -> None:
        base, first = self.numbering.firsts[number], self.numbering.firsts[callee]
        routine: Routine = self.program.routines[callee]
        for parameter, slot in enumerate(_spread(slots, routine.parameters)):
            if slot.depth:
                for cells in self._cells(number, arguments, slot, -1):
                    self.cells.read(cells, first + parameter)
                continue
            for place in slot.arguments(len(arguments)):
                if arguments[place] >= 0:
                    label = label_of(FlowStep.CALL, site)
                    self.special.add_labelled(base + arguments[place], first + parameter, label)


def _spread(slots: Sequence[CallValue], parameters: int) -> Iterator[CallValue]:
    """A slot for each parameter; the last one stands for those behind it, if it means several."""
    for parameter in range(parameters):
        if parameter < len(slots):
            yield slots[parameter]
        elif slots and slots[-1].is_rest:
            yield slots[-1]
