"""Calls into other files go through stubs: small pieces of code that jump to what a pointer names."""

from __future__ import annotations

from collections.abc import Mapping

from iced_x86 import Decoder

from sonde.core.evidence import Function, Key
from sonde.formats.elf.file import Section
from sonde.formats.elf.image import Image
from sonde.formats.machine_code.meanings import short_digest

STUBS = (".plt", ".plt.sec", ".plt.got", ".plt.bnd", ".iplt")
_LANDING = b"\xf3\x0f\x1e\xfa"  # endbr64
_NOTHING = short_digest().hex()


def stub_sections(image: Image) -> tuple[Section, ...]:
    """The sections that hold nothing else."""
    return tuple(each for each in image.sections if each.name in STUBS and each.is_code)


def read_stubs(image: Image) -> Mapping[int, int]:
    """The address of each stub -> the number of the pointer that it jumps through."""
    numbers = {at: number for number, at in enumerate(image.slots.at.tolist())}
    found: dict[int, int] = {}
    for section in stub_sections(image):
        content = image.elf.bytes_of(section)
        for instruction in Decoder(64, content, ip=section.address):
            if instruction.is_ip_rel_memory_operand and instruction.ip_rel_memory_address in numbers:
                at = instruction.ip - section.address
                begins = at - 4 if content[at - 4 : at] == _LANDING and at >= 4 else at
                found[section.address + begins] = numbers[instruction.ip_rel_memory_address]
    return found


def stub_functions(output: str, image: Image) -> Mapping[Key, Function]:
    """The stubs of each section as one function, the same however many there are."""
    found = {}
    for section in stub_sections(image):
        content = image.elf.bytes_of(section)
        shapes = {str(instruction.code) for instruction in Decoder(64, content, ip=section.address)}
        code = short_digest(*(shape.encode() for shape in sorted(shapes))).hex()
        found[Key(output, "", section.name)] = Function(
            code=code,
            masked=code,
            masked_for=frozenset(),
            raw=short_digest(content).hex(),
            texts=_NOTHING,
            length=len(shapes),
        )
    return found
