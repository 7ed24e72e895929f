"""What is taken from a build: the bitcode of its units, and what has none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sonde.effects.builds.orders import TREE

# What bitcode calls the root of the work tree, wherever it lay: debug information names files below it.
ROOT = Path(TREE)


@dataclass(frozen=True)
class UnitFile:
    """The bitcode of a unit. Equal digests mean equal bitcode."""

    source: str  # relative to the root of the work tree where it lies below it
    digest: str
    path: Path


@dataclass(frozen=True)
class Skipped:
    """A source of the program that has no bitcode."""

    source: str
    reason: str  # one sentence
    is_broken: bool = False  # clang failed on it; else it is in another language
    output: str = ""  # the first errors of clang


@dataclass(frozen=True)
class Bitcode:
    """The units that each output of a build consists of."""

    outputs: Mapping[str, tuple[UnitFile, ...]]  # by the output's path; only outputs that have units
    skipped: tuple[Skipped, ...] = ()

    @property
    def units(self) -> tuple[UnitFile, ...]:
        """Every unit once, in the order of the outputs."""
        return tuple(dict.fromkeys(unit for units in self.outputs.values() for unit in units))
