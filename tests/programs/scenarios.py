"""Small programs before and after a change, with what is true about them.

A scenario is a file with the `files` of the program and the `changes` to them. In it, `related` are the
options that the effect of the change on hot code depends on, and `slower` says in which configurations the
program takes at least a tenth more or fewer instructions ("never" if in none; nothing: in all).
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sonde.core.options import Option, OptionName
from sonde.space.space import Space
from tests.changes import with_changes

PROGRAMS = Path(__file__).parent
NEVER = "never"


@dataclass(frozen=True)
class Scenario:
    """A change of a small program."""

    name: str
    about: str
    old: Mapping[str, str]  # names and texts of files
    new: Mapping[str, str]
    space: Space
    hot: tuple[str, ...]
    called: tuple[str, ...]  # what hot code calls, and ways may end in
    is_relevant: bool
    related: tuple[OptionName, ...]
    allowed: tuple[OptionName, ...]  # may be called related, though the effect does not depend on them
    conservative: tuple[OptionName, ...]  # related where uses that only read count, too
    depth: int  # how many decisions lie between, if that is more than the default
    slower: str  # a constraint; empty: always
    configurations: int  # of the related options
    total: int
    measured: int | None  # of these, those worth measuring, where that is said

    def write(self, folder: Path) -> None:
        """Write the program to `old` and `new` in this folder."""
        for side, files in (("old", self.old), ("new", self.new)):
            (folder / side).mkdir(parents=True, exist_ok=True)
            for name, text in files.items():
                (folder / side / name).write_text(text)


def sources_in(folder: Path) -> tuple[Path, ...]:
    """The files to compile, by name."""
    return tuple(sorted(file for file in folder.iterdir() if file.suffix in (".c", ".cpp")))


def read_scenario(name: str) -> Scenario:
    """The scenario of this name."""
    truth = tomllib.loads((PROGRAMS / f"{name}.toml").read_text())
    related = tuple(truth["related"])
    return Scenario(
        name,
        truth["about"],
        truth["files"],
        with_changes(truth["files"], truth["changes"]),
        Space.of([_option(*each) for each in truth["options"].items()], truth.get("constraints", ())),
        tuple(truth["hot"]),
        tuple(truth.get("called", ())),
        truth["relevant"],
        related,
        tuple(truth.get("allowed", ())),
        tuple(truth.get("conservative", related)),
        truth.get("depth", 1),
        truth.get("slower", ""),
        truth["configurations"],
        truth["total"],
        truth.get("measured"),
    )


def _option(name: str, facts: dict[str, Any]) -> Option:
    values = tuple(facts.get("values", (False, True)))
    return Option(
        name,
        values,
        values[0],
        words=facts.get("words", ""),
        environment=facts.get("environment", ""),
        variables=(facts["variable"],) if "variable" in facts else (),
    )


def read_scenarios() -> tuple[Scenario, ...]:
    """All scenarios, by name."""
    return tuple(read_scenario(file.stem) for file in sorted(PROGRAMS.glob("*.toml")))
