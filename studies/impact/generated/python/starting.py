"""How a program is started: as a file, or as a package with `python3 -m`."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sonde.core.options import Configuration, Option, Phase
from sonde.space.words import spell

INTERPRETER = "/usr/bin/python3"  # as benchmarks find it
SURROUNDINGS = {
    "PATH": os.defpath,
    "LC_ALL": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
}
FILE, PACKAGE = "app.py", "pack"


@dataclass(frozen=True)
class Case:
    """One configuration of one revision."""

    folder: str
    start: str  # a file, or a package
    words: tuple[str, ...]
    variables: Mapping[str, str]

    @property
    def command(self) -> list[str]:
        """What runs it."""
        if self.start == PACKAGE:
            return [INTERPRETER, "-m", self.start, *self.words]
        return [INTERPRETER, f"{self.folder}/{self.start}", *self.words]

    @property
    def environment(self) -> Mapping[str, str]:
        """All variables."""
        found = {**SURROUNDINGS, **self.variables}
        return {**found, "PYTHONPATH": self.folder} if self.start == PACKAGE else found


def start_of(files: Mapping[str, str]) -> str:
    """Where a program begins."""
    return FILE if FILE in files else PACKAGE


def write(files: Mapping[str, str], folder: Path) -> None:
    """The files in a folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def cases(
    files: Mapping[str, str],
    folder: Path,
    options: Sequence[Option],
    configurations: Sequence[Configuration],
) -> list[Case]:
    """Every configuration of a program that lies in a folder."""
    spelled = [spell(options, each, Phase.LOAD, lambda _: True) for each in configurations]
    return [Case(str(folder), start_of(files), each.words, dict(each.variables)) for each in spelled]
