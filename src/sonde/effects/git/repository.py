"""The subject's repository: what there is to read in it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sonde.core.errors import RepositoryError, UnknownRevision, UsageError
from sonde.core.revisions import History, RevisionId, Span, Timeline, short
from sonde.effects.git.changed_lines import DIFF_WORDS, ChangedLines, parse_diff
from sonde.effects.git.complaints import explain, shallow_advice
from sonde.effects.git.inputs import InputDigests
from sonde.effects.git.log import LOG_WORDS, parse_log
from sonde.effects.git.program import Git, GitFailed
from sonde.effects.git.ranges import names_in, nearest, range_words
from sonde.effects.git.references import read_names, read_tags
from sonde.effects.git.timeline import read_timeline


@dataclass(frozen=True)
class Repository:
    """A git repository, which is only read.

    Get one from `open_repository`. It may be bare, or a linked work tree of another one.
    """

    folder: Path  # as the user named it
    git_dir: Path
    common_dir: Path  # differs from `git_dir` in a linked work tree
    objects: Path
    object_format: str  # sha1 or sha256

    @property
    def git(self) -> Git:
        """Git, bound to this repository."""
        return Git(self.git_dir)

    def read_history(self, range: str = "", first_parent: bool = True, branch: str = "HEAD") -> History:
        """The revisions of a range as git spells it, the oldest first.

        `A..B` holds the revisions after A up to B: those that B descends from or is, without those that A
        descends from or is. `B` alone holds everything up to B. An empty range, and an end that is left out,
        mean `branch`. With `first_parent` only the first parent of a merge is followed, so that each revision
        comes right after its first parent; else all are, and parents come before their children.
        """
        words = range_words(range, branch)
        ends = self._range_ends(range, words)
        order = "--first-parent" if first_parent else "--topo-order"
        output = self._read(f"read the history of '{range or branch}'", *LOG_WORDS, order, *ends, "--")
        history = History(parse_log(output))
        if not len(history):
            raise UsageError(self._why_empty(range, ends))
        self._require_uncut(history)
        return history

    def ancestors(self, revision: RevisionId, first_parent: bool, most: int) -> History:
        """A revision and those before it, the oldest first, at most so many; fewer in a shallow clone."""
        order = "--first-parent" if first_parent else "--topo-order"
        words = (*LOG_WORDS, order, f"--max-count={most}", revision, "--")
        return History(parse_log(self._read(f"read the history of '{revision}'", *words)))

    def common_ancestor(self, one: RevisionId, other: RevisionId) -> RevisionId | None:
        """The latest revision that both descend from or are; None if there is none, or a clone was cut."""
        found = self.git.ask("merge-base", one, other).output.decode().split()
        return RevisionId(found[0]) if found else None

    def changed_lines(self, old: RevisionId, new: RevisionId) -> ChangedLines:
        """The lines of all files that differ between two revisions."""
        return parse_diff(self._read("compare two revisions", *DIFF_WORDS, old, new, "--"))

    def files(self, revision: RevisionId) -> tuple[str, ...]:
        """The paths of all files of a revision."""
        listed = self._read("list files", "ls-tree", "-r", "-z", "--name-only", "--full-tree", revision)
        return tuple(os.fsdecode(each) for each in listed.split(b"\0") if each)

    def content(self, revision: RevisionId, name: str) -> bytes | None:
        """The bytes of a file of a revision; None if it has no plain file of that name."""
        answer = self.git.ask("cat-file", "blob", f"{revision}:{name}")
        return answer.output if answer.code == 0 else None

    def resolve(self, name: str) -> RevisionId:
        """The revision that git knows by this name: a tag, a branch, an id or its first letters, `HEAD~3`."""
        if name.startswith("^"):
            raise UsageError(
                f"'{name}' excludes revisions. Name one revision: '{name.lstrip('^') or 'HEAD'}'."
            )
        answer = self.git.ask("rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}")
        if answer.code == 0 and name:
            return RevisionId(answer.output.decode().strip())
        raise self._unknown(name, answer.complaint)

    def tags(self) -> Mapping[str, RevisionId]:
        """The revision of each tag, in git's order of the names; tags of other things are left out."""
        try:
            return read_tags(self.git)
        except GitFailed as failure:
            raise explain(failure.complaint, self.git, self.folder, "read the tags") from None

    def timeline(self, spans: Iterable[Span], history: History) -> Timeline:
        """Which revisions of `history` are reached from each boundary of `spans`."""
        names = dict.fromkeys(name for span in spans for name in (span.since, span.until) if name)
        try:
            return read_timeline(self.git, {name: self.resolve(name) for name in names}, history)
        except GitFailed as failure:
            raise explain(failure.complaint, self.git, self.folder, "follow the history") from None

    def input_digests(
        self, revisions: Iterable[RevisionId], patterns: tuple[str, ...]
    ) -> Mapping[RevisionId, str]:
        """The digest of each revision's build inputs: the files that `patterns` choose (see `patterns.py`).

        Revisions have equal digests if and only if those files have equal names, modes and contents.
        """
        try:
            return InputDigests(self.git, patterns).of(revisions)
        except GitFailed as failure:
            raise explain(failure.complaint, self.git, self.folder, "read the build inputs") from None

    @cached_property
    def cut_at(self) -> frozenset[RevisionId]:
        """The revisions whose parents a shallow clone left out; empty for a whole clone."""
        shallow = self.common_dir / "shallow"
        return frozenset(map(RevisionId, shallow.read_text().split())) if shallow.exists() else frozenset()

    @property
    def borrowed_objects(self) -> tuple[Path, ...]:
        """Where objects of other repositories lie that this one borrows, as a shared clone does."""
        listed = self.objects / "info" / "alternates"
        if not listed.exists():
            return ()
        lines = [line for line in listed.read_text().splitlines() if line and not line.startswith("#")]
        return tuple((self.objects / line).resolve() for line in lines)

    def _read(self, purpose: str, *words: str) -> bytes:
        try:
            return self.git.read(*words)
        except GitFailed as failure:
            raise explain(failure.complaint, self.git, self.folder, purpose) from None

    def _range_ends(self, range: str, words: tuple[str, ...]) -> tuple[str, ...]:
        answer = self.git.ask("rev-parse", *words, "--")
        if answer.code != 0:
            for name in names_in(words):
                self.resolve(name)
            raise UnknownRevision(
                f"{self.folder}: git cannot read the range '{range}'. Write it as 'v1.0..v1.2', 'v1.0..', "
                f"'HEAD~100..' or 'main'."
            )
        ends = tuple(answer.output.decode().split()[:-1])
        if sum(not end.startswith("^") for end in ends) != 1:
            raise UsageError(
                f"The range '{range}' does not have exactly one end. Write it as 'v1.0..v1.2' or 'v1.0..'."
            )
        return ends

    def _why_empty(self, range: str, ends: tuple[str, ...]) -> str:
        last = next(end for end in ends if not end.startswith("^"))
        before, dots, after = range.partition("..")
        first = next((end[1:] for end in ends if end.startswith("^")), last)
        if dots and first != last and before and after:
            return (
                f"The range '{range}' contains no revision, because {before} already descends from "
                f"{after}. Did you mean '{after}..{before}'?"
            )
        return (
            f"The range '{range}' contains no revision, because no revision follows its start. "
            "Start it earlier."
        )

    def _require_uncut(self, history: History) -> None:
        cut = self.cut_at & history.positions.keys()
        if cut:
            where = ", ".join(sorted(short(revision) for revision in cut)[:3])
            raise RepositoryError(
                f"{self.folder}: the history is truncated at {where}, within the range. "
                f"{shallow_advice(self.git, self.folder)} Or choose a range that starts later."
            )

    def _unknown(self, name: str, complaint: str) -> UnknownRevision | RepositoryError:
        if "ambiguous" in complaint and "unknown revision" not in complaint:
            return UnknownRevision(
                f"{self.folder}: several revisions begin with '{name}'. Write more characters."
            )
        known = read_names(self.git)
        if name == "HEAD":
            return RepositoryError(
                f"{self.folder}: HEAD has no revision yet. Commit something, or name a branch."
            )
        if name in known and complaint and "Needed a single revision" not in complaint:
            return explain(complaint, self.git, self.folder, f"read the revision '{name}'")
        alike = nearest(name, known)
        if alike:
            advice = f"Did you mean {' or '.join(repr(other) for other in alike)}?"
        else:
            advice = "`git tag` and `git branch --all` list the names."
        if not any(self.tags()):
            advice += (
                f" This clone has no tags; `git -C {self.folder} fetch --tags` fetches those of the server."
            )
        cut = shallow_advice(self.git, self.folder)
        return UnknownRevision(f"{self.folder}: git finds no revision '{name}'. {advice} {cut}".rstrip())
