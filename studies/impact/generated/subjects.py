"""What a language supplies: subjects from a seed, their text, whether they are valid, and what they cost."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sonde.core.options import Option
from sonde.space.space import Space
from studies.impact.generated.trees import Side
from studies.impact.generated.truth import Truth


@dataclass(frozen=True)
class Subject:
    """Two revisions of a program, as one merged tree, and the options that users can choose."""

    options: tuple[Option, ...]
    constraints: tuple[str, ...]
    program: object  # a merged tree, whose two sides are programs of the language
    flags: str = ""  # how users build it, where that differs from subject to subject

    @property
    def space(self) -> Space:
        """Its configurations; raises a ConstraintError if a constraint names an option that is missing."""
        return Space.of(self.options, self.constraints)


@dataclass(frozen=True)
class Drawn:
    """A subject, and what its edit was meant to be."""

    subject: Subject
    edit: str
    is_meant_harmless: bool


@dataclass(frozen=True)
class Invalid:
    """Why a subject cannot be asked about: it does not compile, fails, takes too long."""

    reason: str


class Language(Protocol):
    """A programming language in which subjects are written."""

    @property
    def name(self) -> str:
        """As the command line has it."""

    def draw(self, rng: random.Random) -> Drawn:
        """A subject; the same for the same state of `rng`."""

    def files(self, subject: Subject, side: Side) -> Mapping[str, str]:
        """The files of a revision, with those that build it."""

    def recipe(self, subject: Subject) -> str:
        """The tables `[build]` and `[benchmarks.run]` of the project file."""

    def count(self, subject: Subject, folder: Path) -> Truth | Invalid:
        """What each configuration of both revisions executes."""

    def count_briefly(self, subject: Subject, folder: Path) -> Truth | Invalid:
        """The same in the builds that are asked about only; hot functions are not looked for."""

    def check(self, subject: Subject, folder: Path) -> Invalid | None:
        """Whether anything about it is undefined: why, or None if it is valid."""

    def simpler(self, node: object) -> Iterator[object]:
        """Nodes that may stand in the place of this one, the simplest first."""

    def tidied(self, program: object) -> object:
        """A merged tree without definitions that nobody names."""

    def unwrapped(self, node: object) -> Iterator[tuple[object, ...]]:
        """What may stand in the place of this part of a block: the parts of a block inside of it."""
