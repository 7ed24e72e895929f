"""`sonde prune`: make room."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sonde.cli.arguments import Json, ProjectPath, StatePath


def prune(
    limit: Annotated[
        str | None,
        typer.Option(
            help="Maximum size of the build outputs and bitcode to keep: 500MB, 2GB, 0.",
            show_default="cache_limit",
        ),
    ] = None,
    state: StatePath = None,
    project: ProjectPath = Path(),
    json: Json = False,
) -> None:
    """Remove the least recently used build outputs and bitcode. Measurements are never removed."""
    from sonde.cli.terminal.printing import print_json, say
    from sonde.report.quantities import size
    from sonde.workflows.projects import open_project
    from sonde.workflows.prune import prune

    pruned = prune(open_project(project, state), limit)
    if json:
        print_json({"freed_bytes": pruned.freed_bytes, "kept_bytes": pruned.kept_bytes})
        return
    freed, kept = size(pruned.freed_bytes), size(pruned.kept_bytes)
    say(f"Freed {freed}; {kept} of build outputs and bitcode remain.")
