"""Whether a program may choose its code by the processor that it runs on.

A profiler that imitates a processor, as valgrind does, shows another one than a run without it.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from iced_x86 import Code, Decoder

from sonde.formats.elf.file import Section
from sonde.formats.elf.image import Image

_CPUID = b"\x0f\xa2"
_RESOLVED, _RESOLVER = 37, 10  # R_X86_64_IRELATIVE, STT_GNU_IFUNC
# Where compilers and the C library keep what they know of the processor.
_KNOWN = frozenset({"__cpu_model", "__cpu_features2", "__cpu_indicator_init", "__x86_get_cpuid_feature_leaf"})


def dispatches(image: Image) -> bool:
    """Whether it asks for the processor, or for what another has found out, or has resolvers."""
    elf = image.elf
    if (elf.relocations["kind"] == _RESOLVED).any():
        return True
    for symbols in (elf.symbols, elf.dynamic_symbols):
        if ((symbols.rows["info"] & 15) == _RESOLVER).any() or not _KNOWN.isdisjoint(symbols.names):
            return True
    return any(
        _is_instruction(image, section, at)
        for section in image.sections
        if section.is_code
        for at in _found(elf.bytes_of(section))
    )


def _found(content: bytes) -> Iterator[int]:
    at = content.find(_CPUID)
    while at >= 0:
        yield at
        at = content.find(_CPUID, at + 1)


def _is_instruction(image: Image, section: Section, at: int) -> bool:
    """Whether it is `cpuid`, and not a part of another instruction; yes where no symbol tells."""
    rows = image.elf.symbols.rows
    address = section.address + at
    starts = rows["value"].astype(np.int64)
    covering = (starts <= address) & (address < starts + rows["size"].astype(np.int64))
    if not covering.any():
        return True
    for start in {int(each) for each in starts[covering]}:
        decoder = Decoder(64, image.read(start, address + len(_CPUID) - start), ip=start)
        if any(each.ip == address and each.code == Code.CPUID for each in decoder):
            return True
    return False
