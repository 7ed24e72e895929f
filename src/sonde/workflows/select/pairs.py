"""The two revisions that a selection compares, and those before them."""

from __future__ import annotations

from dataclasses import dataclass

from sonde.core.errors import UsageError
from sonde.core.revisions import History, Revision
from sonde.workflows.projects import OpenProject

MOST_ANCESTORS = 200  # among which a profile is looked for


@dataclass(frozen=True)
class RevisionPair:
    """A revision and its base, with the ancestors of the base, the oldest first and the base last."""

    head: Revision
    ancestors: History

    @property
    def base(self) -> Revision:
        """What the head is compared with."""
        return self.ancestors[-1]

    @property
    def history(self) -> History:
        """All of them, the head last."""
        return History((*self.ancestors, self.head))

    def since(self, base: Revision) -> RevisionPair:
        """The pair with one of the ancestors as its base."""
        return RevisionPair(
            self.head, History(self.ancestors.revisions[: self.ancestors.positions[base.id] + 1])
        )


def pair_of(project: OpenProject, revision: str, base: str) -> RevisionPair:
    """The pair that the user means: empty is the end of the branch, and its first parent."""
    if ".." in revision:
        first, _, last = revision.partition("..")
        raise UsageError(
            f"'{revision}' is a range. Write the later revision, and the earlier one as --base: "
            f"{last.lstrip('.') or 'HEAD'} --base {first}."
        )
    repository, subject = project.repository, project.file.subject
    head_id = repository.resolve(revision or subject.branch or "HEAD")
    head = repository.ancestors(head_id, subject.first_parent, 1)[0]
    if not base and not head.parents:
        raise UsageError(f"{head.short} has no parent to compare with. Name another revision as its base.")
    base_id = repository.resolve(base) if base else head.parents[0]
    if base_id == head_id:
        raise UsageError(f"{head.short} is compared with itself. Name another revision as its base.")
    ancestors = repository.ancestors(base_id, subject.first_parent, MOST_ANCESTORS + 1)
    earlier = [each for each in ancestors if each.id != head_id]  # the base may well come later than the head
    return RevisionPair(head, History(tuple(earlier)))
