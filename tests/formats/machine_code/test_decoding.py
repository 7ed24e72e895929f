"""Which instructions refer to places elsewhere."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from iced_x86 import Decoder

from sonde.formats.elf.extents import Extents
from sonde.formats.machine_code.decoding import Code, decode

# Calls and jumps, an address, comparisons with one, two and four bytes, and some that refer to nothing.
PIECES = (
    "e8????????",
    "e9????????",
    "eb??",
    "0f84????????",
    "488d05????????",
    "803d????????07",
    "66813d????????0708",
    "813d????????????????",
    "c3",
    "4889e5",
    "b8????????",
    "8b4508",
)
START = 0x401000


@st.composite
def code_bytes(draw):
    pieces = draw(st.lists(st.sampled_from(PIECES), min_size=1, max_size=12))
    digits = draw(st.lists(st.sampled_from("001f"), min_size=100, max_size=100))
    return bytes.fromhex("".join(digits.pop() if letter == "?" and digits else letter.replace("?", "0")
                                 for piece in pieces for letter in piece))  # fmt: skip


def slowly(content: bytes) -> tuple[set[tuple[int, int, int]], int]:
    """(position, width, target) of every operand that leaves the function, one instruction at a time."""
    found = set()
    decoder = Decoder(64, content, ip=START)
    count = 0
    for instruction in decoder:
        count += 1
        offsets = decoder.get_constant_offsets(instruction)
        at = instruction.ip - START
        if instruction.is_ip_rel_memory_operand:
            place = (at + offsets.displacement_offset, 4, instruction.ip_rel_memory_address)
        elif instruction.near_branch_target:
            place = (at + offsets.immediate_offset, offsets.immediate_size, instruction.near_branch_target)
        else:
            continue
        if not START <= place[2] < START + len(content):
            found.add((*place[:2], place[2] - (place[2] >> 63 << 64)))  # negative rather than huge
    return found, count


@given(content=code_bytes())
def test_operands_that_leave_a_function_are_found_where_they_are(content):
    size = len(content)
    code = Code(np.frombuffer(content, np.uint8), np.array([0]), np.array([size]))

    references, counts = decode(code, Extents.of([(START, START + size)]))

    columns = (references.positions, references.widths, references.targets)
    expected, count = slowly(content)
    assert set(zip(*(column.tolist() for column in columns), strict=True)) == expected
    assert counts.tolist() == [count]
