"""By whose project file a check goes: a pull request must not choose the rules that judge it.

The file in the work tree belongs to the revision that is checked out, so to the one that is checked. It can
allow the network, show folders of the machine, or leave out a benchmark. So the version of the base counts,
unless the user has edited the file or named another one.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sonde.core.errors import ProjectFileError, RepositoryError, UnknownRevision, UsageError
from sonde.core.project_rules import WIDENING, TakenRules, differences
from sonde.core.revisions import RevisionId, short
from sonde.core.subject import BuildRecipe, Subject, Surroundings
from sonde.effects.git.opening import open_repository
from sonde.effects.git.repository import Repository
from sonde.effects.project_file import load_project
from sonde.effects.project_file.source import decoded
from sonde.workflows.projects import OpenProject

OPTION = "--project-file"


@dataclass(frozen=True)
class Ruled:
    """A project as a check takes it; `rules` say whose file that is, if not the one in the work tree."""

    project: OpenProject
    rules: TakenRules | None = None


def by_whose_rules(project: OpenProject, revision: str, base: str, named: str) -> Ruled:
    """The project with the file that counts.

    `named` is what the user has chosen: a file, or `REVISION:PATH` with the path that git shows.
    """
    kept = _Kept.of(project.file.file)
    if named:
        return _named(project, kept, named)
    if kept is None or kept.is_edited:
        return Ruled(project)
    at_base = _at_base(project, kept, revision, base)
    return Ruled(project) if at_base is None else at_base


@dataclass(frozen=True)
class _Kept:
    """A project file that a repository keeps."""

    repository: Repository
    file: Path
    name: str  # as git has it

    @staticmethod
    def of(file: Path) -> _Kept | None:
        """None if the file is in no repository, or git does not keep it: then it is the user's own."""
        try:
            repository = open_repository(file.parent)
        except RepositoryError:
            return None
        name = repository.name_of(file)
        return None if name is None else _Kept(repository, file, name)

    @property
    def is_edited(self) -> bool:
        """Whether it differs from what is checked out."""
        return self.repository.is_edited(self.file)

    def base_of(self, revision: str, base: str) -> RevisionId | None:
        """What a revision is compared with; None if this repository does not know it, or it has no parent."""
        try:
            if base:
                return self.repository.resolve(base)
            parents = self.repository.ancestors(self.repository.resolve(revision), True, 1)[0].parents
        except (UnknownRevision, RepositoryError):
            return None
        return parents[0] if parents else None

    def text(self, revision: RevisionId) -> str | None:
        """The file at a revision; None if that has none."""
        content = self.repository.content(revision, self.name)
        return None if content is None else decoded(content)


def _named(project: OpenProject, kept: _Kept | None, named: str) -> Ruled:
    revision, colon, path = named.partition(":")
    if not colon or Path(named).is_file():
        if not Path(named).is_file():
            raise UsageError(f"{OPTION} {named}: write REVISION:PATH, such as 'HEAD:sonde.toml', or a file.")
        return Ruled(OpenProject(load_project(Path(named)), project.state))
    if kept is None:
        raise UsageError(f"{OPTION} {named}: {project.file.file} is in no repository that has revisions.")
    content = kept.repository.content(kept.repository.resolve(revision), path)
    if content is None:
        raise UsageError(f"{OPTION} {named}: '{revision}' has no file '{path}'.")
    return _taken(project, named, decoded(content))


def _at_base(project: OpenProject, kept: _Kept, revision: str, base: str) -> Ruled | None:
    """The project by the file of the base; None if that is the same, or is about another repository."""
    checked = kept.base_of(revision or project.file.subject.branch or "HEAD", base)
    text = None if checked is None else kept.text(checked)
    if checked is None or text == decoded(kept.file.read_bytes()):
        return None
    if text is None:
        _require_narrow(project, kept.name)
        return None
    taken = _taken(project, f"{short(checked)}:{kept.name}", text)
    return taken if taken.project.repository.common_dir == kept.repository.common_dir else None


def _taken(project: OpenProject, source: str, text: str) -> Ruled:
    try:
        file = load_project(project.file.file, text)
    except ProjectFileError as error:
        raise ProjectFileError(
            f"{source}, by which the check goes, cannot be used: {error}\n"
            f"Name another version with {OPTION}, such as {OPTION} HEAD:{source.partition(':')[2]}."
        ) from None
    would = differences(file.subject, project.file.subject)
    return Ruled(OpenProject(file, project.state), TakenRules(source, would))


def _require_narrow(project: OpenProject, name: str) -> None:
    """Refuse a file that is new at the head and allows more than nothing."""
    subject = project.file.subject
    nothing = Subject("", True, BuildRecipe((), ()), (), (), (), Surroundings())
    wider = [each for each in differences(nothing, subject) if each.change in WIDENING]
    if wider:
        what = ", ".join(sorted(f"{each.change.value} {each.name}".strip() for each in wider))
        raise ProjectFileError(
            f"{project.file.file}: the base has no project file, and that of the head lets code reach more "
            f"of this machine ({what}). If you trust it, name it: {OPTION} HEAD:{name}."
        )
