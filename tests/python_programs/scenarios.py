"""Small Python programs with a change and what is true about it.

A scenario is a file: `files` of the program, `changes` to them, where it begins (`entries`), what is `hot`,
which variable keeps each option, whether the change is `relevant`, and which options are `related`; `allowed`
ones may be called related, though the effect does not depend on them.
"""

from __future__ import annotations

import time
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from sonde.core.findings.impacts import Role
from sonde.formats.python_source.reading import PythonProgram, read_python
from sonde.formats.python_source.sources import PythonSource, parse_source
from sonde.methods.impact.answer import answer
from sonde.methods.impact.hot.code import Hotness
from sonde.methods.impact.options.variables import OptionInCode
from sonde.methods.impact.question import AnalysisSettings, Answer, Question
from tests.changes import with_changes

PROGRAMS = Path(__file__).parent
BEGINNINGS = ("tool.py", "pack/__main__.py")


@dataclass(frozen=True)
class Scenario:
    """A change of a small program."""

    name: str
    about: str
    old: Mapping[str, str]
    new: Mapping[str, str]
    entries: tuple[str, ...]
    hot: tuple[str, ...]
    options: Mapping[str, str]
    is_relevant: bool
    related: frozenset[str]
    allowed: frozenset[str]
    depth: int


def read_scenario(file: Path) -> Scenario:
    """What a file says."""
    truth = tomllib.loads(file.read_text())
    old: dict[str, str] = truth["files"]
    return Scenario(
        file.stem,
        truth["about"],
        old,
        with_changes(old, truth["changes"]),
        tuple(truth.get("entries", [each for each in BEGINNINGS if each in old])),
        tuple(truth["hot"]),
        truth["options"],
        truth["relevant"],
        frozenset(truth["related"]),
        frozenset(truth.get("allowed", ())),
        truth.get("depth", 1),
    )


def read_scenarios() -> tuple[Scenario, ...]:
    """All scenarios, by name."""
    return tuple(read_scenario(file) for file in sorted(PROGRAMS.glob("*.toml")))


def sources_of(files: Mapping[str, str]) -> tuple[PythonSource, ...]:
    """The files of a program, parsed."""
    packages = {
        str(PurePosixPath(each).parent) for each in files if PurePosixPath(each).name == "__init__.py"
    }
    return tuple(parse_source(name, text.encode(), packages) for name, text in sorted(files.items()))


def programs_of(scenario: Scenario) -> tuple[PythonProgram, PythonProgram]:
    """The program before and after the change."""
    sides = [sources_of(each) for each in (scenario.old, scenario.new)]
    old, new = read_python(sides, scenario.entries)
    return old, new


def ask(scenario: Scenario) -> Answer:
    """What the analysis says about the change."""
    old, new = programs_of(scenario)
    hot = tuple(Hotness(name) for name in scenario.hot)
    options = tuple(OptionInCode(name, (variable,)) for name, variable in scenario.options.items())
    settings = AnalysisSettings(implicit_depth=scenario.depth)
    return answer(Question(old.units, new.units, hot, options, settings=settings), time.monotonic)


def related_in(found: Answer) -> set[str]:
    """The options that are to be varied: those up to the first hot code, if there are any."""
    related = {each.option for each in found.options if each.role in (Role.RELATED, Role.UNKNOWN)}
    return related or {each.option for each in found.options if each.role is Role.BEHIND}
