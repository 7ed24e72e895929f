"""`sonde history`: how did performance evolve, and where did it jump?"""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer

from sonde.cli.arguments import (
    Configurations,
    DryRun,
    HtmlFile,
    Json,
    NamedBenchmarks,
    NoSandbox,
    ProjectPath,
    RangeOption,
    Reference,
    StatePath,
    command_words,
)
from sonde.core.errors import NothingMeasured


def history(
    benchmark: NamedBenchmarks = None,
    range: RangeOption = "",
    configuration: Configurations = None,
    budget: Annotated[
        str | None,
        typer.Option(
            help="Limit: a share of the revisions (5%), runs (200) or time (2h).",
            show_default="15% of the revisions",
        ),
    ] = None,
    until: Annotated[
        str,
        typer.Option(
            help="Stop before the budget is spent: at an expected error (2%), or when only noise is "
            "left (noise).",
            show_default="no",
        ),
    ] = "",
    exact: Annotated[
        bool,
        typer.Option("--exact", help="Keep measuring until each change is narrowed down to one revision."),
    ] = False,
    planner: Annotated[
        str, typer.Option(help="Planner: shared-changes, paper, greedy or random.")
    ] = "shared-changes",
    runs: Annotated[
        int | None,
        typer.Option(min=1, help="Samples per point.", show_default="from the project file"),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Random seed. The same seed gives the same plan.")] = 0,
    retry: Annotated[bool, typer.Option("--retry", help="Retry builds and runs that failed before.")] = False,
    reference: Reference = True,
    html: HtmlFile = None,
    dry_run: DryRun = False,
    no_sandbox: NoSandbox = False,
    state: StatePath = None,
    project: ProjectPath = Path(),
    json: Json = False,
) -> None:
    """Estimate the performance of every revision from a few measured ones, and find where it changed.

    Points that are already measured are not measured again. You can interrupt it at any time; run the same
    command again to continue.
    """
    from sonde.cli.terminal.pages import write_page
    from sonde.cli.terminal.printing import print_json, say, stderr_console
    from sonde.cli.terminal.progress import Progress
    from sonde.report.history.text import history_json, history_text
    from sonde.report.page.histories import history_page
    from sonde.workflows.history.estimating import HistoryRequest, history
    from sonde.workflows.projects import open_project
    from sonde.workflows.targets import MeasuringRequest

    request = MeasuringRequest(range, tuple(configuration or ()), tuple(benchmark or ()), runs, budget, retry)
    how = HistoryRequest(planner, exact, until, seed, reference)
    opened = open_project(project, state)
    if dry_run:
        from sonde.report.plans import history_plan_json, history_plan_text
        from sonde.workflows.history.planning import plan_history

        planned = plan_history(opened, request, how, not no_sandbox)
        if json:
            print_json(history_plan_json(planned))
        else:
            say(history_plan_text(planned))
        return
    with Progress(stderr_console()) as progress:
        found = history(opened, request, how, is_sandboxed=not no_sandbox, watcher=progress)
    if json:
        print_json(history_json(found))
    else:
        width = max(40, shutil.get_terminal_size((100, 24)).columns)
        say(history_text(found, width, unicode="utf" in (sys.stdout.encoding or "").lower()))
    words = command_words(no_sandbox, state, project)
    write_page(html, opened, found.history, words, lambda context: history_page(found, context))
    if not any(series.measured or series.proven for series in found.series):
        raise NothingMeasured(
            "no revision has a value, because every build or run failed. `sonde show --log "
            "REVISION` prints their output."
        )
