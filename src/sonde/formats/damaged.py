"""What a file that cannot be read says about itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class UnreadableOutput:
    """An output whose functions cannot be told; why, and what to do, in a sentence."""

    output: str
    reason: str


class Damaged(Exception):
    """Inside this package only: a file is not what it claims to be; the text says in what."""
