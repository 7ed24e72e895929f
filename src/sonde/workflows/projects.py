"""Opening a project: its file, its repository, its state folder."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sonde.core.errors import ProjectFileError, UsageError
from sonde.core.revisions import History
from sonde.effects.git.opening import open_repository
from sonde.effects.git.repository import Repository
from sonde.effects.git.tracked.inputs import KeptInputs
from sonde.effects.git.tracked.places import kept_at, kept_link, places_of
from sonde.effects.project_file import Project, find_project_file, load_project
from sonde.effects.state_folder import StateFolder


@dataclass(frozen=True)
class OpenProject:
    """A project that was read and checked; nothing is written yet."""

    file: Project
    state: StateFolder
    start: Path = Path()  # the file, or the folder in which the search for it began
    inputs: KeptInputs | None = None  # files of benchmarks that are not those in the work tree

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
    project = read_project(start)
    folder = state or project.state
    _require_ours(folder)
    return OpenProject(project, StateFolder(folder.resolve()), start)


def read_project(start: Path) -> Project:
    """The project whose file is at `start`, or in the folder `start` or above it; it is only read."""
    file = find_project_file(start)
    if file is not None:
        _require_inside(file)
    return load_project(start)


def require_no_link(file: Path) -> None:
    """Refuse to write an answer through a link that a revision has brought."""
    link = kept_link(file)
    if link:
        raise UsageError(
            f"{file}: this revision has a symbolic link, '{link}', in this path. Name another file."
        )


def _require_inside(file: Path) -> None:
    """Refuse a project file that is a revision's link out of its work tree: messages quote what they read."""
    for place in places_of(file):
        if place.link and not file.resolve().is_relative_to(place.top.resolve()):
            raise ProjectFileError(
                f"{file}: this revision has a symbolic link, '{place.link}', that points out of the "
                "work tree. Name another project file with --project."
            )


def _require_ours(folder: Path) -> None:
    """Refuse a state folder in which a revision has put something: what lies there is believed, and run."""
    kept = kept_at(folder)
    if kept:
        raise UsageError(
            f"{folder}: this revision contains '{kept}', where Sonde would store its trusted data. "
            "Remove it from the repository (`git rm -r --cached`), or name another folder with "
            "--state."
        )
