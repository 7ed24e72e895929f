"""Making room: build outputs and bitcode can be made again, samples cannot."""

from __future__ import annotations

from dataclasses import dataclass

from sonde.effects.bitcode.cache import BitcodeCache
from sonde.effects.builds.cache import BuildCache
from sonde.effects.project_file import parse_size
from sonde.workflows.projects import OpenProject


@dataclass(frozen=True)
class Pruned:
    """What became free, and what is left."""

    freed_bytes: int
    kept_bytes: int


def prune(project: OpenProject, limit: str | None) -> Pruned:
    """Remove outputs and bitcode that were not used for longest, until the rest keeps the limit.

    Bitcode takes at most half of it.
    """
    limit_bytes = project.file.cache_limit_bytes if limit is None else parse_size(limit)
    builds, bitcode = BuildCache(project.state.builds, 0), BitcodeCache(project.state.bitcode, 0)
    with project.state.claim():
        freed = bitcode.prune(limit_bytes=limit_bytes // 2)
        freed += builds.prune(limit_bytes=limit_bytes - bitcode.size_bytes())
    return Pruned(freed, builds.size_bytes() + bitcode.size_bytes())
