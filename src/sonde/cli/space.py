"""`sonde space`: which configurations are valid."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sonde.cli.arguments import Json, ProjectPath


def space(
    sample: Annotated[
        str | None,
        typer.Option(
            metavar="KIND",
            help="Also choose configurations: option-wise, negative-option-wise, pair-wise, t-wise, "
            "plackett-burman, uniform, distance-based, keep-term, vary-term or reduced-set.",
        ),
    ] = None,
    count: Annotated[
        int | None,
        typer.Option(min=1, help="At most so many.", show_default="all that the kind gives, or 10"),
    ] = None,
    strength: Annotated[int, typer.Option(min=1, help="The t of t-wise.")] = 2,
    levels: Annotated[
        int | None,
        typer.Option(min=1, help="Levels of a number to use.", show_default="as the kind does"),
    ] = None,
    seed: Annotated[int, typer.Option(help="Of a random kind.")] = 0,
    options: Annotated[
        str,
        typer.Option(help="Of keep-term, vary-term and reduced-set: 'level=9,checksum,!filter'."),
    ] = "",
    model: Annotated[
        Path | None,
        typer.Option(
            help="Look at a feature model (SPLConqueror's XML, DIMACS, UVL) or a recording's "
            "configurations.csv instead of the project."
        ),
    ] = None,
    project: ProjectPath = Path(),
    json: Json = False,
) -> None:
    """Tell which configurations are valid: options, constraints, how many, conflicts, and a sample."""
    from sonde.cli.terminal.printing import print_json, say, stderr_console
    from sonde.report.space import space_json, space_text
    from sonde.space.samplers.choosing import SamplerRequest
    from sonde.workflows.space import look_at, space_of

    named = tuple(part.strip() for part in options.split(",") if part.strip())
    request = SamplerRequest(sample, count, strength, named, seed, levels) if sample is not None else None
    with stderr_console().status("looking at the space"):
        overview = look_at(space_of(project, model), request)
    if json:
        print_json(space_json(overview))
    else:
        say(space_text(overview))
