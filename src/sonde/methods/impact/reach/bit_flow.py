"""Where some bits of a value come to: `flags & 4` holds the third bit of `flags`, and none of the others.

What copies a value, masks it or shifts it by a known number keeps bits apart. Whatever else is done with it,
such as a comparison, a sum or a call of a library, makes all of the result depend on it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sonde.core.code import Instruction, Kind, Routine
from sonde.methods.impact.constants import bits_carried, number_of
from sonde.methods.impact.flow.building import Flow, FlowStep, NodeOrigin
from sonde.methods.impact.flow.memory import room_of
from sonde.methods.impact.reach.moments import Moments
from sonde.methods.impact.reach.searching import reach_forward

MOST_STEPS = 200_000  # with more of them, bits are not told apart
COMPUTE, LOAD, STORE, PHI = Kind.COMPUTE, Kind.LOAD, Kind.STORE, Kind.PHI
CALL, RETURN = Kind.CALL, Kind.RETURN
MEMORY = ("cell", "cells")


class BitFlow:
    """Answers for one program."""

    def __init__(self, flow: Flow) -> None:
        self.flow, self.room = flow, room_of(flow.memory)
        self.copying = frozenset(each for nodes in flow.copies.values() for each in nodes)

    def reached(self, begin: Mapping[int, int], stays: Moments) -> bytearray | None:
        """Where these bits of these nodes come to by values alone: 1 for each such node, 0 for the others.

        Calls and returns are not matched here. None if there is too much to look at.
        """
        spread = _Spread(self, begin)
        if not spread.run():
            return None
        found = bytearray(self.flow.nodes)
        if spread.mixed:
            reach = reach_forward(self.flow, spread.mixed, 0, stays)
            states = np.frombuffer(reach.found, dtype=np.uint8).reshape(-1, 2)  # two of each node
            found = bytearray(states.any(axis=1).astype(np.uint8).tobytes())
        for node in spread.bits:
            found[node] = 1
        return found


class _Spread:
    """The bits of each node that depend on what is begun with; `mixed` nodes depend on it as a whole."""

    def __init__(self, known: BitFlow, begin: Mapping[int, int]) -> None:
        self.flow, self.program = known.flow, known.flow.program
        self.room, self.copying = known.room, known.copying
        self.bits = {node: bits for node, bits in begin.items() if bits}
        self.sizes: dict[int, int] = {}  # of what is stored in memory, in bytes
        self.mixed: dict[int, None] = {}
        self.waiting = list(self.bits)

    def run(self) -> bool:
        """Whether all was looked at."""
        steps = 0
        while self.waiting:
            node = self.waiting.pop()
            if node in self.mixed:
                continue
            here = self.flow.where(node)
            for other, step, _ in self.flow.successors(node):
                steps += 1
                if step is not FlowStep.CONTROL:
                    self._go(node, here, other, step)
                elif here.kind == "value":
                    self.mixed[node] = None  # it decides something
            if steps > MOST_STEPS:
                return False
        return True

    def _go(self, node: int, here: NodeOrigin, other: int, step: FlowStep) -> None:
        if other in self.mixed:
            return
        there = self.flow.where(other)
        bits = self._carried(node, here, other, there, step)
        if bits is None:
            self.mixed[other] = None
            return
        known = self.bits.get(other, 0)
        if bits & ~known:
            self.bits[other] = known | bits
            self.waiting.append(other)

    def _carried(
        self, node: int, here: NodeOrigin, other: int, there: NodeOrigin, step: FlowStep
    ) -> int | None:
        """The bits that come along an edge; None if all depends on them."""
        bits = self.bits[node]
        if there.kind in MEMORY:
            return bits if self._fits(node, here, other) else None
        if there.kind == "returned":
            each = self._instruction(here)
            return bits if each is not None and each.kind is RETURN else None
        if there.kind != "value":
            return None
        code = self.program.routines[there.routine]
        if there.index < code.parameters:
            return bits if step is FlowStep.CALL else None
        each = code.instructions[there.index - code.parameters]
        if each.kind is COMPUTE:
            return self._computed(there.routine, code, each)
        if each.kind is CALL:
            if other in self.copying:
                return bits if self._is_one_field(node, here, other) else None
            return bits if step is FlowStep.RETURN else None
        address = self.flow.value(there.routine, each.operands[0]) if each.operands else -1
        if each.kind is LOAD:
            if node == address or (here.kind in MEMORY and not self._is_narrow(there.routine, each)):
                return None
            return bits if self._size(node, here) in (0, each.size) else None
        if each.kind is STORE:
            return bits if node != address else None
        return bits if each.kind in (PHI, RETURN) else None

    def _size(self, node: int, here: NodeOrigin) -> int:
        """How many bytes were stored; 0 if that is not known."""
        each = self._instruction(here)
        return each.size if each is not None and each.kind is STORE else self.sizes.get(node, 0)

    def _instruction(self, where: NodeOrigin) -> Instruction | None:
        if where.kind != "value":
            return None
        code = self.program.routines[where.routine]
        return code.instructions[where.index - code.parameters] if where.index >= code.parameters else None

    def _is_one_field(self, node: int, here: NodeOrigin, copy: int) -> bool:
        """Whether a call copies a field to the same field of something else."""
        flow, cells = self.flow, self.flow.memory.cells
        targets = [flow.where(each) for each in flow.plain.rows(flow.nodes).of(copy)]
        if node in self.sizes:
            self.sizes[copy] = self.sizes[node]
        return (
            here.kind == "cell"
            and flow.plain.back(flow.nodes).count(copy) == 1
            and all(each.kind == "cell" for each in targets)
            and len({cells[each.index].offset for each in targets}) == 1
        )

    def _fits(self, node: int, here: NodeOrigin, other: int) -> bool:
        """Whether something is stored as it is, all of it in one place, and always in the same size."""
        if here.kind == "value" and node not in self.copying:
            each = self._instruction(here)
            if each is None or each.kind is not STORE or not self._is_narrow(here.routine, each):
                return False
        size = self._size(node, here)
        return not size or self.sizes.setdefault(other, size) == size

    def _is_narrow(self, routine: int, each: Instruction) -> bool:
        """Whether what is loaded or stored ends before the next field."""
        cells = self.flow.memory.pointees(routine, each.operands[0])
        return all(each.size <= self.room[cell] for cell in cells)

    def _computed(self, routine: int, code: Routine, each: Instruction) -> int | None:
        given = [
            self.bits.get(self.flow.value(routine, operand), 0) if operand >= 0 else 0
            for operand in each.operands
        ]
        numbers = [number_of(code, operand) for operand in each.operands]
        return bits_carried(each.shape, given, numbers)
