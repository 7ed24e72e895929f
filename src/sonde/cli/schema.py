"""`sonde schema`: the JSON Schema of the project file."""

from __future__ import annotations

from typing import Annotated

import typer


def schema(
    json: Annotated[bool, typer.Option("--json", help="The same: a schema is JSON.")] = False,
) -> None:
    """Print the JSON Schema of sonde.toml, for editors that check and complete it."""
    from sonde.cli.terminal.printing import print_json
    from sonde.effects.project_file import schema

    print_json(schema())
