"""Finding the repository that a folder belongs to, and whether it may be trusted."""

from __future__ import annotations

from pathlib import Path

from sonde.core.errors import RepositoryError
from sonde.effects.git.complaints import explain
from sonde.effects.git.program import Git, GitOutput, environment, run
from sonde.effects.git.repository import Repository

_ROOT = 0

_PLACES = (
    "rev-parse",
    "--path-format=absolute",  # git 2.31
    "--git-dir",
    "--git-common-dir",
    "--git-path",
    "objects",
    "--show-object-format",
)


def open_repository(path: Path) -> Repository:
    """The repository that `path` is or lies in; it may be bare.

    Git refuses the repository of another user, since its settings can run programs. We do so, too, unless it
    belongs to root, who can run programs as anyone.
    """
    if not path.is_dir():
        raise RepositoryError(
            f"{path}: this folder does not exist. Name the root of the subject's git repository."
        )
    answer = _find(path)
    if answer.code != 0 and "dubious ownership" in answer.complaint:
        answer = _find(path, "-c", "safe.directory=*")  # only finds the places, and runs nothing
        if answer.code != 0 or not _belongs_to_root(path, answer):
            raise RepositoryError(
                f"{path}: this repository belongs to another user, and its settings could run programs as "
                f"you. If you trust it: `git config --global --add safe.directory {path.resolve()}`."
            )
    if answer.code != 0 and "not a git repository" in answer.complaint:
        raise RepositoryError(
            f"{path}: this is not a git repository. Name the root of one, or create one there: "
            "`git init && git add . && git commit`."
        )
    if answer.code != 0:
        raise explain(answer.complaint, Git(path), path, "open the repository")
    git_dir, common_dir, objects, object_format = _lines(answer)
    return Repository(path, Path(git_dir), Path(common_dir), Path(objects), object_format)


def _find(path: Path, *settings: str) -> GitOutput:
    return run(["git", *settings, *_PLACES], folder=path, variables=environment())


def _lines(answer: GitOutput) -> list[str]:
    return answer.output.decode(errors="surrogateescape").splitlines()


def _belongs_to_root(path: Path, answer: GitOutput) -> bool:
    git_dir, common_dir, *_ = _lines(answer)
    places = [path, Path(git_dir), Path(common_dir)]
    return all(place.stat().st_uid == _ROOT for place in [*places, Path(git_dir).parent])
