"""Which options take part in what a change does to hot code (the paper's section 3.4, and more)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from sonde.core.code import NOWHERE, Kind, Place
from sonde.methods.impact.both_reaches import input_and_output, library_cells
from sonde.methods.impact.cloning import copies_of
from sonde.methods.impact.flow_edges import Step
from sonde.methods.impact.memory import ObjectKind
from sonde.methods.impact.moments import Moments
from sonde.methods.impact.option_presence import OptionPresence
from sonde.methods.impact.option_regions import Condition, Influence, Regions, scenarios
from sonde.methods.impact.option_settings import FLAGS, is_counter
from sonde.methods.impact.reach import reach_forward
from sonde.methods.impact.reachable import Reachability
from sonde.methods.impact.ways import MAIN, Ways, is_acting, used_by_change

SUMS = ("add ", "sub ", "fadd ", "fsub ")


@dataclass(frozen=True)
class Relation:
    """Why an option takes part, in words, and where."""

    reason: str
    place: Place


class Relating:
    """Answers for one program and its ways."""

    def __init__(
        self,
        ways: Ways,
        regions: Regions,
        reachability: Reachability,
        options: Sequence[frozenset[int]],
        depth: int,
        is_conservative: bool,
    ) -> None:
        """With the nodes that read the variables of each option."""
        self.ways, self.flow, self.regions, self.reachability = ways, ways.flow, regions, reachability
        self.depth, self.is_conservative = depth, is_conservative
        self.program = ways.flow.program
        self._related: dict[int, Relation | None] = {}
        everything = frozenset[int]().union(*options)
        self.influences = [regions.influence(reads, depth, everything - reads) for reads in options]
        self.present = OptionPresence(
            self.flow, self.influences, self._leading, reachability, regions, ways.sources.positions
        )

    def relate(self, option: int) -> Relation | None:
        """How the option with this number takes part; None if it does not."""
        return self._relate(option, frozenset({option}))

    def _relate(self, option: int, asked: frozenset[int]) -> Relation | None:
        if option not in self._related:
            found = self._look_for(option, asked)
            if found is None and len(asked) > 1:
                return None  # of those that were asked before, another one may still tell more
            self._related[option] = found
        return self._related[option]

    def _look_for(self, option: int, asked: frozenset[int]) -> Relation | None:
        influence = self.influences[option]
        near = influence.conditions
        found = (
            self._by_value(influence)
            or self._by_presence(option, near)
            or self._by_decisions(option, near)
            or self._by_pointer(influence)
        )
        if found is not None:
            return found
        beyond = self.regions.farther(influence)
        farther = [each for each in beyond if self._counts(option, each)]
        return (
            self._by_decisions(option, farther)
            or self._by_setting(influence)
            or self._by_setting_in_hot_code(option, [each for each in beyond if each not in farther])
            or (self._by_other(option, asked) if self.depth else None)
        )

    def _by_decisions(self, option: int, conditions: Sequence[Condition]) -> Relation | None:
        """Conditions decide by it about something on a way."""
        open_ones = [each for each in conditions if not self.present.is_settled(option, each)]
        inside = [each for each in conditions if self._decides_inside(option, each)]
        calling = [each for each in conditions if each.hops == 0 and self.present.decides(option, each)]
        return (
            self._by_region(conditions if self.is_conservative else open_ones)
            or self._by_hot_region(inside)
            or self._by_calls(calling)
            or self._by_guard(self.influences[option], open_ones)
        )

    def _decides_inside(self, option: int, condition: Condition) -> bool:
        """Whether a condition counts inside of hot code: by the option's own value, or as surely as that."""
        if condition.hops:
            return self.present.tells(option, condition)
        return self.present.decides(option, condition)

    def _by_presence(self, option: int, conditions: Sequence[Condition]) -> Relation | None:
        """Whether something on a way is executed depends on it, as all decisions together show."""
        for (routine, block), copies in self._needed_once.items():
            if self.present.depends(option, copies):
                start = self.program.routines[routine].blocks[block][0]
                target = self._place(routine, start)
                decision = next(
                    (
                        self._place(each.routine, each.position)
                        for each in conditions
                        if each.routine == routine and block in self.regions.region(routine, each.block)
                    ),
                    None,
                )
                if decision is None:
                    return Relation(f"whether {_at(target)}, on the way, is executed depends on it", target)
                return Relation(
                    f"{_at(decision)} decides by it whether {_at(target)} is executed, on the way", decision
                )
        return None

    def _place(self, routine: int, position: int) -> Place:
        code = self.program.routines[routine]
        place = code.instructions[position].place
        if place.line:
            return place
        block = code.instructions[position].block
        start, end = code.blocks[block]
        return next((each.place for each in code.instructions[start:end] if each.place.line), NOWHERE)

    def _counts(self, option: int, condition: Condition) -> bool:
        """Decisions of hot code count only if the option's own value comes there, or as surely as that."""
        node = self.flow.value(
            condition.routine, self.program.routines[condition.routine].parameters + condition.position
        )
        return node not in self.ways.hot.targets or (
            node not in self.ways.near_ends and self.present.tells(option, condition)
        )

    def _by_value(self, influence: Influence) -> Relation | None:
        """Its value flows into something on a way."""
        for routine, blocks in self.ways.acting.items():
            code = self.program.routines[routine]
            for positions in blocks.values():
                for position in positions:
                    node = self.flow.value(routine, code.parameters + position)
                    on_way = node in self.ways.nodes or (routine, position) in self.ways.within
                    if (
                        on_way
                        and is_acting(code.instructions[position])
                        and influence.reach.plain.is_reached(node)
                        and self._has_own_share(influence, routine, position)
                    ):
                        place = self._place(routine, position)
                        return Relation(f"its value goes into {_at(place)}, on the way", place)
        return None

    def _has_own_share(self, influence: Influence, routine: int, position: int) -> bool:
        """Whether the option's value comes to an instruction through one of its operands."""
        instruction = self.program.routines[routine].instructions[position]
        if instruction.kind is Kind.CALL:
            return True
        return any(
            operand >= 0 and influence.reach.plain.is_reached(self.flow.value(routine, operand))
            for operand in instruction.operands
        )

    @cached_property
    def _combining(self) -> Mapping[int, Sequence[int]]:
        """By routine: what makes something new of what lies on a way, or chooses where to read."""
        found: dict[int, list[int]] = {}
        for routine, code in enumerate(self.program.routines):
            for position, each in enumerate(code.instructions):
                if each.kind in (Kind.COMPUTE, Kind.LOAD, Kind.FIELD) and len(each.operands) > (
                    each.kind is Kind.COMPUTE
                ):
                    node = self.flow.value(routine, code.parameters + position)
                    if node in self.ways.nodes or (routine, position) in self.ways.within:
                        found.setdefault(routine, []).append(position)
        return found

    def _by_setting(self, influence: Influence) -> Relation | None:
        """A constant that is set as it decides flows into something on a way."""
        if not self.depth:
            return None
        outside, settings, inside = self._settings(influence)
        for begin, moments in ((outside, influence.moments), (settings, inside)):
            reach = reach_forward(self.flow, begin, 0, moments)
            for routine, positions in self._combining.items():
                code = self.program.routines[routine]
                for position in positions:
                    if self.flow.value(routine, code.parameters + position) not in moments:
                        continue
                    operands = code.instructions[position].operands
                    nodes = [self.flow.value(routine, n) for n in operands if n >= 0]
                    if any(node not in self.ways.nodes and reach.is_reached(node) for node in nodes):
                        place = self._place(routine, position)
                        return Relation(f"what it sets goes into {_at(place)}, on the way", place)
        return None

    def _by_setting_in_hot_code(self, option: int, conditions: Sequence[Condition]) -> Relation | None:
        """A constant that is set as it decides is what hot code asks for before it does what is needed."""
        influence = self.influences[option]
        if not conditions:
            return None
        _, settings, moments = self._settings(influence)
        reach = reach_forward(self.flow, settings, 0, moments)
        asking = [
            each
            for each in conditions
            if reach.is_reached(
                self.flow.value(each.routine, self.program.routines[each.routine].parameters + each.position)
            )
        ]
        return self._by_guard(influence, asking)

    def _settings(self, influence: Influence) -> tuple[list[int], list[int], Moments]:
        """What is set outside of hot code, and anywhere; and where it goes without being summed up there."""
        hot = {
            n
            for n in (*self.ways.hot.positions, *self.ways.hot.called)
            if self.program.routines[n].name != MAIN
        }
        settings = [
            node
            for node in self.regions.settings(influence.conditions)
            if not is_counter(self.flow, node, hot)
        ]
        outside = [node for node in settings if self.flow.where(node).routine not in hot]
        sums = [node for routine in hot for node in self._sums(routine)]
        return outside, settings, influence.moments.without(sums)

    def _sums(self, routine: int) -> Iterator[int]:
        """Where a routine adds: what hot code sums up is its work, and no setting any more."""
        code = self.program.routines[routine]
        for position, each in enumerate(code.instructions):
            if each.kind is Kind.COMPUTE and each.shape.startswith(SUMS):
                yield self.flow.value(routine, code.parameters + position)

    def _by_other(self, option: int, asked: frozenset[int]) -> Relation | None:
        """It gives the variable of another option that takes part a value that this may not have itself."""
        numbers = {
            node: value
            for node, value in self.regions.settings(self.influences[option].conditions).items()
            if value is not None
        }
        reaches = [
            reach_forward(self.flow, begin, 0, self._everywhere) if begin else None
            for begin in (numbers, [node for node, value in numbers.items() if value not in FLAGS])
        ]
        for number, other in enumerate(self.influences):
            reach = reaches[self.present.values(number) <= FLAGS]
            if number in asked or reach is None:
                continue
            for node in sorted(other.reads):
                path = reach.path(node)
                if path and self._is_handed_on(path) and self._relate(number, asked | {number}):
                    origin = self.flow.where(path[0][0])
                    parameters = self.program.routines[origin.routine].parameters
                    place = self._place(origin.routine, max(origin.index - parameters, 0))
                    return Relation(f"{_at(place)} sets another option's variable, which takes part", place)
        return None

    @cached_property
    def _everywhere(self) -> Moments:
        return self.regions.order.always().without([*library_cells(self.flow), *input_and_output(self.flow)])

    def _is_handed_on(self, path: Sequence[tuple[int, Step]]) -> bool:
        """Whether a value stays what it is on a way."""
        for node, _ in path:
            where = self.flow.where(node)
            code = self.program.routines[where.routine]
            if where.kind == "value" and where.index >= code.parameters:
                each = code.instructions[where.index - code.parameters]
                if each.kind is Kind.COMPUTE and is_acting(each):
                    return False
        return True

    @cached_property
    def _used(self) -> Mapping[int, Mapping[int, tuple[int, ...]]]:
        return used_by_change(self.ways)

    def _by_region(self, conditions: Iterable[Condition]) -> Relation | None:
        """A region of it holds something on a way."""
        code_on_way = self._used if self.is_conservative else self.ways.acting
        for each in conditions:
            blocks = code_on_way.get(each.routine)
            acting = self.ways.acting.get(each.routine, {})
            if not blocks and not acting:
                continue
            own = self.regions.condition_tree(each)
            for block in sorted(self.regions.region(each.routine, each.block)):
                for position in (*acting.get(block, ()), *(blocks or {}).get(block, ())):
                    if position not in own:
                        place = self._place(each.routine, position)
                        decision = self._place(each.routine, each.position)
                        words = f"{_at(decision)} decides by it whether {_at(place)} is executed, on the way"
                        return Relation(words, decision)
        return None

    @cached_property
    def _affected(self) -> Mapping[int, Set[int]]:
        """Blocks of hot code, and of what it calls there, that run longer or shorter through the change."""
        found: dict[int, set[int]] = {}
        waiting: list[tuple[int, int]] = []

        def add(routine: int, blocks: Iterable[int]) -> None:
            known = found.setdefault(routine, set())
            for block in blocks:
                if block not in known and block not in self.flow.dead_ends[routine]:
                    known.add(block)
                    waiting.append((routine, block))

        for target in self.ways.near_ends.values():
            code = self.program.routines[target.routine]
            if target.position < 0:
                add(target.routine, range(len(code.blocks)))
            elif code.instructions[target.position].kind in (Kind.BRANCH, Kind.SWITCH):
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

    def _by_hot_region(self, conditions: Iterable[Condition]) -> Relation | None:
        """It decides inside of hot code that the change lets run longer."""
        for each in conditions:
            if each.block in self._affected.get(each.routine, ()) and self.regions.region(
                each.routine, each.block
            ):
                place = self._place(each.routine, each.position)
                words = f"{_at(place)} decides by it inside of hot code that the change reaches"
                return Relation(words, place)
        return None

    @cached_property
    def _leading(self) -> Set[int]:
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

    def _by_pointer(self, influence: Influence) -> Relation | None:
        """A pointer that is called on the way there depends on it."""
        for routine, calls in enumerate(self.flow.calls):
            instructions = self.program.routines[routine].instructions
            dead = self.flow.dead_ends[routine]
            for call in calls:
                if call.block in dead:
                    continue
                operands = instructions[call.position].operands
                pointers = []
                several = operands[0] >= 0 and len(call.callees) + len(call.externals) > 1
                if several and any(callee in self._leading for callee in call.callees):
                    pointers.append(operands[0])
                if len(call.called_back) > 1 and any(each in self._leading for each in call.called_back):
                    pointers += [each for each in operands[1:] if each >= 0]
                for operand in pointers:
                    hops = influence.reach.hops(self.flow.value(routine, operand))
                    if hops is not None:
                        place = self._place(routine, call.position)
                        return Relation(f"what {_at(place)} calls depends on it", place)
        return None

    @cached_property
    def _written(self) -> Mapping[int, Set[int]]:
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

    def _by_calls(self, conditions: Iterable[Condition]) -> Relation | None:
        """A region of it calls something that writes memory on a way, and that is called elsewhere, too."""
        memory = self.flow.memory
        for each in conditions:
            region = self.regions.region(each.routine, each.block)
            instructions = self.program.routines[each.routine].instructions
            for call in self.flow.calls[each.routine]:
                if call.block not in region:
                    continue
                cells: set[int] = set()
                for callee in (*call.callees, *call.called_back):
                    cells |= self._written.get(callee, set())
                if not cells:
                    continue
                given = {
                    memory.cells[cell].object
                    for operand in instructions[call.position].operands[1:]
                    for cell in memory.pointees(each.routine, operand)
                }
                for cell in cells:
                    object = memory.cells[cell].object
                    if memory.objects[object].kind is ObjectKind.LOCAL and object not in given:
                        continue
                    place = self._place(each.routine, call.position)
                    words = f"it decides about {_at(place)}, which writes what lies on the way"
                    return Relation(words, place)
        return None

    def _by_guard(self, influence: Influence, conditions: Sequence[Condition]) -> Relation | None:
        """For some value of it, the changed code or the end of a way cannot be executed."""
        needed = self._needed
        if not needed:
            return None
        everything = self.reachability.everything
        useful = [each for each in conditions if self._may_guard(each)]
        for cuts in scenarios(self.flow, influence, useful):
            left = self.reachability.without(cuts)
            for routine, block in needed:
                if block in everything.get(routine, ()) and block not in left.get(routine, ()):
                    code = self.program.routines[routine]
                    target = self._place(routine, code.blocks[block][0])
                    decision = self._deciding_cut(cuts, routine, block)
                    return Relation(
                        f"{_at(decision)} decides by it whether {_at(target)} is executed at all", decision
                    )
        return None

    def _deciding_cut(self, cuts: tuple[tuple[int, int, int], ...], routine: int, block: int) -> Place:
        """The one of several decisions that keeps a block from being executed, if it is one alone."""
        ends = [(each, self.program.routines[each[0]].blocks[each[1]][1] - 1) for each in cuts]
        for each, position in ends[:20]:
            if len(ends) == 1 or block not in self.reachability.without([each]).get(routine, ()):
                return self._place(each[0], position)
        return self._place(ends[0][0][0], ends[0][1])

    @cached_property
    def _needed(self) -> tuple[tuple[int, int], ...]:
        """Blocks without which there is no way."""
        found = {(routine, block) for routine, blocks in self.ways.acting.items() for block in blocks}
        for target in self.ways.near_ends.values():
            code = self.program.routines[target.routine]
            block = code.instructions[target.position].block if target.position >= 0 else 0
            found.add((target.routine, block))
        return tuple(sorted(found))

    @cached_property
    def _needed_once(self) -> Mapping[tuple[int, int], Sequence[tuple[int, int]]]:
        """The same, with all copies of a block together."""
        originals = {
            copy: original for original, copies in copies_of(self.program).items() for copy in copies
        }
        found: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for routine, block in self._needed:
            found.setdefault((originals.get(routine, routine), block), []).append((routine, block))
        return found

    def _may_guard(self, condition: Condition) -> bool:
        """Whether something on a way lies behind the condition: in its region, or in what it calls."""
        region = self.regions.region(condition.routine, condition.block)
        if any(block in region for routine, block in self._needed if routine == condition.routine):
            return True
        for call in self.flow.calls[condition.routine]:
            if call.block in region and any(
                callee in self._leading for callee in (*call.callees, *call.called_back)
            ):
                return True
        mentions = self.reachability.mentions(condition.routine)
        return any(each in self._leading for block in region for each in mentions.get(block, ()))


def _at(place: Place) -> str:
    return f"{place.file}:{place.line}" if place.line else "code without a line"
