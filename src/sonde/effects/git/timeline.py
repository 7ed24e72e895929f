"""Which revisions a boundary reaches."""

from __future__ import annotations

from collections.abc import Mapping

from sonde.core.revisions import History, RevisionId, Timeline
from sonde.effects.git.program import Git


def read_timeline(git: Git, boundaries: Mapping[str, RevisionId], history: History) -> Timeline:
    """For each boundary the revisions of `history` that are it or descend from it, on whatever way.

    The boundary itself need not be in the history: a first-parent history has no revision of a branch that
    was merged into it, but it has the merge, and all that follow. A boundary on a branch that was never
    merged back, such as the tag of a release, stands for the revision where that branch began.
    """
    has_children = {parent for revision in history for parent in revision.parents}
    ends = frozenset(history.positions.keys() - has_children)
    wanted = frozenset(history.positions)
    reached: dict[RevisionId, frozenset[RevisionId]] = {}
    for boundary in set(boundaries.values()):
        place = _place(git, boundary, history[-1].id)
        reached[boundary] = wanted & {place, *_descendants(git, place, ends)} if place else frozenset()
    return Timeline({name: reached[boundary] for name, boundary in boundaries.items()})


def _place(git: Git, boundary: RevisionId, last: RevisionId) -> RevisionId | None:
    """Where `boundary` left the way to `last`, mostly itself; None if it comes later or is unrelated."""
    found = git.ask("merge-base", boundary, last).output.decode().split()
    if not found or (found[0] == last and boundary != last):
        return None
    return RevisionId(found[0])


def _descendants(git: Git, boundary: RevisionId, ends: frozenset[RevisionId]) -> list[RevisionId]:
    given = "\n".join([*ends, f"^{boundary}", ""]).encode()
    output = git.read("rev-list", "--ancestry-path", "--stdin", given=given)
    return [RevisionId(revision) for revision in output.decode().split()]
