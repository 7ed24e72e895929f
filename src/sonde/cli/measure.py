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
        typer.Option(min=1, help="Samples a point.", show_default="as the project file says"),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            help="Runs (200), a share of the revisions (3%) or time (2h).", show_default="unlimited"
        ),
    ] = None,
    dry_run: DryRun = False,
    retry: Annotated[bool, typer.Option("--retry", help="Try again what failed before.")] = False,
    no_sandbox: NoSandbox = False,
    state: StatePath = None,
    project: ProjectPath = Path(),
    json: Json = False,
) -> None:
    """Measure every point of a range: revisions x configurations x benchmarks.

    What is known is not measured again, and revisions with equal builds share their measurement. Can be
    interrupted at any moment; the same command goes on from there.
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
            "no point has a value, because building or running failed everywhere. "
            "`sonde show --log REVISION` prints what was said."
        )
