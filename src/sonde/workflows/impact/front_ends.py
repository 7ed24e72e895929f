"""How builds become programs that can be analysed: by clang, or as Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Protocol, TypeVar

from sonde.core.evidence import Language, Snapshot
from sonde.core.findings.impacts import Suggestion
from sonde.core.results import Failed
from sonde.core.revisions import Revision
from sonde.effects.bitcode.kept_units import KeptUnits
from sonde.effects.bitcode.values import Bitcode
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.local import LocalExecutor
from sonde.methods.impact.command_line.suggestions import suggest
from sonde.workflows.bitcode import bitcodes_of
from sonde.workflows.evidence import snapshot_of
from sonde.workflows.impact.programs import ProgramPair, UnitReader, program_pairs
from sonde.workflows.impact.python import PythonCode, python_pairs, python_suggestions, sources_of
from sonde.workflows.project_tools import ProjectTools

C_ENDINGS = frozenset({".c", ".cc", ".cpp", ".cxx", ".c++", ".C"})
T = TypeVar("T", Bitcode, PythonCode)


class FrontEnd(Protocol[T]):
    """Reads builds of one kind."""

    @property
    def name(self) -> str:
        """What reads them, for messages."""

    def read(
        self, executor: LocalExecutor, blueprints: Sequence[Blueprint]
    ) -> Iterator[tuple[Blueprint, T | Failed]]:
        """What is known of each build, which is made if need be."""

    def pairs(self, old: T, new: T) -> Iterable[ProgramPair]:
        """The programs that differ."""

    def gaps(self, code: T) -> Iterable[str]:
        """What could not be read, in words."""

    def suggest(self, code: T) -> Iterable[Suggestion]:
        """The variables of options."""


@dataclass(frozen=True)
class ByClang:
    """C and C++, from bitcode."""

    tools: ProjectTools
    compile_commands: str = ""
    reader: UnitReader = field(default_factory=lambda: UnitReader(KeptUnits()))
    name: str = "with clang"

    def read(
        self, executor: LocalExecutor, blueprints: Sequence[Blueprint]
    ) -> Iterator[tuple[Blueprint, Bitcode | Failed]]:
        """The bitcode of each build."""
        return bitcodes_of(self.tools, executor, blueprints, self.compile_commands)

    def pairs(self, old: Bitcode, new: Bitcode) -> Iterable[ProgramPair]:
        """The programs that differ."""
        return program_pairs(old, new, self.reader)

    def gaps(self, code: Bitcode) -> Iterable[str]:
        """Units that were not compiled."""
        return [f"{each.source} is skipped: {each.reason}" for each in code.skipped]

    def suggest(self, code: Bitcode) -> Iterable[Suggestion]:
        """What the reading of the command line shows."""
        return [each for files in code.outputs.values() for each in suggest(self.reader.read(files))]


@dataclass(frozen=True)
class AsPython:
    """Python, from the files of the build."""

    tools: ProjectTools
    name: str = "as Python"

    def read(
        self, executor: LocalExecutor, blueprints: Sequence[Blueprint]
    ) -> Iterator[tuple[Blueprint, PythonCode | Failed]]:
        """The Python files of each build."""
        return sources_of(self.tools, executor, blueprints)

    def pairs(self, old: PythonCode, new: PythonCode) -> Iterable[ProgramPair]:
        """The program, if it differs."""
        return python_pairs(old, new, self.tools.project.file.subject.benchmarks)

    def gaps(self, code: PythonCode) -> Iterable[str]:
        """Nothing: a file that cannot be read is an error."""
        return ()

    def suggest(self, code: PythonCode) -> Iterable[Suggestion]:
        """What `argparse`, `optparse` and `click` are told."""
        return python_suggestions(code)


def front_end_for(
    tools: ProjectTools,
    executor: LocalExecutor,
    blueprint: Blueprint,
    revision: Revision,
    compile_commands: str,
) -> ByClang | AsPython:
    """What reads the builds of a subject: Python if all code in its outputs is.

    The files of the revision mostly tell without a build: where there is no source in C, nobody calls a
    compiler, and where there is no Python, it cannot be Python.
    """
    names = [PurePosixPath(each) for each in tools.project.repository.files(revision.id)]
    has_python = any(each.suffix == ".py" for each in names)
    if not has_python or compile_commands:
        return ByClang(tools, compile_commands)
    if not any(each.suffix in C_ENDINGS for each in names):
        return AsPython(tools)
    snapshot = snapshot_of(tools, executor, blueprint)
    languages = set(snapshot.languages.values()) if isinstance(snapshot, Snapshot) else set()
    return AsPython(tools) if languages == {Language.PYTHON} else ByClang(tools, compile_commands)
