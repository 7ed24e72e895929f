"""What lies on the ways: the code that is needed for them, what leads there, and what they let run longer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from functools import cached_property

from sonde.core.code import DECIDING, NOWHERE, Kind, SourceLine
from sonde.methods.impact.hot.targets import HotDecision
from sonde.methods.impact.options.evaluation import Condition
from sonde.methods.impact.options.regions import Regions
from sonde.methods.impact.program.cloning import copies_of
from sonde.methods.impact.program.memory import ObjectKind
from sonde.methods.impact.reach.by_values_and_decisions import BothReaches
from sonde.methods.impact.reach.reachable import Reachability
from sonde.methods.impact.reach.watched_nodes import WatchedNodes
from sonde.methods.impact.ways.finding import Ways, is_acting, used_by_change

COMBINING = frozenset({Kind.COMPUTE, Kind.LOAD, Kind.FIELD})


class WayCode:
    """Answers about the code on the ways of one program."""

    def __init__(self, ways: Ways, regions: Regions, reachability: Reachability) -> None:
        self.ways, self.flow, self.regions, self.reachability = ways, ways.flow, regions, reachability
        self.program = ways.flow.program

    def place(self, routine: int, position: int) -> SourceLine:
        code = self.program.routines[routine]
        place = code.instructions[position].place
        if place.line:
            return place
        block = code.instructions[position].block
        start, end = code.blocks[block]
        return next((each.place for each in code.instructions[start:end] if each.place.line), NOWHERE)

    @cached_property
    def needed(self) -> tuple[tuple[int, int], ...]:
        """Blocks without which there is no way."""
        found = {(routine, block) for routine, blocks in self.ways.acting.items() for block in blocks}
        for target in self.ways.near_ends.values():
            code = self.program.routines[target.routine]
            block = code.instructions[target.position].block if target.position >= 0 else 0
            found.add((target.routine, block))
        return tuple(sorted(found))

    @cached_property
    def needed_once(self) -> Mapping[tuple[int, int], Sequence[tuple[int, int]]]:
        """The same, with all copies of a block together."""
        originals = {
            copy: original for original, copies in copies_of(self.program).items() for copy in copies
        }
        found: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for routine, block in self.needed:
            found.setdefault((originals.get(routine, routine), block), []).append((routine, block))
        return found

    @cached_property
    def endings(self) -> tuple[tuple[int, int], ...]:
        """Blocks that end the program, and not by a failure: what would come after is not executed."""
        return tuple(
            (routine, block)
            for routine, blocks in self.reachability.everything.items()
            for block in sorted(self.flow.ends.final[routine])
            if block in blocks and block not in self.flow.dead_ends[routine]
        )

    @cached_property
    def leading(self) -> Set[int]:
        """Routines on a way, and those that call them."""
        routines = {routine for routine, blocks in self.ways.acting.items() if blocks} | {
            target.routine for target in self.ways.near_ends.values()
        }
        seen = set(routines)
        waiting = list(routines)
        while waiting:
            for caller, _ in self.flow.callers(waiting.pop()):
                if caller not in seen:
                    seen.add(caller)
                    waiting.append(caller)
        return seen

    @cached_property
    def used(self) -> Mapping[int, Mapping[int, tuple[int, ...]]]:
        return used_by_change(self.ways)

    @cached_property
    def affected(self) -> Mapping[int, Set[int]]:
        """Blocks of hot code, and of what it calls there, that run longer or shorter through the change."""
        return self._affected_by(self.ways.near_ends.values())

    @cached_property
    def affected_at_last(self) -> Mapping[int, Set[int]]:
        """The same, with what comes of values that hot code computes."""
        plain = self.ways.forward.plain
        further = [each for node, each in self.ways.ends.items() if plain.is_reached(node)]
        return self._affected_by([*self.ways.near_ends.values(), *further])

    def _affected_by(self, targets: Iterable[HotDecision]) -> Mapping[int, Set[int]]:
        found: dict[int, set[int]] = {}
        waiting: list[tuple[int, int]] = []

        def add(routine: int, blocks: Iterable[int]) -> None:
            known = found.setdefault(routine, set())
            for block in blocks:
                if block not in known and block not in self.flow.dead_ends[routine]:
                    known.add(block)
                    waiting.append((routine, block))

        for target in targets:
            code = self.program.routines[target.routine]
            if target.position < 0:
                add(target.routine, range(len(code.blocks)))
            elif code.instructions[target.position].kind in DECIDING:
                block = code.instructions[target.position].block
                add(target.routine, self.regions.region(target.routine, block))
        entered = [each for each in self.ways.sources.entered if each in self.ways.within]
        for routine, position in entered:
            add(routine, [self.program.routines[routine].instructions[position].block])
        while waiting:
            routine, block = waiting.pop()
            for call in self.flow.calls[routine]:
                if call.block == block:
                    for callee in (*call.callees, *call.called_back):
                        if callee in self.ways.hot.called or callee in self.ways.hot.positions:
                            add(callee, range(len(self.program.routines[callee].blocks)))
        return found

    @cached_property
    def combining(self) -> Mapping[int, Sequence[int]]:
        """By routine: what makes something new of what lies on a way, or chooses where to read."""
        found: dict[int, list[int]] = {}
        nodes, within = self.ways.nodes, self.ways.within
        changed = {routine for routine, _ in within}
        for routine, code in enumerate(self.program.routines):
            first = self.flow.value(routine, code.parameters)
            for position, each in enumerate(code.instructions):
                if first + position not in nodes and (
                    routine not in changed or (routine, position) not in within
                ):
                    continue
                if each.kind in COMBINING and len(each.operands) > (each.kind is Kind.COMPUTE):
                    found.setdefault(routine, []).append(position)
        for routine, position in self._last_reads:
            found.setdefault(routine, []).append(position)
        return found

    @cached_property
    def _last_reads(self) -> tuple[tuple[int, int], ...]:
        """Where ways end in memory: LOADs of what hot code calls, which choose what they read there."""
        targets = dict.fromkeys(self.ways.near_ends.values())
        return tuple(
            (each.routine, each.position)
            for each in targets
            if each.position >= 0
            and self.program.routines[each.routine].instructions[each.position].kind is Kind.LOAD
        )

    @cached_property
    def written(self) -> Mapping[int, Set[int]]:
        """For each routine the cells on a way that it, or what it calls, may write there."""
        flow = self.flow
        own: dict[int, set[int]] = {}
        for routine, blocks in self.ways.acting.items():
            code = self.program.routines[routine]
            for positions in blocks.values():
                for position in positions:
                    if code.instructions[position].kind is not Kind.STORE:
                        continue
                    if flow.value(routine, code.parameters + position) not in self.ways.nodes:
                        continue
                    for cell in flow.memory.pointees(routine, code.instructions[position].operands[0]):
                        if flow.cell(cell) in self.ways.nodes:
                            own.setdefault(routine, set()).add(cell)
        found = {routine: set(cells) for routine, cells in own.items()}
        waiting = list(found)
        while waiting:
            routine = waiting.pop()
            for caller, _ in flow.callers(routine):
                known = found.setdefault(caller, set())
                if not found[routine] <= known:
                    known |= found[routine]
                    waiting.append(caller)
        return found

    def value_places(self, reach: BothReaches) -> Iterator[tuple[int, int]]:
        """Where values that are come to go into something on a way: routines and positions."""
        places, watched = self._changing
        for number in watched.reached(reach.plain):
            if self._has_own_share(reach, *places[number]):
                yield places[number]

    @cached_property
    def _changing(self) -> tuple[list[tuple[int, int]], WatchedNodes]:
        """What changes or decides something on a way: routines and positions, and their nodes."""
        places, nodes = [], []
        for routine, blocks in self.ways.acting.items():
            code = self.program.routines[routine]
            for positions in blocks.values():
                for position in positions:
                    node = self.flow.value(routine, code.parameters + position)
                    on_way = node in self.ways.nodes or (routine, position) in self.ways.within
                    if on_way and is_acting(code.instructions[position]):
                        places.append((routine, position))
                        nodes.append(node)
        for routine, position in self._last_reads:
            places.append((routine, position))
            nodes.append(self.flow.value(routine, self.program.routines[routine].parameters + position))
        return places, WatchedNodes(self.flow, nodes)

    def _has_own_share(self, reach: BothReaches, routine: int, position: int) -> bool:
        """Whether a value comes to an instruction through one of its operands."""
        instruction = self.program.routines[routine].instructions[position]
        if instruction.kind is Kind.CALL:
            return True
        return any(
            operand >= 0 and reach.plain.is_reached(self.flow.value(routine, operand))
            for operand in instruction.operands
        )

    def region_places(self, condition: Condition, is_conservative: bool) -> Iterator[tuple[int, int]]:
        """What a condition decides about on a way, beside itself: routines and positions."""
        code_on_way = self.used if is_conservative else self.ways.acting
        blocks = code_on_way.get(condition.routine)
        acting = self.ways.acting.get(condition.routine, {})
        if not blocks and not acting:
            return
        for block in sorted(self.regions.region(condition.routine, condition.block)):
            for position in (*acting.get(block, ()), *(blocks or {}).get(block, ())):
                if position != condition.position:
                    yield condition.routine, position

    def is_in_hot_region(self, condition: Condition) -> bool:
        """Whether it decides inside of hot code that the change lets run longer."""
        return condition.block in self.affected.get(condition.routine, ()) and bool(
            self.regions.region(condition.routine, condition.block)
        )

    def cost_places(self, reach: BothReaches) -> Iterator[tuple[int, int]]:
        """Calls inside of hot code that the change lets run longer, and last as long as what is come to says.

        They are told as routines and positions.
        """
        for node, place in self.costs.items():
            if reach.plain.is_reached(node):
                yield place

    @cached_property
    def costs(self) -> Mapping[int, tuple[int, int]]:
        """What the duration of such calls depends on: nodes, with routines and positions."""
        found = {}
        for node, target in self.ways.hot.targets.items():
            if target.position < 0 or self.flow.where(node).kind != "value":
                continue
            each = self.program.routines[target.routine].instructions[target.position]
            if each.kind is Kind.CALL and each.block in self.affected.get(target.routine, ()):
                found[node] = target.routine, target.position
        return found

    def pointer_places(self, reach: BothReaches) -> Iterator[tuple[int, int]]:
        """Calls on the way there through pointers that depend on what is come to: routines and positions."""
        for routine, position, pointers in self._pointers:
            if any(reach.hops(each) is not None for each in pointers):
                yield routine, position

    @cached_property
    def _pointers(self) -> list[tuple[int, int, list[int]]]:
        """Calls on the way there that pointers decide about: routines, positions, and nodes of pointers."""
        found = []
        for routine, calls in enumerate(self.flow.calls):
            instructions = self.program.routines[routine].instructions
            dead = self.flow.dead_ends[routine]
            for call in calls:
                if call.block in dead:
                    continue
                operands = instructions[call.position].operands
                pointers = []
                several = operands[0] >= 0 and len(call.callees) + len(call.externals) > 1
                if several and any(callee in self.leading for callee in call.callees):
                    pointers.append(operands[0])
                if len(call.called_back) > 1 and any(each in self.leading for each in call.called_back):
                    pointers += [each for each in operands[1:] if each >= 0]
                if pointers:
                    nodes = [self.flow.value(routine, each) for each in pointers]
                    found.append((routine, call.position, nodes))
        return found

    def writing_places(self, condition: Condition) -> Iterator[tuple[int, int]]:
        """Calls in a condition's region that write memory on a way: routines and positions."""
        memory = self.flow.memory
        region = self.regions.region(condition.routine, condition.block)
        instructions = self.program.routines[condition.routine].instructions
        for call in self.flow.calls[condition.routine]:
            if call.block not in region:
                continue
            cells: set[int] = set()
            for callee in (*call.callees, *call.called_back):
                cells |= self.written.get(callee, set())
            if not cells:
                continue
            given = {
                memory.cells[cell].object
                for operand in instructions[call.position].operands[1:]
                for cell in memory.pointees(condition.routine, operand)
            }
            for cell in cells:
                object = memory.cells[cell].object
                if memory.objects[object].kind is not ObjectKind.LOCAL or object in given:
                    yield condition.routine, call.position
                    break

    def may_guard(self, condition: Condition) -> bool:
        """Whether something on a way lies behind the condition: in its region, or in what it calls."""
        region = self.regions.region(condition.routine, condition.block)
        if any(block in region for routine, block in self.needed if routine == condition.routine):
            return True
        for call in self.flow.calls[condition.routine]:
            if call.block in region and any(
                callee in self.leading for callee in (*call.callees, *call.called_back)
            ):
                return True
        mentions = self.reachability.mentions(condition.routine)
        return any(each in self.leading for block in region for each in mentions.get(block, ()))


def at(place: SourceLine) -> str:
    """`file:line`."""
    return f"{place.file}:{place.line}" if place.line else "code without a line"
