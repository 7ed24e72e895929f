"""The revisions that the study about saving checks."""

from __future__ import annotations

from collections.abc import Sequence

from sonde.core.revisions import History, Revision
from sonde.effects.git.patterns import Patterns
from sonde.effects.git.repository import Repository


def last_revisions(
    repository: Repository, history: History, count: int, touching: Sequence[str] = ()
) -> tuple[Revision, ...]:
    """The last `count` revisions of `history` that change a file which `touching` chooses; without it, any.

    The patterns are those of `build.inputs`. The oldest revision comes first.
    """
    if not touching:
        return history.revisions[-count:]
    patterns = Patterns(tuple(touching))
    chosen: list[Revision] = []
    for revision in reversed(history.revisions):
        if len(chosen) == count:
            break
        if revision.parents and _touches(repository, revision, patterns):
            chosen.append(revision)
    return tuple(reversed(chosen))


def _touches(repository: Repository, revision: Revision, patterns: Patterns) -> bool:
    changed = repository.changed_lines(revision.parents[0], revision.id)
    return any(patterns.choose_path(path) for path in (*changed.old, *changed.new))
