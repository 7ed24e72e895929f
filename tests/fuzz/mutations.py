"""Damages texts and bytes at random, as people, networks and attackers do."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

_MOST_CHANGES = 8
_MOST_COPIED = 4096  # bytes at a time
_ODD = (
    *(b"", b"\0", b"\xff", b"\xed\xa0\x80", b"\r", b"\n", b" ", b"\t", b"\x1b[2J", b"\xe2\x80\xae"),
    *(b'"', b"'", b"\\", b"{", b"}", b"[", b"(", b"<", b"=", b",", b"#", b"%", b"-1", b"0", b"1e999"),
    *(b"9" * 30, b"nan", b"[" * 3000, b"(" * 3000, b"a" * 100_000),
)


def mutated(content: bytes, rng: Random, others: Sequence[bytes] = ()) -> bytes:
    """The content with a few changes; parts of the others may come into it."""
    changed = bytearray(content)
    for _ in range(rng.randint(1, _MOST_CHANGES)):
        _change(changed, rng, others or (content,))
    return bytes(changed)


def _change(content: bytearray, rng: Random, others: Sequence[bytes]) -> None:
    at = rng.randint(0, len(content))
    end = min(len(content), at + rng.choice((1, 1, 2, 4, 8, 64, 1024)))
    match rng.randrange(6):
        case 0:  # other bits
            if at < len(content):
                content[at] ^= 1 << rng.randrange(8)
        case 1:  # another byte
            if at < len(content):
                content[at] = rng.randrange(256)
        case 2:  # something is gone
            del content[at:end]
        case 3:  # something stands there twice
            content[at:at] = content[at:end] * rng.choice((1, 1, 1, 50))
        case 4:
            content[at:end] = rng.choice(_ODD)
        case _:  # something from elsewhere
            other = rng.choice(others)
            begin = rng.randint(0, len(other))
            content[at:at] = other[begin : begin + rng.randint(0, min(len(other), _MOST_COPIED))]
