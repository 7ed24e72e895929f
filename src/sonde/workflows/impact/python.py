"""Python subjects of `sonde impact`: the files of builds, where programs begin, and what is hot in them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from sonde.core.errors import UsageError
from sonde.core.findings.impacts import Suggestion
from sonde.core.records import Built
from sonde.core.results import Failed
from sonde.core.subject import BenchmarkRecipe
from sonde.effects.builds.outputs import NoOutputs, find_outputs
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.local import LocalExecutor
from sonde.effects.python_files import find_sources
from sonde.formats.python_source.reading import read_python
from sonde.formats.python_source.sources import PythonSource, UnreadablePython
from sonde.formats.python_source.suggestions import suggest_python
from sonde.space.words import BUILD_PLACE
from sonde.workflows.evidence import build_all, outputs_of
from sonde.workflows.impact.programs import ProgramPair
from sonde.workflows.project_tools import ProjectTools

LIBRARY = "not every benchmark starts a file of the build, so any of its functions may be called from outside"


@dataclass(frozen=True)
class PythonCode:
    """The Python files of a build."""

    sources: tuple[PythonSource, ...]
    digest: str  # equal for builds with equal outputs


def sources_of(
    tools: ProjectTools, executor: LocalExecutor, blueprints: Sequence[Blueprint]
) -> Iterator[tuple[Blueprint, PythonCode | Failed]]:
    """Each blueprint with the Python files of its build; raises a UsageError for one that is no Python."""
    outcomes = build_all(tools, executor, blueprints)
    for each in blueprints:
        built = outcomes[each.build.key]
        if not isinstance(built, Built):
            yield each, built
            continue
        folder = outputs_of(tools.store, executor, each, built)
        if isinstance(folder, Failed):
            yield each, folder
            continue
        outputs = find_outputs(folder, ["*"])
        assert not isinstance(outputs, NoOutputs)  # a build without outputs has failed
        try:
            sources = find_sources(folder, outputs.files)
        except UnreadablePython as error:
            raise UsageError(f"{error} Fix it, or exclude it from `build.outputs`.") from None
        yield each, PythonCode(sources, built.fingerprint)


def python_pairs(
    old: PythonCode, new: PythonCode, benchmarks: Iterable[BenchmarkRecipe]
) -> Iterator[ProgramPair]:
    """The program before and after the change, if anything differs."""
    if old.digest == new.digest:
        return
    entries = entries_of(benchmarks, new.sources)
    before, after = read_python([old.sources, new.sources], entries)
    warnings = tuple(dict.fromkeys((*before.warnings, *after.warnings)))
    if not entries:
        warnings = (*warnings, LIBRARY)
    yield ProgramPair("", before.units, after.units, tuple(python_suggestions(new)), warnings)


def python_suggestions(code: PythonCode) -> tuple[Suggestion, ...]:
    """The variables of the options of the command line."""
    return suggest_python(code.sources)


def entries_of(benchmarks: Iterable[BenchmarkRecipe], sources: Iterable[PythonSource]) -> frozenset[str]:
    """The files that benchmarks start; none if one of them starts something else, which may call anything."""
    by_module = {each.module: each.file for each in sources}
    files = frozenset(by_module.values())
    found: set[str] = set()
    for benchmark in benchmarks:
        served = shlex.split(benchmark.server.command) if benchmark.server is not None else []
        for command in benchmark.commands:
            started = set(_started([*shlex.split(command.line), *served], by_module)) & files
            if not started:
                return frozenset()
            found |= started
    return frozenset(found)


def _started(words: Sequence[str], by_module: dict[str, str]) -> Iterator[str]:
    """The files that the words of a command name: `{build}/tool.py`, `-m package`."""
    place = re.compile(rf"\{{{BUILD_PLACE}\}}/([^\s'\";|&]+)")
    for number, word in enumerate(words):
        yield from place.findall(word)
        if word == "-m" and number + 1 < len(words):
            name = words[number + 1]
            yield by_module.get(f"{name}.__main__", by_module.get(name, ""))
            yield by_module.get(name, "")
