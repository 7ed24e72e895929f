"""By whose project file a check goes: a pull request must not choose the rules that judge it.

The file in the work tree belongs to the revision that is checked out, so to the one that is checked. It can
allow the network, show folders of the machine, or leave out a benchmark. So the version of the base counts,
unless the user has edited the file or named another one. Where the base has its file is looked up at the
base: the head could put another one in front of it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from sonde.core.errors import ProjectFileError, RepositoryError, UnknownRevision, UsageError
from sonde.core.project_rules import WIDENING, RuleChange, RuleDifference, TakenRules, differences
from sonde.core.revisions import RevisionId, short
from sonde.core.subject import BuildRecipe, Subject, Surroundings
from sonde.effects.git.opening import open_repository
from sonde.effects.git.repository import Repository
from sonde.effects.git.tracked.file import KeptFile, nearest_at
from sonde.effects.git.tracked.inputs import KeptInputs
from sonde.effects.git.tracked.places import places_of
from sonde.effects.project_file import FILE_NAMES, holds_project, load_project
from sonde.effects.project_file.source import decoded
from sonde.effects.runs.inputs import files_named
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
    kept = KeptFile.of(project.file.file)
    if named:
        return _named(project, kept, named)
    return _with_inputs(_of_whom(project, kept, revision, base), revision, base)


def _of_whom(project: OpenProject, kept: KeptFile | None, revision: str, base: str) -> Ruled:
    if kept is None or kept.is_edited:
        return Ruled(project)
    ruled = _at_base(project, kept, revision or "HEAD", base)
    branch = ruled.project.file.subject.branch
    return _at_base(project, kept, branch, base) if branch and not revision else ruled


def _with_inputs(ruled: Ruled, revision: str, base: str) -> Ruled:
    """With the input files of the base, where git keeps them: the head could make the work vanish."""
    file = ruled.project.file
    patterns = [pattern for recipe in file.subject.benchmarks for pattern in recipe.inputs]
    place = next(iter(places_of(file.root / file.file.name)), None)
    if place is None or not patterns:
        return ruled
    repository = open_repository(place.top)
    checked = base_of(repository, revision or file.subject.branch or "HEAD", base)
    if checked is None:
        return ruled
    inputs = KeptInputs(repository, place.top, place.path.parent, checked)
    changed = inputs.choose(patterns, files_named(file.root, patterns)).changed
    would = tuple(RuleDifference(RuleChange.INPUT_CHANGED, name) for name in changed)
    rules = ruled.rules
    if would:
        before = rules or TakenRules(f"{short(checked)}:{place.name}", ())
        rules = replace(before, head_would=(*before.head_would, *would))
    return Ruled(replace(ruled.project, inputs=inputs), rules)


def base_of(repository: Repository, revision: str, base: str) -> RevisionId | None:
    """What a revision is compared with; None if this repository does not know it, or it has no parent."""
    try:
        if base:
            return repository.resolve(base)
        parents = repository.ancestors(repository.resolve(revision), True, 1)[0].parents
    except (UnknownRevision, RepositoryError):
        return None
    return parents[0] if parents else None


def _named(project: OpenProject, kept: KeptFile | None, named: str) -> Ruled:
    revision, colon, path = named.partition(":")
    if not colon or Path(named).is_file():
        if not Path(named).is_file():
            raise UsageError(f"{OPTION} {named}: write REVISION:PATH, such as 'HEAD:sonde.toml', or a file.")
        return Ruled(replace(project, file=load_project(Path(named))))
    if kept is None:
        raise UsageError(f"{OPTION} {named}: {project.file.file} is not in a repository with revisions.")
    content = kept.repository.content(kept.repository.resolve(revision), path)
    if content is None:
        raise UsageError(f"{OPTION} {named}: '{revision}' has no file '{path}'.")
    return _taken(project, named, project.file.file, decoded(content))


def _at_base(project: OpenProject, kept: KeptFile, revision: str, base: str) -> Ruled:
    """The project by the file of the base, if that is another one, and about the same repository."""
    checked = base_of(kept.repository, revision, base)
    if checked is None:
        return Ruled(project)
    found = _found_at(project, kept, checked)
    if found is None:
        _require_narrow(project, kept.name)
        return Ruled(project)
    name, text = found
    if name == kept.name and text == decoded(kept.place.path.read_bytes()):
        return Ruled(project)
    taken = _taken(project, f"{short(checked)}:{name}", kept.place.top / name, text)
    is_same = taken.project.repository.common_dir == kept.repository.common_dir
    return taken if is_same else Ruled(project)


def _found_at(project: OpenProject, kept: KeptFile, revision: RevisionId) -> tuple[str, str] | None:
    """The name and the text of the project file that whoever searches at a revision finds."""
    if project.start.is_file():
        content = kept.repository.content(revision, kept.name)
        return None if content is None else (kept.name, decoded(content))
    files = nearest_at(kept.repository, kept.place.top, project.start, FILE_NAMES, revision)
    texts = ((name, decoded(content)) for name, content in files)
    return next(((name, text) for name, text in texts if holds_project(kept.place.top / name, text)), None)


def _taken(project: OpenProject, source: str, place: Path, text: str) -> Ruled:
    try:
        file = load_project(place, text)
    except ProjectFileError as error:
        raise ProjectFileError(
            f"{source}, the project file of this check, cannot be used: {error}\nUse another "
            f"version with {OPTION}, such as {OPTION} HEAD:{source.partition(':')[2]}."
        ) from None
    would = differences(file.subject, project.file.subject)
    return Ruled(replace(project, file=file), TakenRules(source, would))


def _require_narrow(project: OpenProject, name: str) -> None:
    """Refuse a file that is new at the head and allows more than nothing."""
    subject = project.file.subject
    nothing = Subject("", True, BuildRecipe((), ()), (), (), (), Surroundings())
    wider = [each for each in differences(nothing, subject) if each.change in WIDENING]
    if wider:
        what = ", ".join(sorted(f"{each.change.value} {each.name}".strip() for each in wider))
        raise ProjectFileError(
            f"{project.file.file}: the base has no project file, and that of the head gives code "
            f"more access to this machine ({what}). If you trust it, use: {OPTION} HEAD:{name}."
        )
