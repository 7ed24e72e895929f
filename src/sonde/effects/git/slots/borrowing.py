"""A git directory of our own that borrows the objects of another repository.

It is made by hand, and not by `git worktree add` or `git clone`: the user's repository gets neither an entry
in its list of work trees, nor a lock, nor a reference, and no hook, template or setting of the user reaches
ours.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

from sonde.core.revisions import RevisionId
from sonde.effects.git.program import Git, GitFailed
from sonde.effects.git.slots.files import fix_times
from sonde.effects.subject_files import discard, keep_only, notices_changes

_SETTINGS = """\
[core]
	repositoryFormatVersion = {version}
	bare = false
	hooksPath = /dev/null
	attributesFile = /dev/null
	fsmonitor = false
	untrackedCache = false
	autocrlf = false
	logAllRefUpdates = false
[gc]
	auto = 0
[maintenance]
	auto = false
[submodule]
	recurse = false
"""

_ISOLATED = {
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_COUNT": "0",
    "GIT_CONFIG_PARAMETERS": "",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_LFS_SKIP_SMUDGE": "1",
}

# An error that does not change git's exit code: the file is simply not there.
_INCOMPLETE = ("unable to read sha1 file", "unable to create file", "unable to write file")


@dataclass(frozen=True)
class Lender:
    """A repository whose objects are borrowed."""

    objects: Path
    object_format: str
    common_dir: Path


@dataclass(frozen=True)
class Slot:
    """A git directory with a work tree, both ours."""

    git_dir: Path
    tree: Path
    lender: Lender
    kept_open: tuple[int, ...] = ()

    @property
    def git(self) -> Git:
        """Git, bound to this slot and to nothing of the user's."""
        return Git(self.git_dir, (f"--work-tree={self.tree}",), _ISOLATED, self.kept_open)

    def prepare(self) -> None:
        """Make what is missing; the objects are borrowed from where the lender is now."""
        for folder in (self.tree, self.git_dir / "refs", self.git_dir / "objects" / "info"):
            folder.mkdir(parents=True, exist_ok=True)
        is_plain = self.lender.object_format == "sha1"
        settings = _SETTINGS.format(version=0 if is_plain else 1)
        extension = "" if is_plain else f"[extensions]\n\tobjectFormat = {self.lender.object_format}\n"
        (self.git_dir / "config").write_text(settings + extension)
        (self.git_dir / "objects" / "info" / "alternates").write_text(f"{self.lender.objects}\n")
        if not (self.git_dir / "HEAD").exists():
            (self.git_dir / "HEAD").write_text("ref: refs/heads/none\n")
        shallow = self.lender.common_dir / "shallow"
        if shallow.exists():
            (self.git_dir / "shallow").write_bytes(shallow.read_bytes())
        else:
            (self.git_dir / "shallow").unlink(missing_ok=True)

    def discard(self) -> None:
        """Remove it from the disk."""
        discard(self.git_dir)
        discard(self.tree)

    @property
    def _finished(self) -> Path:
        """A file that is as old as the last checkout; it is not there while one is under way."""
        return self.git_dir / "finished"

    def check_out(self, revision: RevisionId) -> None:
        """Put exactly the files of `revision` into the tree; raises `GitFailed`. `finish` must follow."""
        self._clean()
        for lock in self.git_dir.glob("*.lock"):  # left behind by a git that was killed
            lock.unlink()
        words = ("checkout", "--force", "--detach", "--quiet", revision, "--")
        answer = self.git.ask(*words)
        if answer.code != 0 or any(words in answer.complaint for words in _INCOMPLETE):
            raise GitFailed(words, answer.code, answer.complaint)

    def finish(self) -> None:
        """Give all files their times, and tell git that these are the files it wrote."""
        if fix_times(self.tree):
            self.git.ask("update-index", "-q", "--refresh")  # its code only says whether a file differs
        self._finished.touch()

    @property
    def _times_tell(self) -> bool:
        """Whether times tell what was changed since the last checkout; not if the clock was set back."""
        return self._finished.stat().st_mtime_ns <= time.time_ns() and notices_changes(self.git_dir)

    def _clean(self) -> None:
        """Leave nothing in the tree but unchanged files of the last checkout, before git looks at it.

        Git itself compares sizes and times, the latter in seconds only. A fast build that copies one file
        over another with its time, as `cp -p` does, would go unnoticed. And where a build has put a link in
        the place of a folder, whoever follows it leaves the tree.
        """
        is_known = self._finished.exists() and self._times_tell
        names = self.git.read("ls-files", "-z") if is_known else b""
        since_ns = self._finished.stat().st_mtime_ns if is_known else 0
        self._finished.unlink(missing_ok=True)
        if not is_known:
            (self.git_dir / "index").unlink(missing_ok=True)
        keep_only(self.tree, frozenset(map(os.fsdecode, names.split(b"\0")[:-1])), since_ns)
