"""The history that is trusted: what has been merged, and not what somebody proposes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from sonde.core.revisions import RevisionId
from sonde.effects.git.program import Git

_USUAL = ("refs/remotes/origin/main", "refs/remotes/origin/master")


@dataclass(frozen=True)
class MainLine:
    """The revisions of a branch: the one that is named, else that of the server, else what is checked out.

    A detached head, as CI checks out what is proposed, is no branch; nor is a local one where there is a
    server, unless it is named.
    """

    git: Git
    branch: str = ""

    def holds(self, revision: RevisionId) -> bool:
        """Whether a revision is part of it."""
        if self._end is None:
            return False
        return self.git.ask("merge-base", "--is-ancestor", revision, self._end).code == 0

    @cached_property
    def _end(self) -> RevisionId | None:
        names = [self.branch] if self.branch else ["refs/remotes/origin/HEAD", *_USUAL, *self._own]
        for name in names:
            answer = self.git.ask(
                "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}"
            )
            if answer.code == 0:
                return RevisionId(answer.output.decode().strip())
        return None

    @property
    def _own(self) -> list[str]:
        """The branch that is checked out, if there is no server whose branches would say more."""
        if self.git.ask("for-each-ref", "--count=1", "refs/remotes").output.strip():
            return []
        answer = self.git.ask("symbolic-ref", "--quiet", "HEAD")
        return [answer.output.decode(errors="surrogateescape").strip()] if answer.code == 0 else []
