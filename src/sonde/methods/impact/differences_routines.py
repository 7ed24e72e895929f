"""How two versions of a routine differ, instruction by instruction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import pairwise

from sonde.core.code import Constant, Instruction, Kind, Routine
from sonde.methods.impact.alignment import align
from sonde.methods.impact.control_dependence import control_dependence
from sonde.methods.impact.differences_forms import (
    Form,
    Names,
    own_form,
    own_lines,
    successors_of,
)

SILENT = (Kind.LOCAL, Kind.JUMP, Kind.STOP)  # what has no effect by itself
DECISIONS = (Kind.BRANCH, Kind.SWITCH)


@dataclass(frozen=True)
class Side:
    """What is peculiar to one of two versions of a routine."""

    changed: frozenset[int] = frozenset()  # positions of instructions
    decisions: frozenset[int] = (
        frozenset()
    )  # branches whose condition or targets were edited, and those changed
    blocks: frozenset[int] = frozenset()  # executed under other conditions than in the other version
    entered: frozenset[int] = frozenset()  # calls that the other version does not have

    def __bool__(self) -> bool:
        """Whether there is anything."""
        return bool(self.changed or self.decisions or self.blocks)


@dataclass(frozen=True)
class Comparison:
    """Two versions of a routine side by side."""

    old: Side
    new: Side
    pairs: tuple[tuple[int, int], ...]  # positions that correspond, in the old and the new version
    only_constants: bool  # whether nothing but constants differs: then both versions have the same ways


def compare_routines(
    old: Routine,
    new: Routine,
    old_names: Names,
    new_names: Names,
    dead_ends: tuple[Set[int], Set[int]] = (frozenset(), frozenset()),
) -> Comparison:
    """What differs, blind to lines, names of variables, the order of declarations and dead ends.

    A number that is that of its own line may be `__LINE__` or just a number: what differs less is right.
    """
    found = _Comparing(
        _Version(old, old_names, dead_ends[0]), _Version(new, new_names, dead_ends[1])
    ).result()
    if not (found.old or found.new) or not (_names_lines(old) and _names_lines(new)):
        return found
    other = _Comparing(
        _Version(old, old_names, dead_ends[0], True), _Version(new, new_names, dead_ends[1], True)
    ).result()
    return min(found, other, key=_size)


def _names_lines(routine: Routine) -> bool:
    return any(own_lines(each, routine.outside) for each in routine.instructions)


def _size(comparison: Comparison) -> int:
    return sum(
        len(each)
        for side in (comparison.old, comparison.new)
        for each in (side.changed, side.decisions, side.blocks)
    )


class _Version:
    """One of the two, prepared."""

    def __init__(
        self, routine: Routine, names: Names, dead_ends: Set[int], reads_lines: bool = False
    ) -> None:
        self.routine = routine
        self.names = names
        self.reads_lines = reads_lines
        self.outside = [names.outside(each) for each in routine.outside]
        self.dead_ends = dead_ends
        self.positions = [
            position
            for position, each in enumerate(routine.instructions)
            if each.block not in self.dead_ends and each.kind not in (Kind.LOCAL, Kind.STOP)
        ]
        self.digests = [0] * (routine.parameters + len(routine.instructions))
        self.targets = self._threaded()

    def instruction(self, value: int) -> Instruction | None:
        position = value - self.routine.parameters
        return self.routine.instructions[position] if position >= 0 else None

    def locals(self) -> list[int]:
        first = self.routine.parameters
        return [n + first for n, each in enumerate(self.routine.instructions) if each.kind is Kind.LOCAL]

    def digest(self, locals: dict[int, Form]) -> None:
        """Give each value a number that stands for its whole expression."""
        digests = self.digests
        for value in range(self.routine.parameters):
            digests[value] = hash(("parameter", value))
        for position, each in enumerate(self.routine.instructions):
            value = self.routine.parameters + position
            if each.kind is Kind.LOCAL:
                digests[value] = hash(locals[value])
                continue
            lines = own_lines(each, self.routine.outside) if self.reads_lines else ()
            operands = tuple(
                digests[n] if n >= 0 else "line" if n in lines else self.outside[~n] for n in each.operands
            )
            digests[value] = hash((own_form(each, self.names), operands))

    def rough(self, position: int) -> Form:
        """What an instruction must have in common with one that may be its other version."""
        each = self.routine.instructions[position]
        if each.kind is Kind.CALL:
            called = each.operands[0] if each.operands else 0
            return (*own_form(each, self.names), called if called >= 0 else self.outside[~called])
        if each.kind in (Kind.LOAD, Kind.STORE):
            address = each.operands[0]
            return (each.kind, self.digests[address] if address >= 0 else self.outside[~address])
        return own_form(each, self.names)

    def _threaded(self) -> list[int]:
        """For each block where it leads to, if it does nothing but jump."""
        found = []
        for first in range(len(self.routine.blocks)):
            block = first
            seen = {block}
            while True:
                start, end = self.routine.blocks[block]
                last = self.routine.instructions[start] if end == start + 1 else None
                if last is None or last.kind is not Kind.JUMP or last.targets[0] in seen:
                    break
                block = last.targets[0]
                seen.add(block)
            found.append(block)
        return found


class _Comparing:
    def __init__(self, old: _Version, new: _Version) -> None:
        self.old, self.new = old, new
        self.partner: dict[int, int] = {}  # values of the old version to those of the new one
        self._match_locals()
        self._match_instructions()
        self.blocks: dict[
            int, int
        ] = {}  # of the old version to the new one, and which of the new have a partner
        for a, b in self.pairs:
            self.blocks.setdefault(old.routine.instructions[a].block, new.routine.instructions[b].block)
        self.known_blocks = {new.routine.instructions[b].block for _, b in self.pairs}

    def _match_locals(self) -> None:
        by_name: dict[tuple[str, str], list[int]] = defaultdict(list)
        for value in self.new.locals():
            by_name[self._local(self.new, value)].append(value)
        left: list[int] = []
        for value in self.old.locals():
            same = by_name.get(self._local(self.old, value))
            if same:
                self.partner[value] = same.pop(0)
            else:
                left.append(value)
        by_type: dict[str, list[int]] = defaultdict(list)
        for value in sorted(each for same in by_name.values() for each in same):
            by_type[self._local(self.new, value)[1]].append(value)
        for value in left:
            same = by_type.get(self._local(self.old, value)[1])
            if same:
                self.partner[value] = same.pop(0)
        self.old.digest(
            {
                value: ("local", self.partner[value]) if value in self.partner else ("gone", value)
                for value in self.old.locals()
            }
        )
        self.new.digest({value: ("local", value) for value in self.new.locals()})

    @staticmethod
    def _local(version: _Version, value: int) -> tuple[str, str]:
        variable = version.routine.variables.get(value)
        each = version.instruction(value)
        return (variable.name if variable else "", each.shape if each else "")

    def _match_instructions(self) -> None:
        old, new = self.old, self.new
        first_old, first_new = old.routine.parameters, new.routine.parameters
        found = align(
            [old.digests[first_old + n] for n in old.positions],
            [new.digests[first_new + n] for n in new.positions],
        )
        more: list[tuple[int, int]] = []
        edges = [(-1, -1), *found, (len(old.positions), len(new.positions))]
        for (a, b), (c, d) in pairwise(edges):
            if c > a + 1 and d > b + 1:
                rest = align(
                    [old.rough(n) for n in old.positions[a + 1 : c]],
                    [new.rough(n) for n in new.positions[b + 1 : d]],
                )
                more.extend((a + 1 + x, b + 1 + y) for x, y in rest)
        self.pairs = sorted((old.positions[a], new.positions[b]) for a, b in [*found, *more])
        for a, b in self.pairs:
            self.partner[first_old + a] = first_new + b
        for value in range(min(first_old, first_new)):
            self.partner[value] = value

    def result(self) -> Comparison:
        old, new = self.old, self.new
        changed_old, changed_new = set(old.positions), set(new.positions)
        entered_old, entered_new = set(old.positions), set(new.positions)
        decisions_old: set[int] = set()
        decisions_new: set[int] = set()
        only_constants = True
        for a, b in self.pairs:
            before, after = old.routine.instructions[a], new.routine.instructions[b]
            is_same = self._is_same(before, after)
            if is_same:
                changed_old.discard(a)
                changed_new.discard(b)
            elif not self._differs_in_constants(before, after):
                only_constants = False
            if before.operands[:1] == after.operands[:1] or self._corresponds(before, after, 0):
                entered_old.discard(a)
                entered_new.discard(b)
            same_digest = old.digests[old.routine.parameters + a] == new.digests[new.routine.parameters + b]
            if before.kind in DECISIONS and not (is_same and same_digest):
                decisions_old.add(a)
                decisions_new.add(b)
        sides = []
        for version, changed, decisions, entered in (
            (old, changed_old, decisions_old, entered_old),
            (new, changed_new, decisions_new, entered_new),
        ):
            instructions = version.routine.instructions
            loud = {n for n in changed if instructions[n].kind not in SILENT}
            decisions |= {n for n in loud if instructions[n].kind in DECISIONS}
            calls = {n for n in entered & loud if instructions[n].kind is Kind.CALL}
            sides.append((loud, decisions, calls))
        if sides[0][0] - {a for a, _ in self.pairs}:
            only_constants = False
        old_blocks, new_blocks = self._moved_blocks()
        return Comparison(
            Side(
                frozenset(sides[0][0]), frozenset(sides[0][1]), frozenset(old_blocks), frozenset(sides[0][2])
            ),
            Side(
                frozenset(sides[1][0]), frozenset(sides[1][1]), frozenset(new_blocks), frozenset(sides[1][2])
            ),
            tuple(self.pairs),
            only_constants and not old_blocks,
        )

    def _corresponds(self, before: Instruction, after: Instruction, number: int) -> bool:
        if number >= len(before.operands) or number >= len(after.operands):
            return False
        a, b = before.operands[number], after.operands[number]
        if a < 0 or b < 0:
            return (a < 0 and b < 0) and (
                self.old.outside[~a] == self.new.outside[~b]
                or (
                    (a in own_lines(before, self.old.routine.outside))
                    and (b in own_lines(after, self.new.routine.outside))
                )
            )
        return self.partner.get(a) == b

    def _is_same(self, before: Instruction, after: Instruction) -> bool:
        if own_form(before, self.old.names) != own_form(after, self.new.names):
            return False
        if len(before.operands) != len(after.operands):
            return False
        if not all(self._corresponds(before, after, n) for n in range(len(before.operands))):
            return False
        return before.kind is Kind.PHI or self._same_targets(before.targets, after.targets)

    def _same_targets(self, before: Sequence[int], after: Sequence[int]) -> bool:
        if len(before) != len(after):
            return False
        for a, b in zip(before, after, strict=True):
            if (a in self.old.dead_ends) and (b in self.new.dead_ends):
                continue
            if (a in self.old.dead_ends) != (b in self.new.dead_ends):
                return False
            target = self.blocks.get(self.old.targets[a])
            reached = self.new.targets[b]
            # Code that only one version has may stand before what both have: it is a difference by itself.
            if target is not None and reached in self.known_blocks and target != reached:
                return False
        return True

    def _differs_in_constants(self, before: Instruction, after: Instruction) -> bool:
        if own_form(before, self.old.names) != own_form(after, self.new.names):
            return False
        if len(before.operands) != len(after.operands) or not self._same_targets(
            before.targets, after.targets
        ):
            return False
        for number, (a, b) in enumerate(zip(before.operands, after.operands, strict=True)):
            if self._corresponds(before, after, number):
                continue
            if a >= 0 or b >= 0:
                return False
            pair = (self.old.routine.outside[~a], self.new.routine.outside[~b])
            if not all(isinstance(each, Constant) for each in pair):
                return False
        return True

    def _moved_blocks(self) -> tuple[set[int], set[int]]:
        """Blocks that both versions have, but that other branches decide over."""
        deciders = []
        for version in (self.old, self.new):
            found = control_dependence(successors_of(version.routine), version.dead_ends)
            ends = [end - 1 + version.routine.parameters for _, end in version.routine.blocks]
            deciders.append([{ends[each] for each in those} for those in found])
        old_blocks: set[int] = set()
        new_blocks: set[int] = set()
        seen = {
            (self.old.routine.instructions[a].block, self.new.routine.instructions[b].block)
            for a, b in self.pairs
        }
        for a, b in seen:
            if {self.partner.get(each, -1 - each) for each in deciders[0][a]} != deciders[1][b]:
                old_blocks.add(a)
                new_blocks.add(b)
        return old_blocks, new_blocks
