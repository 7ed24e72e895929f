"""Line numbers that a function hands to `assert` and its kin: they change with every line above it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass

from iced_x86 import Code as Opcode
from iced_x86 import Decoder, FlowControl, Instruction, InstructionInfoFactory, Register, RegisterExt

_SOURCE_FILE = re.compile(
    rb".*\.(c|h|cc|cpp|cxx|c\+\+|hpp|hh|hxx|inl|inc|ipp|tcc|y|l|yy|ll|def|m|mm|rs)", re.DOTALL
)
_RECEIVERS = re.compile(r"(plt:)?(.*:)?(__assert_fail|__assert|__assert_rtn|.*_fl|.*_at_line)")
_ENDINGS = ("_fail", "__assert", "_rtn", "_fl", "_line")  # quick to tell, for there are many names
_ARGUMENTS = frozenset({Register.EDI, Register.ESI, Register.EDX, Register.ECX, Register.R8D, Register.R9D})
_WHOLE = {register: RegisterExt.full_register(register) for register in _ARGUMENTS}
_START = 1 << 32  # where the function is taken to lie, so that no target is 0
_ENDS = (FlowControl.UNCONDITIONAL_BRANCH, FlowControl.CALL, FlowControl.INDIRECT_CALL)


@dataclass(frozen=True)
class LineNumbers:
    """Where a function holds line numbers, and who gets them."""

    positions: tuple[int, ...]  # of immediates of four bytes, from the start of the function
    receivers: frozenset[str]


def is_source_file(text: bytes) -> bool:
    """Whether a text looks like `__FILE__`."""
    return b"." in text[-5:] and b" " not in text and _SOURCE_FILE.fullmatch(text) is not None


def is_receiver(label: str) -> bool:
    """Whether a function of this name is known to be told where it was called."""
    return label.endswith(_ENDINGS) and _RECEIVERS.fullmatch(label) is not None


def find_line_numbers(content: bytes, files: Set[int], callees: Mapping[int, str]) -> LineNumbers:
    """Numbers that go nowhere but into such calls.

    `files` are the positions of operands that name a source file, `callees` those of operands that name a
    function. A number counts if it is put into an argument's register, nothing else uses that register, and
    no jump leads in or out, before a call that also gets a file's name or is known for it.
    """
    factory = InstructionInfoFactory()
    instructions = list(Decoder(64, content, ip=_START))
    entries = {each.near_branch_target for each in instructions if each.near_branch_target}
    operands = _Operands(files, callees)
    positions: list[int] = []
    receivers: set[str] = set()
    waiting: dict[int, int] = {}  # a register -> where its number lies
    has_file = False
    for instruction in instructions:
        if instruction.ip in entries:
            waiting, has_file = {}, False
        is_file, callee = operands.before(instruction.next_ip - _START)
        if instruction.flow_control != FlowControl.NEXT:
            is_known = callee is not None and (has_file or is_receiver(callee))
            if callee is not None and is_known and waiting and instruction.flow_control in _ENDS:
                positions += waiting.values()
                receivers.add(callee)
            waiting, has_file = {}, False
            continue
        has_file = has_file or is_file
        for used in factory.info(instruction).used_registers():
            waiting.pop(RegisterExt.full_register(used.register), None)
        if _puts_number(instruction):
            waiting[_WHOLE[instruction.op0_register]] = instruction.next_ip - _START - 4  # it comes last
    return LineNumbers(tuple(sorted(positions)), frozenset(receivers))


class _Operands:
    """Tells which operands lie in an instruction, one instruction after the other."""

    def __init__(self, files: Set[int], callees: Mapping[int, str]) -> None:
        self._files, self._callees = files, callees
        self._positions = sorted(files | callees.keys(), reverse=True)

    def before(self, end: int) -> tuple[bool, str | None]:
        """Whether a file is named since the last question, and which function."""
        is_file, callee = False, None
        while self._positions and self._positions[-1] < end:
            position = self._positions.pop()
            is_file = is_file or position in self._files
            callee = self._callees.get(position, callee)
        return is_file, callee


def _puts_number(instruction: Instruction) -> bool:
    is_move = instruction.code in (Opcode.MOV_R32_IMM32, Opcode.MOV_RM32_IMM32)
    return is_move and instruction.op0_register in _ARGUMENTS
