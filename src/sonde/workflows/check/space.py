"""The configurations in which two revisions can be compared."""

from __future__ import annotations

from sonde.core.revisions import History
from sonde.space.absent import at_default
from sonde.space.space import Space
from sonde.workflows.projects import OpenProject
from sonde.workflows.select.pairs import pair_of


def shared_space(project: OpenProject, revision: str, base: str) -> Space:
    """The configurations that both revisions have: an option that one of them lacks keeps its default."""
    pair, space = pair_of(project, revision, base), project.file.space
    ends = History((pair.base, pair.head))
    timeline = project.repository.timeline(project.file.subject.spans, ends)
    lacking = [
        option for option in space.options if not all(timeline.covers(option.span, each.id) for each in ends)
    ]
    return at_default(space, lacking)
