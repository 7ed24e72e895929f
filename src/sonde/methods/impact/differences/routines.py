"""How two versions of a routine differ, instruction by instruction."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise

from sonde.core.code import DECIDING, Constant, Instruction, Kind, Routine
from sonde.methods.impact.differences.alignment import align
from sonde.methods.impact.differences.edges import VersionEdges
from sonde.methods.impact.differences.forms import Names, own_form, own_lines
from sonde.methods.impact.differences.versions import Version

SILENT = (Kind.LOCAL, Kind.JUMP, Kind.STOP)  # what has no effect by itself


@dataclass(frozen=True)
class VersionSide:
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
class RoutineComparison:
    """Two versions of a routine side by side."""

    old: VersionSide
    new: VersionSide
    pairs: tuple[tuple[int, int], ...]  # positions that correspond, in the old and the new version
    only_constants: bool  # whether nothing but constants differs: then both versions have the same ways


def compare_routines(
    old: Routine,
    new: Routine,
    old_names: Names,
    new_names: Names,
    unmeasured: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset()),
) -> RoutineComparison:
    """What differs, blind to lines, names of variables, the order of declarations and what is never measured.

    A number that is that of its own line may be `__LINE__` or just a number: what differs less is right.
    """
    found = _Comparing(
        Version(old, old_names, unmeasured[0]), Version(new, new_names, unmeasured[1])
    ).result()
    if not (found.old or found.new) or not (_names_lines(old) and _names_lines(new)):
        return found
    other = _Comparing(
        Version(old, old_names, unmeasured[0], True), Version(new, new_names, unmeasured[1], True)
    ).result()
    return min(found, other, key=_size)


def _names_lines(routine: Routine) -> bool:
    return any(own_lines(each, routine.outside) for each in routine.instructions)


def _size(comparison: RoutineComparison) -> int:
    return sum(
        len(each)
        for side in (comparison.old, comparison.new)
        for each in (side.changed, side.decisions, side.blocks)
    )


class _Comparing:
    def __init__(self, old: Version, new: Version) -> None:
        self.old, self.new = old, new
        self.partner: dict[int, int] = {}  # values of the old version to those of the new one
        self._match_locals()
        self._match_instructions()
        self.edges = VersionEdges(old, new, self.pairs)

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
    def _local(version: Version, value: int) -> tuple[str, str]:
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

    def result(self) -> RoutineComparison:
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
            if before.kind in DECIDING and not (is_same and self._same_expression(before, after)):
                decisions_old.add(a)
                decisions_new.add(b)
        sides = []
        for version, changed, decisions, entered in (
            (old, changed_old, decisions_old, entered_old),
            (new, changed_new, decisions_new, entered_new),
        ):
            instructions = version.routine.instructions
            loud = {n for n in changed if instructions[n].kind not in SILENT}
            decisions |= {n for n in loud if instructions[n].kind in DECIDING}
            calls = {n for n in entered & loud if instructions[n].kind is Kind.CALL}
            sides.append((loud, decisions, calls))
        if sides[0][0] - {a for a, _ in self.pairs}:
            only_constants = False
        old_blocks, new_blocks = self.edges.moved_blocks(self.partner)
        return RoutineComparison(
            VersionSide(
                frozenset(sides[0][0]), frozenset(sides[0][1]), frozenset(old_blocks), frozenset(sides[0][2])
            ),
            VersionSide(
                frozenset(sides[1][0]), frozenset(sides[1][1]), frozenset(new_blocks), frozenset(sides[1][2])
            ),
            tuple(self.pairs),
            only_constants and not old_blocks and not new_blocks,
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

    def _same_expression(self, before: Instruction, after: Instruction) -> bool:
        """Whether two versions of a decision are about the same whole expression."""
        a, b = before.operands[0], after.operands[0]
        if a < 0 or b < 0:
            return a < 0 and b < 0 and self.old.outside[~a] == self.new.outside[~b]
        return self.old.digests[a] == self.new.digests[b]

    def _is_same(self, before: Instruction, after: Instruction) -> bool:
        if not self._same_form(before, after) or len(before.operands) != len(after.operands):
            return False
        if not all(self._corresponds(before, after, n) for n in range(len(before.operands))):
            return False
        return before.kind is Kind.PHI or self.edges.lead_to_the_same(before, after)

    def _same_form(self, before: Instruction, after: Instruction) -> bool:
        """Whether both do the same with what they are given; the cases of a switch are edges."""
        if before.kind is Kind.SWITCH and after.kind is Kind.SWITCH:
            return before.shape == after.shape
        return own_form(before, self.old.names) == own_form(after, self.new.names)

    def _differs_in_constants(self, before: Instruction, after: Instruction) -> bool:
        if not self._same_form(before, after) or len(before.operands) != len(after.operands):
            return False
        if not self.edges.lead_to_the_same(before, after):
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
