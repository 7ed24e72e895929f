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
            help="Also sample configurations: option-wise, negative-option-wise, pair-wise, t-wise, "
            "plackett-burman, uniform, distance-based, keep-term, vary-term or reduced-set.",
        ),
    ] = None,
    count: Annotated[
        int | None,
        typer.Option(
            min=1, help="Maximum number of configurations.", show_default="all of the sample, or 10"
        ),
    ] = None,
    strength: Annotated[
        int, typer.Option(min=1, help="For t-wise: number of options in each combination.")
    ] = 2,
    levels: Annotated[
        int | None,
        typer.Option(min=1, help="Number of levels per numeric option.", show_default="by kind of sample"),
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed, for random samples.")] = 0,
    options: Annotated[
        str,
        typer.Option(help="For keep-term, vary-term and reduced-set: 'level=9,checksum,!filter'."),
    ] = "",
    model: Annotated[
        Path | None,
        typer.Option(
            help="Read a feature model (SPLConqueror XML, DIMACS, UVL) or a recording's "
            "configurations.csv instead of the project."
        ),
    ] = None,
    project: ProjectPath = Path(),
    json: Json = False,
) -> None:
    """Report the valid configurations: options, constraints, count, conflicts, and a sample."""
    from sonde.cli.terminal.printing import print_json, say, stderr_console
    from sonde.report.space import space_json, space_text
    from sonde.space.samplers.choosing import SamplerRequest
    from sonde.workflows.space import look_at, space_of

    named = tuple(part.strip() for part in options.split(",") if part.strip())
    request = SamplerRequest(sample, count, strength, named, seed, levels) if sample is not None else None
    with stderr_console().status("analysing the configuration space"):
        overview = look_at(space_of(project, model), request)
    if json:
        print_json(space_json(overview))
    else:
        say(space_text(overview))
