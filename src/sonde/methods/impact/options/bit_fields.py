"""Which of the bits that are loaded together are used."""

from __future__ import annotations

from sonde.core.code import Instruction, Kind, Routine
from sonde.methods.impact.constants import UNKNOWN, ConstantNumber, bits_asked, number_of


def reads_of_bits(routine: Routine, load: int, bits: tuple[int, int]) -> list[int]:
    """The values that hold these bits (the first one and their number) of what is loaded.

    What keeps other bits to write all of them back does not read these. Where that is unclear: the load.
    """
    first, count = bits
    wanted = ((1 << count) - 1) << first
    width = 8 * (routine.instructions[load - routine.parameters].size or 8)
    found: list[int] = []
    waiting = [(load, 0)]  # a value, and the bit of the unit that is its lowest
    while waiting:
        value, shift = waiting.pop()
        for position in _users(routine, value):
            each = routine.instructions[position]
            user = routine.parameters + position
            operation = each.shape.partition(" ")[0]
            number = _second_number(routine, each)
            if each.kind is not Kind.COMPUTE or (
                operation in ("and", "lshr", "ashr", "shl") and number is UNKNOWN
            ):
                return [load]
            if operation == "lshr" and isinstance(number, int):
                waiting.append((user, shift + number))
            elif operation == "shl" and isinstance(number, int):
                if not _read_signed(routine, user, width, number, wanted, found):
                    return [load]
            elif operation == "ashr" and isinstance(number, int):
                if wanted >> (shift + number):
                    found.append(user)
            elif operation == "and" and isinstance(number, int):
                mask = bits_asked((), each.shape, number) << shift
                if mask & wanted and not _writes_back(routine, user):
                    found.append(user)
            elif operation in ("trunc", "zext", "sext"):
                waiting.append((user, shift))
                if operation == "trunc" and " to i1" in each.shape and wanted >> shift & 1:
                    found.append(user)
            else:
                return [load]
    return found


def _users(routine: Routine, value: int) -> list[int]:
    return [n for n, each in enumerate(routine.instructions) if value in each.operands]


def _second_number(routine: Routine, each: Instruction) -> ConstantNumber:
    return number_of(routine, each.operands[1]) if len(each.operands) == 2 else UNKNOWN


def _read_signed(routine: Routine, value: int, width: int, left: int, wanted: int, found: list[int]) -> bool:
    """A signed field: shifted to the left end, then back; False if it is something else."""
    for position in _users(routine, value):
        each = routine.instructions[position]
        number = _second_number(routine, each)
        if each.shape.partition(" ")[0] != "ashr" or not isinstance(number, int):
            return False
        lowest, highest = number - left, width - left
        if wanted & (((1 << highest) - 1) ^ ((1 << lowest) - 1)):
            found.append(routine.parameters + position)
    return True


def _writes_back(routine: Routine, value: int) -> bool:
    """Whether a value only goes into `or`, with new bits, and then to memory."""
    users = _users(routine, value)
    if not users:
        return False
    for position in users:
        each = routine.instructions[position]
        if each.kind is Kind.STORE:
            continue
        if each.kind is not Kind.COMPUTE or each.shape.partition(" ")[0] != "or":
            return False
        after = _users(routine, routine.parameters + position)
        if not after or any(routine.instructions[n].kind is not Kind.STORE for n in after):
            return False
    return True
