"""The ways from a change to hot code: what the change comes to, and what comes to hot code."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sonde.core.code import Instruction, Kind, Routine
from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.hot.code import HotCode
from sonde.methods.impact.hot.targets import HotDecision
from sonde.methods.impact.reach.by_values_and_decisions import (
    BothReaches,
    both_backward,
    both_forward,
    nodes_on_ways,
)
from sonde.methods.impact.reach.moments import ExecutionOrder, Moments
from sonde.methods.impact.reach.searching import reach_forward
from sonde.methods.impact.reach.sources import ChangeSources

CONVERSIONS = frozenset(
    {"sext", "zext", "trunc", "bitcast", "fpext", "fptrunc", "ptrtoint", "inttoptr", "sitofp", "uitofp"}
    | {"fptosi", "fptoui", "addrspacecast", "freeze"}
)
MAIN = "main"
PHI, STORE = Kind.PHI, Kind.STORE
READS = frozenset({Kind.LOAD, Kind.FIELD, Kind.LOCAL, Kind.JUMP, Kind.STOP})


@dataclass(frozen=True)
class Ways:
    """All ways of one program at once."""

    flow: Flow
    hot: HotCode
    sources: ChangeSources
    forward: BothReaches
    backward: BothReaches
    nodes: frozenset[int]  # that lie on a way; on one with decisions only if that code has no other one
    ends: Mapping[int, HotDecision]  # targets that are reached
    near_ends: Mapping[int, HotDecision]  # those of them that lie on such a way
    within: frozenset[tuple[int, int]]  # changed instructions of hot code and of what it calls
    acting: Mapping[
        int, Mapping[int, tuple[int, ...]]
    ]  # by routine and block: what changes or decides something

    @property
    def are_there(self) -> bool:
        """Whether the change can reach hot code."""
        return bool(self.ends or self.within)


def find_ways(
    flow: Flow, hot: HotCode, sources: ChangeSources, depth: int, order: ExecutionOrder, is_far: bool = False
) -> Ways:
    """The ways with at most so many implicit hops, in an order in which things can be executed.

    What lies on a way up to the first hot code tells about options; with `is_far`, also what lies behind it.
    """
    after = order.always() if sources.is_early else order.after(_blocks(flow, sources))
    forward = both_forward(flow, sources.nodes, depth, after)
    backward = both_backward(flow, hot.targets, depth, order.before(hot.blocks(flow)))
    within = frozenset(
        (routine, position)
        for routine, positions in sources.positions.items()
        for position in positions
        if hot.holds(routine, position)
    )
    until = after if is_far else after.without(_beyond_hot_code(flow, hot))
    nodes = _shortest(flow, sources, within, depth, backward, until, is_far)
    ends = {node: target for node, target in hot.targets.items() if forward.hops(node) is not None}
    near_ends = {node: target for node, target in ends.items() if node in nodes}
    return Ways(
        flow,
        hot,
        sources,
        forward,
        backward,
        nodes,
        ends,
        near_ends,
        within,
        _acting(flow, nodes, within),
    )


def _shortest(
    flow: Flow,
    sources: ChangeSources,
    within: frozenset[tuple[int, int]],
    depth: int,
    backward: BothReaches,
    until: Moments,
    is_far: bool,
) -> frozenset[int]:
    """What lies on ways of values, and for changed routines that have none, on ways with decisions.

    A decision on a way makes nearly all that comes after it a part of the way. Where values come to hot code,
    or the change is part of it, what options do with these values tells enough.
    """
    found = nodes_on_ways(BothReaches(reach_forward(flow, list(sources.nodes), 0, until), None), backward)
    near = {routine for routine, _ in within}
    near |= {owner for node, (owner, _) in sources.nodes.items() if backward.plain.hops(node) is not None}
    far = [node for node, (owner, _) in sources.nodes.items() if is_far or owner not in near]
    if depth and any(backward.hops(node) is not None for node in far):
        found |= nodes_on_ways(both_forward(flow, far, depth, until), backward)
    return found


def _beyond_hot_code(flow: Flow, hot: HotCode) -> Iterator[int]:
    """Where values leave hot code: what it returns, and what it stores for others.

    Whatever hot code computes comes to nearly everything, also to hot code again. That the change comes to
    this code at all is what matters, and what it depends on. `main` is hot only in small programs.
    """
    called: dict[int, frozenset[int] | None] = dict.fromkeys(hot.called)
    plain = flow.plain.rows(flow.nodes)
    for routine, inside in {**called, **hot.positions}.items():
        code = flow.program.routines[routine]
        if code.name == MAIN:
            continue
        if inside is None and routine not in hot.called:
            yield flow.returned(routine)
        for position in code.stores:
            if inside is None or position in inside:
                node = flow.value(routine, code.parameters + position)
                if any(other >= flow.numbering.first_cell for other in plain.of(node)):
                    yield node


def _blocks(flow: Flow, sources: ChangeSources) -> Iterable[tuple[int, int]]:
    """The blocks with changed code."""
    for routine, positions in sources.positions.items():
        instructions = flow.program.routines[routine].instructions
        for position in positions:
            yield routine, instructions[position].block


def is_acting(instruction: Instruction) -> bool:
    """Whether an instruction changes a value or decides something, instead of only reading."""
    if instruction.kind is Kind.COMPUTE:
        return instruction.shape.partition(" ")[0] not in CONVERSIONS
    return instruction.kind not in READS


def _acting(
    flow: Flow, nodes: frozenset[int], within: frozenset[tuple[int, int]]
) -> dict[int, dict[int, tuple[int, ...]]]:
    found: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    first_cell = flow.numbering.first_cell
    for node in nodes:
        if node >= first_cell and node < flow.numbering.first_set:
            continue
        where = flow.where(node)
        if where.routine < 0:
            continue
        code = flow.program.routines[where.routine]
        if where.kind == "value":
            position = where.index - code.parameters
            if position >= 0 and is_acting(code.instructions[position]):
                found[where.routine][code.instructions[position].block].add(position)
        elif where.kind == "block":
            found[where.routine][where.index].add(code.blocks[where.index][1] - 1)
    for routine, calls in enumerate(flow.calls):
        instructions = flow.program.routines[routine].instructions
        for call in calls:
            for place, operand in enumerate(instructions[call.position].operands[1:]):
                if operand < 0 or flow.value(routine, operand) not in nodes:
                    continue
                if any(
                    place < flow.program.routines[callee].parameters and flow.value(callee, place) in nodes
                    for callee in call.callees
                ):
                    found[routine][call.block].add(call.position)
    for routine, position in within:
        found[routine][flow.program.routines[routine].instructions[position].block].add(position)
    for routine, block, position in _choosing(flow, nodes):
        found[routine][block].add(position)
    return {
        routine: {
            block: tuple(sorted(positions))
            for block, positions in blocks.items()
            if block not in flow.dead_ends[routine]
        }
        for routine, blocks in found.items()
    }


def _choosing(flow: Flow, nodes: frozenset[int]) -> Iterator[tuple[int, int, int]]:
    """Code that keeps something off a way by putting another value there: routine, block and position.

    `n = changed; if (small) n = 50;`, and the arms of `small ? 50 : changed`.
    """
    plain, special = flow.plain.rows(flow.nodes), flow.special.rows(flow.nodes)
    for routine, code in enumerate(flow.program.routines):
        first = flow.value(routine, code.parameters)
        for position, each in enumerate(code.instructions):
            kind = each.kind
            if kind is PHI:
                if first + position in nodes and len(set(each.operands)) > 1:
                    for block in each.targets:
                        yield routine, block, code.blocks[block][1] - 1
            elif kind is STORE:
                node = first + position
                if (
                    node not in nodes
                    and _is_whole(code, each.operands[0])
                    and not (nodes.isdisjoint(plain.of(node)) and nodes.isdisjoint(special.of(node)))
                ):
                    yield routine, each.block, position


def _is_whole(code: Routine, address: int) -> bool:
    """Whether an address is that of a variable, so that a store leaves nothing of what was there."""
    if address < 0:
        return True
    return address >= code.parameters and code.instructions[address - code.parameters].kind is Kind.LOCAL


def used_by_change(ways: Ways) -> dict[int, dict[int, tuple[int, ...]]]:
    """By routine and block: everything that the change comes to, be it only read there."""
    flow = ways.flow
    found: dict[int, dict[int, list[int]]] = {}
    for routine, code in enumerate(flow.program.routines):
        for position, each in enumerate(code.instructions):
            if ways.forward.hops(flow.value(routine, code.parameters + position)) is not None:
                found.setdefault(routine, {}).setdefault(each.block, []).append(position)
    return {
        routine: {block: tuple(positions) for block, positions in blocks.items()}
        for routine, blocks in found.items()
    }
