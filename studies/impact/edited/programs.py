"""A copy of a project, whose files can be edited: what its benchmark executes, and what each case counts."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import sonde
from sonde.core.points import Point
from sonde.core.results import Failed
from sonde.core.revisions import RevisionId
from sonde.effects.executors.blueprints import Blueprint
from sonde.workflows.api import Session, Silence
from sonde.workflows.code_lines import see_all
from sonde.workflows.impact.hot import one_at_a_time
from sonde.workflows.measure.measuring import measure
from sonde.workflows.project_tools import open_tools
from sonde.workflows.targets import MeasuringRequest
from studies.check.saving_truth import CaseKey, count_all

BASE = "edited-base"  # the tag of the revision that is edited
_WHO = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")


@dataclass(frozen=True)
class Line:
    """A line of a file in the repository."""

    file: str
    number: int


@dataclass(frozen=True)
class EditedProgram:
    """The copy; its project file has one benchmark, counts instructions, and follows what is checked out."""

    folder: Path
    base: RevisionId

    @property
    def session(self) -> Session:
        """The project as it is now."""
        return sonde.open(self.folder)

    @property
    def repository(self) -> Path:
        """The work tree."""
        return self.session.project.file.repository

    def executed_lines(self) -> tuple[Line, ...]:
        """Lines that some configuration executes that has one option away from its default."""
        project = self.session.project
        history = project.history(f"{self.base}^!")
        benchmarks = [each.name for each in project.file.subject.benchmarks]
        with open_tools(project, history, benchmarks, is_sandboxed=True) as tools:
            drafts = [
                tools.drafter.draft(Point(self.base, configuration, name))
                for configuration in one_at_a_time(project.file.space)
                for name in benchmarks
            ]
            with tools.executor(Silence()) as executor:
                blueprints = [each for each in drafts if isinstance(each, Blueprint)]
                seen = see_all(tools, executor, blueprints).values()
        own = set(project.repository.files(self.base))  # headers of the system have paths of their own
        places = {Line(place.file, place.line) for each in seen for place in each.lines if place.file in own}
        return tuple(sorted(places, key=lambda each: (each.file, each.number)))

    def text(self, line: Line) -> str:
        """A line as it is at the base."""
        return self._lines(line.file)[line.number - 1]

    def commit(self, line: Line, text: str) -> RevisionId:
        """Replace one line of the base; the new revision is checked out."""
        _git(self.repository, "checkout", "--quiet", "--force", "-B", "edited", self.base)
        lines = self._lines(line.file)
        lines[line.number - 1] = text
        (self.repository / line.file).write_text("\n".join(lines), errors="surrogateescape")
        subject = f"{line.file}:{line.number}"
        _git(self.repository, *_WHO, "commit", "--quiet", "--all", "--no-verify", "--message", subject)
        return RevisionId(_git(self.repository, "rev-parse", "HEAD"))

    def fails(self, revision: RevisionId) -> str:
        """Why a revision cannot be counted, as its default configuration shows; else nothing."""
        found = measure(self.session.project, MeasuringRequest(f"{revision}^!", runs=1), True, Silence())
        for result in found.survey.results.values():
            if isinstance(result.outcome, Failed):
                return f"its default configuration fails, at {result.outcome.stage.value}"
        return ""

    def counts(self, revision: RevisionId, kept: Path) -> dict[CaseKey, float | None]:
        """The instructions of every case of a revision; None where it fails."""
        project = sonde.open(self.folder, self.folder / ".truth").project
        truth = count_all(project, [revision], kept, is_sandboxed=True, progress=lambda _: None)
        return dict(truth.revisions[revision].by_case)

    def _lines(self, file: str) -> list[str]:
        return (self.repository / file).read_text(errors="surrogateescape").split("\n")


def copy_program(project: Path, folder: Path) -> EditedProgram:
    """The copy of a project in `folder`; one that is there already is used again."""
    if not folder.exists():
        begun = folder.with_suffix(".begun")
        shutil.rmtree(begun, ignore_errors=True)
        shutil.copytree(project, begun, symlinks=True, ignore=shutil.ignore_patterns(".sonde"))
        _git(sonde.open(begun).project.file.repository, "tag", "--force", BASE)
        begun.rename(folder)
    return EditedProgram(folder, sonde.open(folder).project.repository.resolve(BASE))


def _git(repository: Path, *words: str) -> str:
    told = subprocess.run(["git", *words], cwd=repository, check=True, capture_output=True, text=True)
    return told.stdout.strip()
