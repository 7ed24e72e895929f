"""Addresses that are built into the code of a program at a fixed address."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from iced_x86 import Decoder, Instruction, Mnemonic
from numpy.typing import NDArray

from sonde.formats.elf.extents import NOWHERE, Extents, Integers
from sonde.formats.elf.image import Image
from sonde.formats.machine_code.blocks import REACH_BYTES
from sonde.formats.machine_code.decoding import ABSOLUTE, BRANCH, INDEXED, Code, References

_CALLS = (0xE8, 0xE9)  # call, jmp
# Their immediates are masks and factors, never addresses.
_ARITHMETIC = frozenset(
    {Mnemonic.AND, Mnemonic.OR, Mnemonic.XOR, Mnemonic.TEST, Mnemonic.IMUL, Mnemonic.ADC, Mnemonic.SBB}
)


def absolute_references(code: Code, functions: Extents, image: Image, marks: Iterable[int]) -> References:
    """Addresses that the code of a program at a fixed address holds in displacements and immediates.

    Those that something is added to may also lie near a section.
    """
    if len(code.content) < 4:
        return _none()
    windows = np.lib.stride_tricks.sliding_window_view(code.content, 4)
    values = np.ascontiguousarray(windows).view("<u4")[:, 0].astype(np.int64)
    low, high = int(image.extents.starts[0]), int(image.extents.ends.max())
    near = np.flatnonzero((values >= low - REACH_BYTES) & (values < high + REACH_BYTES))
    found = values[near]
    likely = near[_may_be_meant(found, functions, image) | np.isin(found, np.array(list(marks), np.int64))]
    rows: list[tuple[int, int, int, int, int]] = []
    content = code.content.tobytes()
    meant = set(likely.tolist())
    firsts = np.searchsorted(near, code.begins).tolist()
    lasts = np.searchsorted(near, code.ends - 3).tolist()
    for owner, (first, last) in enumerate(zip(firsts, lasts, strict=True)):
        if first < last:
            wanted = set(near[first:last].tolist())
            begin, start = int(code.begins[owner]), int(functions.starts[owner])
            rows += [
                (owner, at, 4, int(values[at]), kind)
                for at, kind in _constants(content, begin, int(code.ends[owner]), start)
                if at in wanted and (kind == INDEXED or at in meant)
            ]
    if not rows:
        return _none()
    table = np.array(rows, np.int64)
    return References(*(table[:, column].copy() for column in range(5)))


def calls_of_nothing(code: Code, functions: Extents) -> References:
    """Calls of the address 0: what a static program has in the place of functions that it lacks."""
    if len(code.content) < 5:
        return _none()
    windows = np.lib.stride_tricks.sliding_window_view(code.content, 4)
    values = np.ascontiguousarray(windows).view("<i4")[:, 0].astype(np.int64)
    sizes = code.ends - code.begins
    behind = np.repeat(functions.starts - code.begins, sizes)[: len(values)] + np.arange(len(values)) + 4
    at = np.flatnonzero((values == -behind) & np.isin(np.roll(code.content, 1)[: len(values)], _CALLS))
    owners = np.searchsorted(code.ends, at, side="right")
    inside = (at + 4 <= code.ends[owners]) & (at > code.begins[owners])
    at, owners = at[inside], owners[inside]
    width, nothing = np.full(len(at), 4, np.int64), np.zeros(len(at), np.int64)
    return References(owners, at, width, nothing, np.full(len(at), BRANCH, np.int64))


def _may_be_meant(values: Integers, functions: Extents, image: Image) -> NDArray[np.bool_]:
    """Whether these are places of data, or beginnings of functions: a number inside of code is a number."""
    sections = image.extents.find(values)
    is_code = np.array([section.is_code for section in image.sections], np.bool_)[sections]
    begins = np.isin(values, functions.starts) | (functions.find(values) == NOWHERE)  # or a stub
    return np.asarray((sections != NOWHERE) & (~is_code | begins))


def _constants(content: bytes, begin: int, end: int, start: int) -> list[tuple[int, int]]:
    """Positions and kinds of all displacements and immediates that have four bytes and are not relative."""
    found: list[tuple[int, int]] = []
    decoder = Decoder(64, content[begin:end], ip=start)
    for instruction in decoder:
        if instruction.len < 5:
            continue
        offsets = decoder.get_constant_offsets(instruction)
        at = begin + instruction.ip - start
        if offsets.displacement_size >= 4 and not instruction.is_ip_rel_memory_operand:
            found.append(
                (at + offsets.displacement_offset, INDEXED if _is_indexed(instruction) else ABSOLUTE)
            )
        is_number = instruction.near_branch_target or instruction.mnemonic in _ARITHMETIC
        if offsets.immediate_size >= 4 and not is_number:
            is_added = instruction.mnemonic == Mnemonic.ADD
            found.append((at + offsets.immediate_offset, INDEXED if is_added else ABSOLUTE))
    return found


def _is_indexed(instruction: Instruction) -> bool:
    return bool(instruction.memory_base | instruction.memory_index)  # 0 is no register


def _none() -> References:
    return References(*(np.zeros(0, np.int64) for _ in range(5)))
