"""Which bits of its variable an option changes: in `case 'x': flags |= FLAG_X;` it is those of `FLAG_X`."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass
from functools import cached_property

from sonde.core.code import Instruction, Kind, Routine
from sonde.methods.impact.command_line.words import Blocks
from sonde.methods.impact.constants import ALL_BITS, as_unsigned, is_conversion, number_of
from sonde.methods.impact.contents.choices import Choosing
from sonde.methods.impact.contents.memory import Contents, UnknownContent
from sonde.methods.impact.flow.building import Flow


@dataclass(frozen=True)
class OptionBits:
    """Answers for one program and its options."""

    choosing: Choosing

    @property
    def flow(self) -> Flow:
        """The flow graph of the program."""
        return self.choosing.flow

    def changed(self, option: int, reads: Set[int]) -> int | None:
        """The bits that may depend on an option's words, of a variable that these nodes read; None: any.

        What is set later counts for every option, unless it is set in any case: it may depend on one.
        """
        line, choices = self.choosing.line, self.choosing.choices
        words = [word for choice in choices[option] for word in choice.words]
        cells = self._cells(reads)
        if not words or not cells or not line.cases:
            return None
        fixed = self.choosing.fixed or ()
        given = line.executed((*fixed, *words))
        without = self.choosing.without(option)
        bits, has_own = 0, False
        try:
            writers = {each for cell in cells for each in self._contents.writers(cell)}
        except UnknownContent:
            return None
        for routine, position in writers:
            code = self.flow.program.routines[routine]
            block = code.instructions[position].block
            if block in self._always.get(routine, ()):
                if self._may_depend(routine, block):
                    bits |= changed_bits(code, position)
            elif block in given.get(routine, ()) or block not in without.get(routine, ()):
                bits |= changed_bits(code, position)
                has_own = True
        return bits if has_own and bits != ALL_BITS else None

    @cached_property
    def _always(self) -> Blocks:
        """What is executed without any words of options."""
        return self.choosing.line.executed(self.choosing.fixed or ())

    @cached_property
    def _contents(self) -> Contents:
        return Contents(self.flow, self.choosing.executed_at_all)

    def _may_depend(self, routine: int, block: int) -> bool:
        """Whether code that needs no words is executed after they were looked at, and not in any case."""
        if not self.choosing.line.is_later(routine, block, self._always):
            return False
        return self.flow.program.routines[routine].name != "main" or bool(self.flow.deciders[routine][block])

    def _cells(self, reads: Set[int]) -> set[int]:
        """The memory that is read; nothing if something else is read, too."""
        flow = self.flow
        found: set[int] = set()
        for node in reads:
            where = flow.where(node)
            if where.kind == "cell":
                found.add(where.index)
                continue
            code = flow.program.routines[where.routine] if where.kind == "value" else None
            position = where.index - code.parameters if code is not None else -1
            if code is None or position < 0 or code.instructions[position].kind is not Kind.LOAD:
                return set()
            found.update(flow.memory.pointees(where.routine, code.instructions[position].operands[0]))
        return found


def changed_bits(code: Routine, position: int) -> int:
    """The bits of what lies in memory that an instruction may change there."""
    store = code.instructions[position]
    if store.kind is not Kind.STORE:
        return ALL_BITS
    bits = _changed(code, position, store, store.operands[1], 0)
    return bits if bits == ALL_BITS or not store.size else as_unsigned(bits, 8 * store.size)


def _changed(code: Routine, position: int, store: Instruction, operand: int, steps: int) -> int:
    """The bits in which a value may differ from what lies where it is stored."""
    source = operand - code.parameters
    if source < 0 or steps > 8:
        return ALL_BITS
    each = code.instructions[source]
    if each.kind is Kind.LOAD:
        return 0 if _is_same(code, each.operands[0], store.operands[0], source, position) else ALL_BITS
    if each.kind is Kind.PHI:
        parts = [_changed(code, position, store, each_one, steps + 1) for each_one in each.operands]
        return _joined(parts)
    if each.kind is not Kind.COMPUTE:
        return ALL_BITS
    operation = each.shape.partition(" ")[0]
    if is_conversion(each.shape):
        return _changed(code, position, store, each.operands[0], steps + 1)
    if operation == "select" and len(each.operands) == 3:
        return _joined([_changed(code, position, store, n, steps + 1) for n in each.operands[1:]])
    if operation in ("and", "or", "xor") and len(each.operands) == 2:
        for value, other in (each.operands, each.operands[::-1]):
            number = number_of(code, other)
            if isinstance(number, int):
                before = _changed(code, position, store, value, steps + 1)
                return before | ((~number if operation == "and" else number) & ALL_BITS)
    return ALL_BITS


def _joined(parts: list[int]) -> int:
    found = 0
    for each in parts:
        found |= each
    return found


def _is_same(code: Routine, loaded: int, stored: int, first: int, last: int) -> bool:
    """Whether an address that is loaded from is the one that is stored to, with nothing stored in between."""
    is_place = loaded == stored or (
        loaded < 0 and stored < 0 and code.outside[~loaded] == code.outside[~stored]
    )
    return (
        is_place
        and first < last
        and not any(each.kind in (Kind.STORE, Kind.CALL) for each in code.instructions[first + 1 : last])
    )
