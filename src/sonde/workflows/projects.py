"""Opening a project: its file, its repository, its state folder."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sonde.core.revisions import History
from sonde.effects.git.opening import open_repository
from sonde.effects.git.repository import Repository
from sonde.effects.project_file import Project, load_project
from sonde.effects.state_folder import StateFolder


@dataclass(frozen=True)
class OpenProject:
    """A project that was read and checked; nothing is written yet."""

    file: Project
    state: StateFolder

    @cached_property
    def repository(self) -> Repository:
        """The subject's repository."""
        return open_repository(self.file.repository)

    def history(self, range: str) -> History:
        """The revisions of a range; of the whole branch if it is empty."""
        subject = self.file.subject
        return self.repository.read_history(range, subject.first_parent, subject.branch or "HEAD")


def open_project(start: Path, state: Path | None = None) -> OpenProject:
    """The project whose file is at `start`, or in the folder `start` or above it."""
    project = load_project(start)
    return OpenProject(project, StateFolder((state or project.state).resolve()))
