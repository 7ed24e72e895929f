"""Which loads may see the first value of a global: it may be overwritten before anything reads it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property

from sonde.core.code import Kind
from sonde.methods.impact.flow.graph import Flow
from sonde.methods.impact.flow.overwriting import CellOverwriting, CellStore, Overwriting
from sonde.methods.impact.program.calls import throwing
from sonde.methods.impact.program.order import Order

MOST_VALUES = 400_000  # of a program; in larger ones every load may see it

Replacing = Callable[[Sequence[CellStore]], Sequence[CellStore]]


class FirstValues:
    """Answers for one program.

    `replacing` gives further places at which a cell is surely overwritten, for all STOREs that overwrite it
    where they are executed: those behind the reading of the command line, if every configuration has words
    that lead to one of them.
    """

    def __init__(self, flow: Flow, replacing: Replacing = lambda _: ()) -> None:
        self.flow, self.replacing = flow, replacing

    def seen_by(self, cell: int) -> list[int]:
        """The nodes at which the first value of a cell is seen; the cell's own if any may see it."""
        everything = [self.flow.cell(cell)]
        loads = self._loads(cell)
        if loads is None or self._overwriting is None or not self._overwriting.is_single(cell):
            return everything
        nodes = {node for several in loads.values() for _, node in several}
        stores = list(self._sure_stores(cell))
        begin = self._begin(loads)
        if not stores or begin is None:
            return everything
        stores += self.replacing(stores)
        hidden = CellOverwriting(self._overwriting, stores, loads).hidden(begin, ())
        return sorted(nodes - hidden)

    def _loads(self, cell: int) -> dict[int, list[tuple[int, int]]] | None:
        """By routine: positions and nodes of the loads of a cell; None if anything else reads it."""
        flow, found = self.flow, dict[int, list[tuple[int, int]]]()
        for reader in self._readers(self.flow.cell(cell)):
            where = flow.where(reader)
            code = flow.program.routines[where.routine]
            position = where.index - code.parameters
            if where.kind != "value" or position < 0 or code.instructions[position].kind is not Kind.LOAD:
                return None
            found.setdefault(where.routine, []).append((position, reader))
        return found

    def _begin(self, loads: Mapping[int, Sequence[tuple[int, int]]]) -> CellStore | None:
        """The first value as something that is stored where main begins; None if code runs before main."""
        mains = list(self.flow.program.find_routines("main"))
        sizes = [
            self.flow.program.routines[routine].instructions[position].size
            for routine, several in loads.items()
            for position, _ in several
        ]
        if len(mains) != 1 or self.flow.program.startup or not all(sizes):
            return None
        return CellStore(mains[0], -1, max(sizes, default=0))

    def _sure_stores(self, cell: int) -> Iterator[CellStore]:
        for routine, position in self._stores.get(cell, ()):
            store = self._overwriting.store(routine, position) if self._overwriting else None
            if store is not None:
                yield store

    @cached_property
    def _stores(self) -> dict[int, list[tuple[int, int]]]:
        """The STOREs whose address can mean one cell only."""
        found: dict[int, list[tuple[int, int]]] = {}
        for number, code in enumerate(self.flow.program.routines):
            for position in code.stores:
                cells = self.flow.memory.pointees(number, code.instructions[position].operands[0])
                if len(cells) == 1:
                    found.setdefault(cells[0], []).append((number, position))
        return found

    @cached_property
    def _overwriting(self) -> Overwriting | None:
        """None where control may go where no call leads, and in programs that are too large."""
        flow, program = self.flow, self.flow.program
        if sum(flow.numbering.values) > MOST_VALUES or program.is_dynamic or throwing(flow.calls):
            return None
        routes = [
            [() if block in flow.ends.final[number] else each for block, each in enumerate(code.routes)]
            for number, code in enumerate(program.routines)
        ]
        order = Order(program, flow.calls, routes)
        return None if order.has_jumps else Overwriting(program, flow.memory, flow.calls, order)

    def _readers(self, node: int) -> list[int]:
        """Where what lies in a cell goes."""
        nodes = self.flow.nodes
        return [*self.flow.plain.rows(nodes).of(node), *self.flow.special.rows(nodes).of(node)]
