"""What fills the space between functions: it does nothing, and its length depends on the layout."""

from __future__ import annotations

from functools import lru_cache

from iced_x86 import Decoder, Mnemonic

_PADDING = (Mnemonic.NOP, Mnemonic.INT3)
_ZEROS = bytes(2)  # they would be an instruction


@lru_cache(maxsize=256)
def is_padding(content: bytes) -> bool:
    """Whether nothing of this code is meant to run."""
    if not content.strip(b"\0") or not content.strip(b"\x90"):
        return True
    return all(instruction.mnemonic in _PADDING for instruction in Decoder(64, content))


def length_without_padding(content: bytes) -> int:
    """The bytes of code up to the end of its last instruction that is no padding; all if there is none."""
    length = 0
    for instruction in Decoder(64, content):
        begin, end = instruction.ip, instruction.next_ip
        if instruction.mnemonic not in _PADDING and content[begin:end] not in (_ZEROS, _ZEROS[:1]):
            length = end
    return length or len(content)
