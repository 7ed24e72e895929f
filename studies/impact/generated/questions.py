"""Which questions are asked about a subject."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Asked:
    """The questions; each takes some seconds."""

    impact: bool = True
    hot_given: bool = True
    check: bool = True
