"""`sonde measure`: build and run every point of a range."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sonde.cli.arguments import (
    Benchmarks,
    Configurations,
    DryRun,
    Json,
    NoSandbox,
    ProjectPath,
    Range,
    StatePath,
)
from sonde.core.errors import NothingMeasured


def measure(
    range: Range = "",
    configuration: Configurations = None,
    benchmark: Benchmarks = None,
    runs: Annotated[
        int | None,
        typer.Option(min=1, help="Samples per point.", show_default="from the project file"),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            help="Limit: runs (200), a share of the revisions (3%) or time (2h).", show_default="unlimited"
        ),
    ] = None,
    dry_run: DryRun = False,
    retry: Annotated[bool, typer.Option("--retry", help="Retry builds and runs that failed before.")] = False,
    no_sandbox: NoSandbox = False,
    state: StatePath = None,
    project: ProjectPath = Path(),
    json: Json = False,
) -> None:
    """Measure every point of a range: revisions x configurations x benchmarks.

    Points that are already measured are not measured again, and revisions with equal builds share their
    measurement. You can interrupt it at any time; run the same command again to continue.
    """
    from sonde.cli.terminal.printing import print_json, say, stderr_console
    from sonde.cli.terminal.progress import Progress
    from sonde.report.measure.measured import measured_json, measured_text, plan_json, plan_text
    from sonde.workflows.measure.measuring import measure
    from sonde.workflows.measure.planning import plan
    from sonde.workflows.projects import open_project
    from sonde.workflows.targets import MeasuringRequest

    request = MeasuringRequest(range, tuple(configuration or ()), tuple(benchmark or ()), runs, budget, retry)
    opened = open_project(project, state)
    if dry_run:
        planned = plan(opened, request, is_sandboxed=not no_sandbox)
        if json:
            print_json(plan_json(planned))
        else:
            say(plan_text(planned))
        return
    with Progress(stderr_console()) as progress:
        measured = measure(opened, request, is_sandboxed=not no_sandbox, watcher=progress)
    if json:
        print_json(measured_json(measured))
    else:
        say(measured_text(measured))
    if not measured.has_answer:
        raise NothingMeasured(
            "no point has a value, because every build or run failed. `sonde show --log REVISION` "
            "prints their output."
        )
