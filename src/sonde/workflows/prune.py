"""Making room: build outputs can be built again, samples cannot."""

from __future__ import annotations

from dataclasses import dataclass

from sonde.effects.builds.cache import BuildCache
from sonde.effects.project_file import parse_size
from sonde.workflows.projects import OpenProject


@dataclass(frozen=True)
class Pruned:
    """What became free, and what is left."""

    freed_bytes: int
    kept_bytes: int


def prune(project: OpenProject, limit: str | None) -> Pruned:
    """Remove the outputs that were not used for longest, until the rest keeps the limit."""
    limit_bytes = project.file.cache_limit_bytes if limit is None else parse_size(limit)
    cache = BuildCache(project.state.builds, limit_bytes)
    with project.state.claim():
        freed = cache.prune()
    return Pruned(freed, cache.size_bytes())
