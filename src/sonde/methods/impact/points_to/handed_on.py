"""Routines that only hand on: memory that they allocate, or their own arguments.

`xmalloc` allocates, checks and returns: the memory that each of its calls gives is then memory of its own,
named by the call. `check(p)` returns `p`: each call gives back what it was given. Wrappers of wrappers
count too, and those that copy what an argument points to into the fresh memory (xmemdup). A routine that
fills the memory in any other way, or keeps its address, is none of these: what it stores would be lost.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sonde.core.code import Address, Assembly, Instruction, Kind
from sonde.methods.impact.library.models import RESULT, CallValue, Effect, effect_of
from sonde.methods.impact.program.linking import External, Program, RoutineRef

MOST_INSTRUCTIONS = 300  # a routine with more is hardly a wrapper

_OTHER, _FRESH, _FIRST = 1, 2, 4  # bits; an argument's is _FIRST << its number
_ALLOCATION_FUNCTIONS = (
    "malloc calloc realloc reallocarray aligned_alloc memalign valloc reallocf strdup strndup _Znwm _Znam"
)


class HandedOn(NamedTuple):
    """What a call of a routine gives back; nothing else."""

    is_fresh: bool  # memory that no other call gives
    arguments: tuple[int, ...]  # the values of these arguments
    copied: tuple[int, ...]  # the fresh memory starts as a copy of what these arguments point to


def find_handed_on(program: Program) -> dict[int, HandedOn]:
    """What the routines that only hand on give back, by routine; a copy gives what its original gives."""
    origin = program.origin or range(len(program.routines))
    found = _find_in_originals(program, origin)
    return {number: found[original] for number, original in enumerate(origin) if original in found}


def _find_in_originals(program: Program, origin: Sequence[int]) -> dict[int, HandedOn]:
    found: dict[int, HandedOn] = {}
    leaks: dict[int, int] = {}
    callers: dict[int, set[int]] = {}
    waiting = []
    for number, routine in enumerate(program.routines):
        if origin[number] != number:
            continue
        if len(routine.instructions) <= MOST_INSTRUCTIONS and routine.gives:
            waiting.append(number)
            for position in routine.calls:
                meaning = program.meaning(number, routine.instructions[position].operands[0])
                if isinstance(meaning, RoutineRef):
                    callers.setdefault(origin[meaning.id], set()).add(number)
    while waiting:
        again = set[int]()
        for number in waiting:
            if number in found:
                continue
            look = _Look(program, number, origin, found, leaks)
            if look.surely_returns_other():
                continue
            outcome, leaks[number] = look.outcome()
            if outcome is not None:
                found[number] = outcome
                again |= callers.get(number, set())
        waiting = sorted(again.difference(found))
    return found


class _Look:
    """A look at one routine: which of its values may be fresh memory, arguments or something else."""

    def __init__(
        self,
        program: Program,
        number: int,
        origin: Sequence[int],
        known: dict[int, HandedOn],
        leaks: dict[int, int],
    ) -> None:
        self.program, self.number, self.origin = program, number, origin
        self.known, self.leaks = known, leaks
        self.body = program.routines[number]
        self.first = self.body.parameters
        self.locals = self._own_locals()
        self.values = [_FIRST << n for n in range(self.first)] + [0] * len(self.body.instructions)
        self.held = dict.fromkeys(self.locals, 0)
        self.copied = 0

    def _own_locals(self) -> set[int]:
        """The values that are addresses of variables which are only loaded and stored as a whole."""
        found = {self.first + n for n, each in enumerate(self.body.instructions) if each.kind is Kind.LOCAL}
        for each in self.body.instructions:
            match each.kind:
                case Kind.LOAD:
                    pass
                case Kind.STORE:
                    found.discard(each.operands[1])
                case Kind.CALL if self._is_without_effect(each):
                    pass
                case _:
                    found.difference_update(each.operands)
        return found

    def surely_returns_other(self) -> bool:
        """Whether a look at what is returned alone tells that it is something else: so it is with most."""
        instructions, stored = self.body.instructions, dict[int, list[int]]()
        waiting: list[int] = []
        for each in instructions:
            if each.kind is Kind.STORE:
                stored.setdefault(each.operands[0], []).append(each.operands[1])
            elif each.kind is Kind.RETURN:
                waiting += each.operands
        seen: set[int] = set()
        while waiting:
            operand = waiting.pop()
            if operand in seen:
                continue
            seen.add(operand)
            if operand < self.first:
                if self._value(operand) & _OTHER:
                    return True
                continue
            each = instructions[operand - self.first]
            match each.kind:
                case Kind.LOCAL | Kind.FIELD:
                    return True
                case Kind.LOAD if each.operands[0] not in self.locals:
                    return True
                case Kind.LOAD:
                    waiting += stored.get(each.operands[0], ())
                case Kind.CALL if self._called(each) & _OTHER:  # what it is given is not yet known: nothing
                    return True
                case Kind.PHI:
                    waiting += each.operands
                case Kind.COMPUTE if not each.shape.startswith(("icmp", "fcmp")):
                    waiting += each.operands
                case _:
                    pass
        return False

    def _is_without_effect(self, call: Instruction) -> bool:
        name = self._external(call)
        return name is not None and name.startswith(("llvm.lifetime", "llvm.dbg"))

    def _external(self, call: Instruction) -> str | None:
        meaning = self.program.meaning(self.number, call.operands[0])
        return meaning.name if isinstance(meaning, External) else None

    def outcome(self) -> tuple[HandedOn | None, int]:
        """What it hands on, if it does nothing else; and what it gives away, as bits."""
        while True:
            before = (list(self.values), dict(self.held), self.copied)
            for position, each in enumerate(self.body.instructions):
                self._step(self.first + position, each)
            if (self.values, self.held, self.copied) == before:
                break
        leaked = self._leaked()
        returned = 0
        for each in self.body.instructions:
            if each.kind is Kind.RETURN and each.operands:
                returned |= self._value(each.operands[0])
        if not returned or returned & _OTHER or (returned & _FRESH and leaked & _FRESH):
            return None, leaked
        handed = HandedOn(bool(returned & _FRESH), _arguments(returned), _arguments(self.copied))
        return handed, leaked

    def _value(self, operand: int) -> int:
        if operand >= 0:
            return self.values[operand]
        return _OTHER if isinstance(self.body.outside[~operand], Address) else 0

    def _step(self, value: int, each: Instruction) -> None:
        match each.kind:
            case Kind.LOAD:
                self.values[value] |= self.held.get(each.operands[0], _OTHER)
            case Kind.STORE if each.operands[0] in self.held:
                self.held[each.operands[0]] |= self._value(each.operands[1])
            case Kind.PHI:
                for operand in each.operands:
                    self.values[value] |= self._value(operand)
            case Kind.COMPUTE if each.shape.startswith(("icmp", "fcmp")):
                pass
            case Kind.COMPUTE:
                for operand in each.operands:
                    self.values[value] |= self._value(operand)
                if each.shape.startswith("inttoptr"):
                    self.values[value] |= _OTHER  # it may have been moved
            case Kind.LOCAL | Kind.FIELD:
                self.values[value] |= _OTHER
            case Kind.CALL:
                self.values[value] |= self._called(each)
            case _:
                pass

    def _called(self, call: Instruction) -> int:
        arguments = [self._value(each) for each in call.operands[1:]]
        meaning = self.program.meaning(self.number, call.operands[0])
        match meaning:
            case RoutineRef(id) if self.origin[id] in self.known:
                handed_on = self.known[self.origin[id]]
                found = _FRESH if handed_on.is_fresh else 0
                for number in handed_on.arguments:
                    found |= arguments[number] if number < len(arguments) else 0
                for number in handed_on.copied:
                    self.copied |= arguments[number] if number < len(arguments) else 0
                return found
            case External(name):
                return self._called_external(name, effect_of(name), arguments)
            case _:
                return _OTHER

    def _called_external(self, name: str, effect: Effect, arguments: list[int]) -> int:
        found = 0
        if effect.is_fresh:
            found |= _FRESH if name.removeprefix("rpl_") in _ALLOCATION_FUNCTIONS.split() else _OTHER
        if not effect.is_known or effect.is_own:
            found |= _OTHER
        for transfer in effect.transfers:
            source, target = transfer.source, transfer.target
            taken = 0
            for number in source.arguments(len(arguments)):
                taken |= arguments[number]
            if target == CallValue(RESULT, 0) and transfer.has_pointers:
                found |= taken if source.depth == 0 else _OTHER
            elif source.depth == 1 and target.depth == 1 and self._is_fresh(target, effect, arguments):
                self.copied |= taken
        return found

    def _is_fresh(self, slot: CallValue, effect: Effect, arguments: list[int]) -> bool:
        if slot.base == RESULT:
            return effect.is_fresh
        return any(arguments[number] & _FRESH for number in slot.arguments(len(arguments)))

    def _leaked(self) -> int:
        """What may be kept, or written to, by anyone."""
        leaked = 0
        for each in self.body.instructions:
            if each.kind is Kind.STORE and each.operands[0] not in self.held:
                leaked |= self._value(each.operands[1]) | self._value(each.operands[0])
            elif each.kind is Kind.FIELD:
                leaked |= self._value(each.operands[0])
            elif each.kind is Kind.CALL:
                leaked |= self._leaked_by(each)
        if self.copied & (_OTHER | _FRESH):
            leaked |= _FRESH
        return leaked

    def _leaked_by(self, call: Instruction) -> int:
        arguments = [self._value(each) for each in call.operands[1:]]
        every = 0
        for each in arguments:
            every |= each
        if call.operands[0] < 0 and isinstance(self.body.outside[~call.operands[0]], Assembly):
            return every
        meaning = self.program.meaning(self.number, call.operands[0])
        match meaning:
            case RoutineRef(id) if self.origin[id] in self.known:
                given, leaks = 0, self.leaks[self.origin[id]]
                for number, argument in enumerate(arguments):
                    if leaks & (_FIRST << number):
                        given |= argument
                return given
            case External(name):
                effect = effect_of(name)
                return every if self._keeps(effect, arguments) else 0
            case _:
                return every

    def _keeps(self, effect: Effect, arguments: list[int]) -> bool:
        """Whether an argument goes anywhere but to the result, or fills fresh memory from something else."""
        if not effect.is_known or effect.callbacks:
            return True
        for transfer in effect.transfers:
            source, target = transfer.source, transfer.target
            if target.depth and source.depth == 0 and transfer.has_pointers:
                return True
            if (
                target.depth
                and target.base != RESULT
                and source.depth == 1
                and self._is_fresh(target, effect, arguments)
            ):
                taken = 0
                for number in source.arguments(len(arguments)):
                    taken |= arguments[number]
                if taken & (_OTHER | _FRESH) or not taken:
                    return True
        return False


def _arguments(bits: int) -> tuple[int, ...]:
    bits //= _FIRST
    return tuple(number for number in range(bits.bit_length()) if bits >> number & 1)
