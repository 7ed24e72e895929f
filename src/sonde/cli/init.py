"""`sonde init`: a project file to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sonde.cli.arguments import Json


def init(
    repository: Annotated[
        Path, typer.Argument(help="The git repository of the subject.", show_default="this folder")
    ] = Path(),
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing sonde.toml.")] = False,
    model: Annotated[
        Path | None,
        typer.Option(help="Feature model to import options from: SPLConqueror XML, DIMACS or UVL."),
    ] = None,
    json: Json = False,
) -> None:
    """Inspect a repository and write a commented sonde.toml that runs."""
    from sonde.cli.terminal.printing import print_json, say
    from sonde.workflows.init import write_project_file

    written = write_project_file(repository, force, model)
    if json:
        print_json({"file": str(written)})
        return
    where = "" if repository.resolve() == Path.cwd() else f"--project {repository} "
    say(f"Wrote {written}. Read it, then try: sonde measure {where}HEAD~5..")
