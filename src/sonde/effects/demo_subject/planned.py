"""The values of a plan: revisions that are yet to be written, and what each does to performance."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from sonde.effects.demo_subject.edits import Edit


class Reason(StrEnum):
    """Why a revision leaves performance alone."""

    START = "start"
    DOCUMENTATION = "documentation"
    COMMENTS = "comments"
    TESTS = "tests"
    REFACTORING = "refactoring"
    MESSAGES = "messages"
    NEW_OPTION = "new option"
    MENDING = "mending"


@dataclass(frozen=True)
class Quiet:
    """No point differs in instructions by more than 0.3 % from the revision before that ran."""

    reason: Reason


@dataclass(frozen=True)
class Plant:
    """Instructions change in every configuration in which all literals of `term` hold, and in no other."""

    kind: str
    term: tuple[str, ...]  # X, !X, X=v; empty is the core
    steps: Mapping[str, tuple[float, float]]  # benchmark -> log ratio after/before, weakest and strongest

    @property
    def strongest(self) -> float:
        """The log ratio where the change shows best."""
        return max((step for both in self.steps.values() for step in both), key=abs, default=0.0)


@dataclass(frozen=True)
class DoesNotBuild:
    """The compiler refuses this revision."""

    because: str


@dataclass(frozen=True)
class Crashes:
    """A signal ends the program in every configuration in which all literals of `where` hold."""

    where: tuple[str, ...]


Effect = Quiet | Plant | DoesNotBuild | Crashes


@dataclass(frozen=True)
class PlannedRevision:
    """One revision of the story.

    A merge has `branch`: the revisions of a side branch, oldest first, which left the main one
    `forks_before` revisions earlier. Its own edits are those of the branch, on top of what happened since.
    """

    subject: str
    effect: Effect
    edits: tuple[Edit, ...]
    body: str = ""
    tag: str = ""
    branch: tuple["PlannedRevision", ...] = field(default=())
    forks_before: int = 0


def quiet(reason: Reason, subject: str, *edits: Edit, body: str = "") -> PlannedRevision:
    """A revision that leaves performance alone."""
    return PlannedRevision(subject, Quiet(reason), edits, body)


def merge(subject: str, *branch: PlannedRevision, forks_before: int) -> PlannedRevision:
    """The revision that brings a quiet side branch home."""
    edits = tuple(edit for revision in branch for edit in revision.edits)
    return PlannedRevision(subject, branch[-1].effect, edits, branch=branch, forks_before=forks_before)
