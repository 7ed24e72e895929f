"""A work tree that is switched from revision to revision, and that the user's repository knows nothing of."""

from __future__ import annotations

import errno
import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from sonde.core.errors import AnotherSonde, RepositoryError, StoreNotWritable
from sonde.core.revisions import RevisionId, short
from sonde.effects.git.complaints import concerns_objects, concerns_space, explain
from sonde.effects.git.patterns import Patterns
from sonde.effects.git.program import GitFailed
from sonde.effects.git.repository import Repository
from sonde.effects.git.slots.borrowing import Lender, Slot
from sonde.effects.git.slots.hiding import keep_chosen
from sonde.effects.git.slots.submodules import fill_submodules

_STEP_SECONDS = 0.02


@dataclass(frozen=True)
class Checkout:
    """A revision's files."""

    revision: RevisionId
    tree: Path
    absent_submodules: tuple[str, ...] = ()  # paths of submodules that were never fetched: empty folders


@dataclass(frozen=True)
class Worktree:
    """A slot in which one revision after another is checked out. Get one from `open_worktree`.

    `tree` holds the files only. The git directory lies beside it, so that a build finds no git unless it may
    see it.
    """

    repository: Repository
    folder: Path
    sees_git: bool
    slot: Slot

    @property
    def tree(self) -> Path:
        """Where the files are; the same folder for all revisions."""
        return self.slot.tree

    @property
    def git_places(self) -> tuple[Path, ...]:
        """What must be readable for git to work in the tree; empty where a build shall not see it.

        Of the user's repository, that is the objects only: its settings may hold passwords.
        """
        if not self.sees_git:
            return ()
        return (self.slot.git_dir, self.repository.objects, *self.repository.borrowed_objects)

    def switch(self, revision: RevisionId) -> Checkout:
        """The files of `revision`, and nothing else: what a build left behind is gone.

        All files get the same time. Hooks do not run, LFS pointers stay pointers. A damaged slot is made
        anew.
        """
        try:
            return self._switch(revision)
        except (GitFailed, OSError) as failure:
            if isinstance(failure, GitFailed) and self._lacks_objects(revision, failure):
                raise self._explained(revision, failure) from None
        self.slot.discard()
        try:
            return self._switch(revision)
        except GitFailed as failure:
            raise self._explained(revision, failure) from None
        except OSError as failure:
            raise self._not_written(revision, str(failure)) from failure

    def hide_all_but(self, patterns: tuple[str, ...]) -> None:
        """Remove the files that `patterns` do not choose, until the next switch.

        A build that reads a file which is not declared as an input then fails, instead of being taken for the
        twin of another.
        """
        keep_chosen(self.tree, Patterns(patterns))

    def _switch(self, revision: RevisionId) -> Checkout:
        if not (self.slot.git_dir / "HEAD").exists() or not self.tree.is_dir():
            self.slot.discard()
            self.slot.prepare()
        self.slot.check_out(revision)
        absent = fill_submodules(self.slot)
        self._show_git()
        self.slot.finish()
        return Checkout(revision, self.tree, absent)

    def _show_git(self) -> None:
        if self.sees_git:
            with (self.tree / ".git").open("x") as link:  # the checkout has left none
                link.write(f"gitdir: {self.slot.git_dir}\n")

    def _lacks_objects(self, revision: RevisionId, failure: GitFailed) -> bool:
        if not concerns_objects(failure.complaint):
            return False
        # A damaged slot can complain in the same words; the user's repository knows better.
        words = ("rev-list", "--objects", "--no-walk", "--quiet", revision)
        return self.repository.git.ask(*words).code != 0

    def _not_written(self, revision: RevisionId, reason: str) -> StoreNotWritable:
        return StoreNotWritable(
            f"{self.folder}: cannot check out {short(revision)} ({reason}). Everything stored so "
            "far is safe. Free disk space or correct the permissions, then run the same command "
            "again."
        )

    def _explained(self, revision: RevisionId, failure: GitFailed) -> RepositoryError | StoreNotWritable:
        if concerns_space(failure.complaint):
            return self._not_written(revision, os.strerror(errno.ENOSPC))
        purpose = f"check out {short(revision)}"
        return explain(failure.complaint, self.repository.git, self.repository.folder, purpose)


@contextmanager
def open_worktree(
    repository: Repository, folder: Path, sees_git: bool = False, wait_seconds: float = 5.0
) -> Iterator[Worktree]:
    """A work tree in `folder`, which is made if it is not there; nobody else can have it meanwhile.

    `sees_git` lets a build call git in it, for instance `git describe`: then it has the tags, too. A git that
    a killed Sonde started may still be at work; it is waited for.
    """
    place = folder.resolve()
    place.mkdir(parents=True, exist_ok=True)
    with (place / "lock").open("w") as lock:
        _claim(lock, place, wait_seconds)
        git = repository.git
        lender = Lender(repository.objects, repository.object_format, repository.common_dir)
        # Git inherits the lock: if we are killed, it holds until git has ended, too.
        slot = Slot(place / "git", place / "tree", lender, kept_open=(lock.fileno(),))
        try:
            slot.prepare()
        except (GitFailed, OSError):  # something else has their places
            slot.discard()
            slot.prepare()
        tags = git.read("for-each-ref", "--format=%(objectname) %(refname)", "refs/tags") if sees_git else b""
        (slot.git_dir / "packed-refs").write_bytes(tags)
        yield Worktree(repository, place, sees_git, slot)


def _claim(lock: IO[str], folder: Path, wait_seconds: float) -> None:
    deadline = time.monotonic() + wait_seconds
    while True:
        try:
            return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise AnotherSonde(
                    f"{folder}: another Sonde, or a git process that it started, is working here. Wait "
                    "until it has ended."
                ) from None
            time.sleep(_STEP_SECONDS)
