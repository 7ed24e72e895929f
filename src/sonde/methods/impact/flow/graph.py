"""How values and decisions move through a program: the flow graph.

Nodes are
- values: parameters and instructions of a routine; a CALL is what it gives back, and what it writes;
- blocks: whether, or how often, a block is executed. There are two for each block: `block` is decided
  inside of the routine (a branch sends control there or not), `executed` also by who calls the routine.
  What a routine does with its own variables depends on the first one only: that it is called at all does
  not change them;
- returned: what a routine returns;
- cells: what lies in memory. Where the same set of cells is loaded or stored in many places, a node of its
  own stands for the whole set; where a call copies several fields at once, a node for each field stands for
  the call, so that fields stay apart.

Dead ends (see `dead_ends`) have no influence on anything outside of them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from sonde.methods.impact.endings.dead_ends import Ends
from sonde.methods.impact.flow.edges import SITE_SHIFT, EdgeRows, FlowEdges, FlowStep
from sonde.methods.impact.program.calls import Call
from sonde.methods.impact.program.linking import Program
from sonde.methods.impact.program.memory import Memory
from sonde.methods.impact.program.reaching_definitions import ReachingDefinitions

STEPS = tuple(FlowStep)


class NodeOrigin(NamedTuple):
    """What a node stands for."""

    kind: str  # 'value', 'block', 'returned', 'cell', or 'cells' for a set of cells
    routine: int  # -1 for memory
    index: int  # type: ignore[assignment]  # of the value, block or cell; -1 for sets and what is returned


@dataclass(frozen=True)
class NodeNumbers:
    """The numbers of nodes: routine by routine values, blocks, blocks once more, returned; then memory."""

    firsts: Sequence[int]  # of each routine
    values: Sequence[int]  # how many each routine has
    blocks: Sequence[int]
    first_cell: int
    first_set: int  # behind the cells

    def returned(self, routine: int) -> int:
        """The node of what a routine returns."""
        return self.firsts[routine] + self.values[routine] + 2 * self.blocks[routine]


@dataclass
class Flow:
    """The flow graph of a program."""

    program: Program
    memory: Memory
    calls: Sequence[Sequence[Call]]  # of each routine; with what library functions call back
    ends: Ends
    deciders: Sequence[Sequence[tuple[int, ...]]]  # by routine and block: the blocks that decide about it
    definitions: Sequence[ReachingDefinitions]  # of each routine
    numbering: NodeNumbers
    nodes: int
    sets: Sequence[NodeOrigin]  # what the nodes behind the cells stand for
    copies: Mapping[int, Sequence[int]]  # further nodes of CALLs that copy memory, by the CALL's node
    entering: Mapping[int, int] = field(repr=False)  # see `entrance`; by the CALL's node
    fixed: Mapping[tuple[int, int], int] = field(repr=False)  # see `argument`; also by the argument's place
    plain: FlowEdges = field(repr=False)  # FLOW and MEMORY
    special: FlowEdges = field(repr=False)  # CALL, RETURN and CONTROL, with labels
    kept: dict[int, object] = field(default_factory=dict, repr=False)  # summaries, by their most hops

    def value(self, routine: int, value: int) -> int:
        """The node of a parameter or an instruction (its position plus the number of parameters)."""
        return self.numbering.firsts[routine] + value

    def block(self, routine: int, block: int) -> int:
        """The node of: whether a routine that is called executes this block, and how often."""
        return self.numbering.firsts[routine] + self.numbering.values[routine] + block

    def executed(self, routine: int, block: int) -> int:
        """The node of: whether this block is executed at all, and how often."""
        return self.block(routine, block) + self.numbering.blocks[routine]

    def returned(self, routine: int) -> int:
        """The node of what a routine returns."""
        return self.numbering.returned(routine)

    def cell(self, cell: int) -> int:
        """The node of what lies in a cell."""
        return self.numbering.first_cell + cell

    def entrance(self, routine: int, position: int) -> int | None:
        """A node for: this very CALL enters what it calls.

        Nothing comes to it: it is where the effects of a new call begin. None if the CALL enters no
        routine, or only leads to failure.
        """
        return self.entering.get(self._call(routine, position))

    def argument(self, routine: int, position: int, number: int) -> int | None:
        """The node of an argument of a CALL, by its number from 0; a constant has its own for each CALL.

        What begins there enters what is called by this very CALL, and leaves it there. None for constants
        that are given to library functions only.
        """
        operand = self.program.routines[routine].instructions[position].operands[number + 1]
        if operand >= 0:
            return self.value(routine, operand)
        return self.fixed.get((self._call(routine, position), number))

    def _call(self, routine: int, position: int) -> int:
        return self.value(routine, self.program.routines[routine].parameters + position)

    def where(self, node: int) -> NodeOrigin:
        """What a node stands for; several nodes may stand for one block or one CALL."""
        numbers = self.numbering
        if node >= numbers.first_cell:
            if node >= numbers.first_set:
                return self.sets[node - numbers.first_set]
            return NodeOrigin("cell", -1, node - numbers.first_cell)
        routine = bisect_right(numbers.firsts, node) - 1
        index = node - numbers.firsts[routine]
        if index < numbers.values[routine]:
            return NodeOrigin("value", routine, index)
        index -= numbers.values[routine]
        blocks = numbers.blocks[routine]
        return (
            NodeOrigin("returned", routine, -1)
            if index == 2 * blocks
            else NodeOrigin("block", routine, index % blocks)
        )

    def successors(self, node: int) -> Iterator[tuple[int, FlowStep, int]]:
        """Where something goes from here: node, step, and the node of the CALL or -1."""
        return self._neighbours(node, self.plain.rows(self.nodes), self.special.rows(self.nodes))

    def predecessors(self, node: int) -> Iterator[tuple[int, FlowStep, int]]:
        """Where something here comes from: node, step, and the node of the CALL or -1."""
        return self._neighbours(node, self.plain.back(self.nodes), self.special.back(self.nodes))

    def _neighbours(
        self, node: int, plain: EdgeRows, special: EdgeRows
    ) -> Iterator[tuple[int, FlowStep, int]]:
        for other in plain.of(node):
            yield other, self.plain_step(node, other), -1
        for other, label in special.labelled(node):
            yield other, STEPS[label & 7], (label >> SITE_SHIFT) - 1

    def plain_step(self, node: int, other: int) -> FlowStep:
        """What an edge without a label is."""
        return FlowStep.MEMORY if max(node, other) >= self.numbering.first_cell else FlowStep.FLOW

    def callers(self, routine: int) -> Sequence[tuple[int, int]]:
        """The calls that may enter a routine: routine and position of the CALL."""
        return self._callers.get(routine, ())

    @cached_property
    def _callers(self) -> dict[int, list[tuple[int, int]]]:
        found: dict[int, list[tuple[int, int]]] = {}
        for number, calls in enumerate(self.calls):
            for call in calls:
                for callee in dict.fromkeys((*call.callees, *call.called_back)):
                    found.setdefault(callee, []).append((number, call.position))
        return found

    def controllers(self, routine: int, block: int) -> Sequence[int]:
        """Positions of the BRANCH, SWITCH or CALL that decide directly whether a block is executed."""
        blocks = self.program.routines[routine].blocks
        return [blocks[each][1] - 1 for each in self.deciders[routine][block]]

    @property
    def dead_ends(self) -> Mapping[int, frozenset[int]]:
        """For each routine the blocks that can only end in failure."""
        return self.ends.dead_ends
