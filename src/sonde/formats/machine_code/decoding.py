"""The instructions of many functions: how many, and which refer to places elsewhere.

There are a hundred instructions to a function, so the loop over them does as little as it can, and arrays do
the rest.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass

import numpy as np
from iced_x86 import Decoder
from numpy.typing import NDArray

from sonde.formats.damaged import Damaged
from sonde.formats.elf.extents import NOWHERE, Extents, Integers
from sonde.formats.elf.image import Image

BRANCH = 0xFFFF  # in the place of a size in memory, which are small numbers
ABSOLUTE = 0xFFFE
INDEXED = 0xFFFD  # absolute, with something added to it
_BITS = 64
_IMMEDIATES = (0, 1, 2, 4)  # bytes that may follow the displacement
_AWAY = 1 << 40  # added to all addresses, so that they are unlike what is added to a pointer
_LOWEST, _HIGHEST = _AWAY - (1 << 32), 1 << 63
_MOST_OVERLAP = 4  # how often the symbols of a sane file may cover its code


@dataclass(frozen=True)
class Code:
    """The bytes of all functions, one behind the other."""

    content: NDArray[np.uint8]
    begins: Integers  # of each function in `content`
    ends: Integers


@dataclass(frozen=True)
class References:
    """Operands that name a place outside of their function; ascending by owner and position."""

    owners: Integers  # number of the function
    positions: Integers  # of the displacement in the bytes of all functions
    widths: Integers  # of the displacement in bytes
    targets: Integers  # addresses
    kinds: (
        Integers  # BRANCH, ABSOLUTE, INDEXED, or the kind of operand in memory, as the decoder numbers them
    )

    def chosen(self, which: NDArray[np.bool_] | Integers) -> References:
        """Some of them."""
        columns = (self.owners, self.positions, self.widths, self.targets, self.kinds)
        return References(*(column[which] for column in columns))

    def merged(self, other: References) -> References:
        """All of both, in order."""
        columns = (
            (self.owners, other.owners),
            (self.positions, other.positions),
            (self.widths, other.widths),
            (self.targets, other.targets),
            (self.kinds, other.kinds),
        )
        both = References(*(np.concatenate(pair) for pair in columns))
        return both.chosen(np.argsort(both.positions, kind="stable"))

    def __len__(self) -> int:
        return len(self.owners)


def gather_code(image: Image, functions: Extents) -> Code:
    """The bytes of all functions, so that positions in them can be dealt with at once."""
    sizes = functions.ends - functions.starts
    if int(sizes.sum()) > _MOST_OVERLAP * len(image.elf.content):
        raise Damaged("its symbols overlap too much, so that it is damaged; build it anew")
    numbers = image.extents.find(functions.starts).tolist()
    spans = zip(functions.starts.tolist(), functions.ends.tolist(), numbers, strict=True)
    stretches = [(each.offset - each.address, 0 if each.is_zero else each.end) for each in image.sections]
    stretches.append((0, 0))  # NOWHERE is the last
    content, parts = image.elf.content, []
    for start, end, number in spans:
        shift, stop = stretches[number]
        parts.append(content[start + shift : min(end, stop) + shift] if start < stop else b"")
    lengths = np.array([len(part) for part in parts], np.int64)
    ends = np.cumsum(lengths)
    return Code(np.frombuffer(b"".join(parts), np.uint8), ends - lengths, ends)


def decode(code: Code, functions: Extents) -> tuple[References, Integers]:
    """What the functions refer to relative to themselves, and the number of instructions of each."""
    content = code.content.tobytes()
    nexts, targets, kinds = array("Q"), array("Q"), array("Q")
    add_next, add_target, add_kind = nexts.append, targets.append, kinds.append
    counts, found = [], []
    spans = zip(code.begins.tolist(), code.ends.tolist(), functions.starts.tolist(), strict=True)
    for begin, end, start in spans:
        count, first, stop = 0, start + _AWAY, start + _AWAY + end - begin
        for instruction in Decoder(_BITS, content[begin:end], ip=first):
            count += 1
            # One question is enough for most: this is also where a jump goes to.
            target = instruction.memory_displacement
            if _LOWEST < target < _HIGHEST and not first <= target < stop:
                if instruction.is_ip_rel_memory_operand:
                    add_next(instruction.next_ip)
                    add_target(target)
                    add_kind(instruction.memory_size)
                elif instruction.near_branch_target:
                    add_next(instruction.next_ip)
                    add_target(target)
                    add_kind(BRANCH)
        counts.append(count)
        found.append(len(nexts))
    totals = np.array(found, np.int64)
    owners = np.repeat(np.arange(len(found)), np.diff(totals, prepend=0))
    behind, places, whats = (
        np.array(column, np.uint64).astype(np.int64) for column in (nexts, targets, kinds)
    )
    behind, places = behind - _AWAY, places - _AWAY
    known = (whats != BRANCH) | (places != 0)
    columns = (column[known] for column in (owners, behind, places, whats))
    return _placed(code, functions, *columns), np.array(counts, np.int64)


def _placed(
    code: Code, functions: Extents, owners: Integers, nexts: Integers, targets: Integers, kinds: Integers
) -> References:
    """The references that leave their function, each with the place of its displacement."""
    outside = (targets < functions.starts[owners]) | (targets >= functions.ends[owners])
    owners, nexts, targets, kinds = owners[outside], nexts[outside], targets[outside], kinds[outside]
    behind = nexts - functions.starts[owners] + code.begins[owners]
    positions = np.full(len(owners), NOWHERE, np.int64)
    widths = np.full(len(owners), 4, np.int64)
    matches = np.zeros(len(owners), np.int64)
    for after in _IMMEDIATES:
        at = behind - after - 4
        is_there = _integers_at(code, at) == targets - nexts
        is_there &= (at >= code.begins[owners]) & ((kinds != BRANCH) | (after == 0))
        positions = np.where(is_there & (matches == 0), at, positions)
        matches += is_there
    short = (matches == 0) & (kinds == BRANCH)
    positions = np.where(short, behind - 1, positions)
    widths = np.where(short, 1, widths)
    for number in np.flatnonzero(matches > 1).tolist():
        positions[number] = _exact_position(code, functions, int(owners[number]), int(nexts[number]))
    references = References(owners, positions, widths, targets, kinds)
    return references.chosen(positions != NOWHERE)


def _integers_at(code: Code, positions: Integers) -> Integers:
    if len(code.content) < 4:
        return np.zeros(len(positions), np.int64)
    windows = np.lib.stride_tricks.sliding_window_view(code.content, 4)
    rows = windows[np.clip(positions, 0, len(windows) - 1)]
    return np.ascontiguousarray(rows).view("<i4")[:, 0].astype(np.int64)


def _exact_position(code: Code, functions: Extents, owner: int, behind: int) -> int:
    """Where the displacement of one instruction lies, for an immediate may equal it."""
    begin, end, start = int(code.begins[owner]), int(code.ends[owner]), int(functions.starts[owner])
    decoder = Decoder(_BITS, code.content[begin:end].tobytes(), ip=start)
    for instruction in decoder:
        if instruction.next_ip == behind:
            offset = decoder.get_constant_offsets(instruction).displacement_offset
            return begin + instruction.ip - start + offset
    return NOWHERE
