"""The filter of system calls, played by a slow twin of the kernel's machine."""

import struct

import pytest

from sonde.effects.sandbox.system_calls import _DENIED, COUNTERS, filter_of

X86_64, I386 = 0xC000003E, 0x40000003
ALLOW, EPERM = 0x7FFF0000, 0x00050001


def played(program: bytes, architecture: int, number: int) -> int:
    """What the program answers for a system call."""
    steps: list[tuple[int, int, int, int]] = list(struct.iter_unpack("=HBBI", program))
    loaded, at = 0, 0
    while True:
        code, if_true, if_false, operand = steps[at]
        at += 1
        if code == 0x06:
            return operand
        if code == 0x20:
            loaded = {0: number, 4: architecture}[operand]
        else:
            is_true = loaded == operand if code == 0x15 else loaded >= operand
            at += if_true if is_true else if_false


@pytest.mark.parametrize("architecture", [X86_64, I386])
def test_each_call_is_denied_or_allowed_by_its_number(architecture):
    program = filter_of(machine="x86_64")
    denied = {numbers[architecture == I386] for numbers in _DENIED.values()} - {0}

    answers = {number: played(program, architecture, number) for number in range(600)}

    assert {number for number, answer in answers.items() if answer == EPERM} == denied
    assert set(answers.values()) == {ALLOW, EPERM}


def test_other_ways_to_count_are_denied_as_a_whole():
    program = filter_of(machine="x86_64")

    assert played(program, X86_64, 0x40000000 + 1) == EPERM
    assert played(program, 0xC00000B7, 1) == EPERM


def test_counters_can_be_allowed():
    wide, narrow = _DENIED[COUNTERS]
    program = filter_of([COUNTERS], machine="x86_64")

    assert played(program, X86_64, wide) == played(program, I386, narrow) == ALLOW
    assert played(program, X86_64, _DENIED["mount"][0]) == EPERM


def test_a_processor_whose_numbers_are_not_known_has_no_filter():
    assert filter_of(machine="riscv64") == b""
