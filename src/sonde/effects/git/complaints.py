"""What git's complaints mean to the user, and what to do about them."""

from __future__ import annotations

import re
from pathlib import Path

from sonde.core.errors import RepositoryError
from sonde.effects.git.program import Git

_OBJECT_TROUBLE = re.compile(
    r"could not read|bad object|unable to read|missing|corrupt|inflate|failed to read|failed to traverse"
    r"|bad tree|loose object|not allowed|could not fetch|promisor|invalid object|cannot be accessed"
    r"|unable to parse",
    re.IGNORECASE,
)
# Of names that git refuses to write, as `.git/config`, or that no file system can have.
_NAME_TROUBLE = re.compile(r"invalid path|file ?name too long", re.IGNORECASE)
SHOWN_LETTERS = 300
_NO_SPACE = re.compile(r"no space left|disk quota|out of diskspace", re.IGNORECASE)


def concerns_objects(complaint: str) -> bool:
    """Whether git complains that an object is missing or damaged."""
    return bool(_OBJECT_TROUBLE.search(complaint)) and not concerns_space(complaint)


def concerns_space(complaint: str) -> bool:
    """Whether git complains that the disk is full."""
    return bool(_NO_SPACE.search(complaint))


def concerns_names(complaint: str) -> bool:
    """Whether git complains that a revision has a file which cannot be written here."""
    return bool(_NAME_TROUBLE.search(complaint))


class CannotCheckOut(RepositoryError):
    """A revision has files that cannot be written here; others can be checked out all the same."""


def explain(complaint: str, git: Git, folder: Path, purpose: str) -> RepositoryError:
    """The error to raise when git, bound to the user's repository, could not do what it was started for."""
    said = _last_line(complaint)
    if concerns_names(complaint):
        return CannotCheckOut(f"git could not {purpose}: {said}")
    if not concerns_objects(complaint):
        return RepositoryError(f"{folder}: git could not {purpose}: {said}")
    if is_partial(git):
        return RepositoryError(
            f"{folder}: git could not {purpose}, because this is a partial clone, which leaves "
            f"objects on the server ({said}). Fetch them all with `git -C {folder} fetch --refetch "
            "--no-filter`."
        )
    return RepositoryError(
        f"{folder}: git could not {purpose}, because objects are missing or damaged ({said}). "
        f"`git -C {folder} fsck` lists them; `git -C {folder} fetch --refetch` fetches them "
        "again from the server."
    )


def is_partial(git: Git) -> bool:
    """Whether the repository left objects with the server when it was cloned."""
    return git.ask("config", "--get-regexp", r"^(remote\..*\.promisor|extensions\.partialclone)$").code == 0


def shallow_advice(git: Git, folder: Path) -> str:
    """What to do about a history that ends early, as a sentence; empty if the clone has it all."""
    if git.ask("rev-parse", "--is-shallow-repository").output.strip() != b"true":
        return ""
    return f"This is a shallow clone; `git -C {folder} fetch --unshallow --tags` fetches its whole history."


def _last_line(complaint: str) -> str:
    lines = [line.strip() for line in complaint.splitlines() if line.strip() and not line.startswith("hint:")]
    fatal = [line for line in lines if line.startswith(("fatal:", "error:"))]
    chosen = (fatal or lines or ["git gave no reason"])[-1]
    said = re.sub(r"^(fatal|error): ", "", chosen)
    return said if len(said) <= SHOWN_LETTERS else f"{said[:SHOWN_LETTERS]}..."
