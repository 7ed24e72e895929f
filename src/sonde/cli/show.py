"""`sonde show`: what is known, without measuring."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sonde.cli.arguments import Benchmarks, Configurations, Json, NoSandbox, ProjectPath, Range, StatePath


def show(
    range: Range = "",
    configuration: Configurations = None,
    benchmark: Benchmarks = None,
    log: Annotated[
        str,
        typer.Option(
            "--log", metavar="REVISION", help="Print the output of failed builds and runs of this revision."
        ),
    ] = "",
    no_sandbox: NoSandbox = False,
    state: StatePath = None,
    project: ProjectPath = Path(),
    json: Json = False,
) -> None:
    """Show what was measured: values, revisions proven equal, failures."""
    from sonde.cli.terminal.printing import print_json, say
    from sonde.report.measure.survey import failures_text, survey_json, survey_text
    from sonde.workflows.measure.measuring import show
    from sonde.workflows.projects import open_project
    from sonde.workflows.targets import MeasuringRequest

    opened = open_project(project, state)
    if log:
        range = f"{log}^!"
    survey = show(
        opened, MeasuringRequest(range, tuple(configuration or ()), tuple(benchmark or ())), not no_sandbox
    )
    if json:
        print_json(survey_json(survey))
    elif log:
        say(failures_text(survey))
    else:
        say(survey_text(survey))
