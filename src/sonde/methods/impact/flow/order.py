"""Keeps stores from loads that cannot see them: they are over by then, or the cell was overwritten before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from sonde.methods.impact.flow.graph import NodeNumbers, NodeOrigin
from sonde.methods.impact.flow.memory import CellEdges
from sonde.methods.impact.flow.overwriting import CellOverwriting, Overwriting
from sonde.methods.impact.program.linking import Program
from sonde.methods.impact.program.order import Order, is_call

Place = tuple[int, int]  # routine, position; -1 for parameters
Nodes = np.ndarray[tuple[int], np.dtype[np.int32]]


def part_stores(
    program: Program, order: Order, cells: CellEdges, overwriting: Overwriting | None = None
) -> None:
    """Gives each store that some loads of its cell cannot see a node of the cell for the other loads."""
    plain, numbering = cells.plain, cells.numbering
    sources = np.frombuffer(plain.sources, dtype=np.int32)
    targets = np.frombuffer(plain.targets, dtype=np.int32)
    first, end = numbering.first_cell, numbering.first_set
    stored = np.flatnonzero((targets >= first) & (targets < end) & (sources < first))
    loaded = np.flatnonzero((sources >= first) & (sources < end))
    stores: dict[int, list[tuple[int, int]]] = {}
    stored_from = sources[stored]
    edges_from = zip(stored.tolist(), stored_from.tolist(), targets[stored].tolist(), strict=True)
    for edge, origin, cell in edges_from:
        stores.setdefault(cell, []).append((edge, origin))
    readers: dict[int, list[int]] = {}
    read_by = targets[loaded]
    for cell, node in zip(sources[loaded].tolist(), read_by.tolist(), strict=True):
        readers.setdefault(cell, []).append(node)
    places = _places(program, numbering, np.concatenate([stored_from, read_by]))
    del sources, targets  # they lock the arrays, which grow below
    for cell, edges in stores.items():
        if cell in readers:
            _part(program, order, cells, cell, edges, readers[cell], places, overwriting)


def _part(
    program: Program,
    order: Order,
    cells: CellEdges,
    cell: int,
    edges: Sequence[tuple[int, int]],
    readers: Sequence[int],
    places: Mapping[int, Place],
    overwriting: Overwriting | None,
) -> None:
    numbering = cells.numbering
    loads: dict[int, list[tuple[int, int]]] = {}  # by routine: position, node
    for node in readers:
        place = places.get(node)
        if place is not None:
            loads.setdefault(place[0], []).append((place[1], node))
    reading = sum(1 << routine for routine in loads)
    about = _overwriting(
        overwriting, cell - numbering.first_cell, [origin for _, origin in edges], places, loads
    )
    nodes: dict[frozenset[int], int] = {}
    for edge, origin in edges:
        place = places.get(origin)
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
        store = about and about.shared.store(routine, position)
        if about and store:
            over |= about.hidden(store, over)
        if over:
            key = frozenset(over)
            if key not in nodes:
                nodes[key] = cells.new(NodeOrigin("cell", -1, cell - numbering.first_cell))
                cells.plain.add_to_all(nodes[key], [node for node in readers if node not in over])
            cells.plain.targets[edge] = nodes[key]


def _overwriting(
    overwriting: Overwriting | None,
    cell: int,
    origins: Sequence[int],
    places: Mapping[int, Place],
    loads: Mapping[int, Sequence[tuple[int, int]]],
) -> CellOverwriting | None:
    """Answers about a cell that some store surely overwrites and another one writes to."""
    if overwriting is None or len(origins) < 2 or not overwriting.is_single(cell):
        return None
    stores = [overwriting.store(*places[origin]) for origin in origins if origin in places]
    sure = [each for each in stores if each is not None and overwriting.means_only(each, cell)]
    return CellOverwriting(overwriting, sure, loads) if sure else None


def _places(program: Program, numbering: NodeNumbers, nodes: Nodes) -> dict[int, Place]:
    """Routine and position of those of these nodes that are values."""
    nodes = np.unique(nodes[nodes < numbering.first_cell])
    routines = np.searchsorted(numbering.firsts, nodes, side="right") - 1
    indices = nodes - np.array(numbering.firsts)[routines]
    parameters = np.array([each.parameters for each in program.routines], dtype=np.int64)
    positions = np.maximum(indices - parameters[routines], -1)
    are_values = indices < np.array(numbering.values)[routines]
    found = zip(routines[are_values].tolist(), positions[are_values].tolist(), strict=True)
    return dict(zip(nodes[are_values].tolist(), found, strict=True))
