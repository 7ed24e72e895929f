"""Keeps stores from loads that are over by the time of the store."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np

from sonde.methods.impact.flow_graph import Numbering, Where
from sonde.methods.impact.flow_memory import CellEdges
from sonde.methods.impact.order import Order, is_call
from sonde.methods.impact.program import Program

Place = tuple[int, int]  # routine, position; -1 for parameters


def part_late_stores(program: Program, order: Order, cells: CellEdges) -> None:
    """Gives each store that some loads of its cell cannot see a node of the cell for the other loads."""
    plain, numbering = cells.plain, cells.numbering
    sources = np.frombuffer(plain.sources, dtype=np.int32)
    targets = np.frombuffer(plain.targets, dtype=np.int32)
    first, end = numbering.first_cell, numbering.first_set
    stored = np.flatnonzero((targets >= first) & (targets < end) & (sources < first))
    loaded = np.flatnonzero((sources >= first) & (sources < end))
    stores: dict[int, list[int]] = {}
    for edge, cell in zip(stored.tolist(), targets[stored].tolist(), strict=True):
        stores.setdefault(cell, []).append(edge)
    readers: dict[int, list[int]] = {}
    for cell, node in zip(sources[loaded].tolist(), targets[loaded].tolist(), strict=True):
        readers.setdefault(cell, []).append(node)
    stored_from = sources[stored].tolist()
    origins = dict(zip(stored.tolist(), stored_from, strict=True))
    del sources, targets  # they lock the arrays, which grow below
    for cell, edges in stores.items():
        if cell in readers:
            _part(program, order, cells, cell, [(edge, origins[edge]) for edge in edges], readers[cell])


def _part(
    program: Program,
    order: Order,
    cells: CellEdges,
    cell: int,
    edges: Sequence[tuple[int, int]],
    readers: Sequence[int],
) -> None:
    numbering = cells.numbering
    loads: dict[int, list[tuple[int, int]]] = {}  # by routine: position, node
    for node in readers:
        place = _place(program, numbering, node)
        if place is not None:
            loads.setdefault(place[0], []).append((place[1], node))
    reading = sum(1 << routine for routine in loads)
    nodes: dict[frozenset[int], int] = {}
    for edge, origin in edges:
        place = _place(program, numbering, origin)
        if place is None:
            continue
        routine, position = place
        missing = reading & ~order.after(routine, position, is_call(program, routine, position))
        over: set[int] = set()
        while missing:
            other = missing.bit_length() - 1
            missing ^= 1 << other
            over.update(
                node for at, node in loads[other] if not order.may_follow(routine, position, other, at)
            )
        if over:
            key = frozenset(over)
            if key not in nodes:
                nodes[key] = cells.new(Where("cell", -1, cell - numbering.first_cell))
                cells.plain.add_to_all(nodes[key], [node for node in readers if node not in over])
            cells.plain.targets[edge] = nodes[key]


def _place(program: Program, numbering: Numbering, node: int) -> Place | None:
    """Routine and position of a value; None for other nodes."""
    if node >= numbering.first_cell:
        return None
    routine = bisect_right(numbering.firsts, node) - 1
    index = node - numbering.firsts[routine]
    if index >= numbering.values[routine]:
        return None
    return routine, max(-1, index - program.routines[routine].parameters)
