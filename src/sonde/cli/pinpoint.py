"""`sonde pinpoint`: which revision changed which option, or which interaction of options?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sonde.cli.arguments import (
    DryRun,
    HtmlFile,
    Influences,
    Json,
    NamedBenchmarks,
    NoSandbox,
    Predict,
    ProjectPath,
    RangeOption,
    Reference,
    StatePath,
    command_words,
)
from sonde.core.errors import NothingMeasured


def pinpoint(
    benchmark: NamedBenchmarks = None,
    range: RangeOption = "",
    budget: Annotated[
        str | None,
        typer.Option(
            help="Limit: a share of all points, revisions x configurations (5%), runs (200) or time "
            "(2h). The search often ends earlier.",
            show_default="5% of the points, at least 150",
        ),
    ] = None,
    threshold: Annotated[str, typer.Option(help="The smallest change that matters.")] = "5%",
    planner: Annotated[str, typer.Option(help="Planner: shared-steps or paper.")] = "shared-steps",
    runs: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Initial samples per point; more are taken where a decision depends on them.",
            show_default="from the project file; 1 for instructions",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Random seed. The same seed gives the same plan.")] = 0,
    retry: Annotated[bool, typer.Option("--retry", help="Retry builds and runs that failed before.")] = False,
    influences: Influences = False,
    predict: Predict = None,
    at: Annotated[
        str,
        typer.Option(
            metavar="REV", help="The revision at which to --predict.", show_default="the last of the range"
        ),
    ] = "",
    reference: Reference = True,
    html: HtmlFile = None,
    dry_run: DryRun = False,
    no_sandbox: NoSandbox = False,
    state: StatePath = None,
    project: ProjectPath = Path(),
    json: Json = False,
) -> None:
    """Find which revisions changed the performance of which options, and of which combinations of them.

    Points that are already measured are not measured again. You can interrupt it at any time; run the same
    command again to continue.
    """
    from sonde.cli.terminal.pages import write_page
    from sonde.cli.terminal.printing import print_json, say, stderr_console, stdout_has_unicode, stdout_width
    from sonde.cli.terminal.progress import Progress
    from sonde.report.page.pinpoints import pinpoint_page
    from sonde.report.pinpoint.json import pinpoint_json
    from sonde.report.pinpoint.text import nothing_measured_text, pinpoint_text
    from sonde.workflows.pinpoint.searching import PinpointRequest, pinpoint
    from sonde.workflows.projects import open_project
    from sonde.workflows.targets import MeasuringRequest

    request = MeasuringRequest(range, (), tuple(benchmark or ()), runs, budget, retry)
    how = PinpointRequest(planner, threshold, seed, influences, tuple(predict or ()), at, reference)
    opened = open_project(project, state)
    if dry_run:
        from sonde.report.plans import pinpoint_plan_json, pinpoint_plan_text
        from sonde.workflows.pinpoint.planning import plan_pinpoint

        planned = plan_pinpoint(opened, request, how, not no_sandbox)
        if json:
            print_json(pinpoint_plan_json(planned))
        else:
            say(pinpoint_plan_text(planned))
        return
    with Progress(stderr_console()) as progress:
        found = pinpoint(opened, request, how, is_sandboxed=not no_sandbox, watcher=progress)
    words = command_words(no_sandbox, state, project)
    if json:
        print_json(pinpoint_json(found, words))
    else:
        say(pinpoint_text(found, stdout_width(), stdout_has_unicode(), words))
    write_page(html, opened, found.history, words, lambda context: pinpoint_page(found, context))
    if not found.has_answer:
        raise NothingMeasured(nothing_measured_text(found))
