"""`sonde check`: is a revision slower?"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from sonde.cli.arguments import (
    Benchmarks,
    DryRun,
    HtmlFile,
    Json,
    NoSandbox,
    ProjectPath,
    StatePath,
    command_words,
)
from sonde.cli.check_endings import FailOn, exit_code
from sonde.cli.git_bisect import LEAST_ABORTING
from sonde.cli.git_bisect import WORD as GIT_BISECT
from sonde.core.errors import AnotherSonde, UsageError


def check(
    revisions: Annotated[
        str,
        typer.Argument(
            metavar="BASE..HEAD",
            help="Revisions to compare. A single revision is compared with its parent.",
            show_default="the end of the branch",
        ),
    ] = "",
    configuration: Annotated[
        list[str] | None,
        typer.Option(
            "--configuration",
            "-c",
            help="Configuration, such as 'level=9,checksum,!filter'. Repeatable.",
            show_default="every valid configuration",
        ),
    ] = None,
    benchmark: Benchmarks = None,
    threshold: Annotated[
        str,
        typer.Option(
            metavar="SHARE",
            help="Ignore changes below this size.",
            show_default="1% of instructions, 5% of times",
        ),
    ] = "",
    definition_6: Annotated[
        str,
        typer.Option(
            "--definition-6",
            metavar="epsilon=SHARE,k=N",
            help="Numbers of Definition 6 of the paper, for is_change_by_definition_6 in the JSON output.",
            show_default="epsilon=10%,k=3",
        ),
    ] = "",
    pairs: Annotated[
        int, typer.Option(min=6, metavar="N", help="Maximum number of run pairs per case, where runs vary.")
    ] = 40,
    all_: Annotated[
        bool, typer.Option("--all", help="Measure every case, even if it could be skipped.")
    ] = False,
    strength: Annotated[
        int,
        typer.Option(min=1, max=6, help="Cover all combinations of N options."),
    ] = 2,
    audit: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="N",
            help="Number of cases to measure at random among those that impact or sampling skipped, to "
            "estimate how often skipping is wrong. Always 0 with --git-bisect.",
        ),
    ] = 2,
    bisect: Annotated[
        str,
        typer.Option(metavar="RANGE", help="Range in which to find the revision that caused a regression."),
    ] = "",
    fail_on: Annotated[FailOn, typer.Option(help="Result that sets exit code 1.")] = FailOn.REGRESSION,
    git_bisect: Annotated[
        bool, typer.Option(GIT_BISECT, help="For `git bisect run`: exit with 0, 1 or 125 (undecided).")
    ] = False,
    markdown: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Also write a Markdown summary to this file; '-' prints it instead of the report.",
        ),
    ] = None,
    html: HtmlFile = None,
    retry: Annotated[bool, typer.Option("--retry", help="Retry builds and runs that failed before.")] = False,
    compile_commands: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Compilation database (compile_commands.json) that the build writes to the work tree.",
        ),
    ] = "",
    project_file: Annotated[
        str,
        typer.Option(
            metavar="REV:PATH",
            help="Use this version of the project file instead of the base's, such as HEAD:sonde.toml.",
        ),
    ] = "",
    dry_run: DryRun = False,
    no_sandbox: NoSandbox = False,
    state: StatePath = None,
    project: ProjectPath = Path(),
    json: Json = False,
) -> None:
    """Check whether a revision is slower than its base, and measure only what can have changed.

    Cases that are proven unchanged, or that the change cannot affect, are skipped, with the reason. The
    others are measured in pairs, base and head, until there is a verdict. Exit code: 0 no regression, 1 a
    regression, 3 it could not be built or measured, 4 inconclusive.
    """
    from sonde.cli.check_outputs import say_plan, write_outputs
    from sonde.cli.terminal.pages import write_page
    from sonde.cli.terminal.printing import complain, stderr_console
    from sonde.cli.terminal.progress import Progress
    from sonde.core.revisions import History
    from sonde.report.page.checks import check_page
    from sonde.workflows.check.judging import check
    from sonde.workflows.check.request import CheckRequest, ends_of, rules_for
    from sonde.workflows.projects import open_project
    from sonde.workflows.targets import MeasuringRequest

    base, head = ends_of(revisions)
    if all_ and strength != 2:
        raise UsageError("--all measures every case, so --strength has no effect. Remove one of them.")
    opened = open_project(project, state)
    request = MeasuringRequest("", tuple(configuration or ()), tuple(benchmark or ()), retry=retry)
    if git_bisect and not head:
        head = "HEAD"  # what git has checked out, whatever the project's branch is
    rules = rules_for(threshold, pairs, definition_6)
    audits = 0 if git_bisect else audit  # what is drawn would differ from revision to revision
    how = CheckRequest(head, base, all_, strength, bisect, compile_commands, rules, project_file, audits)
    if dry_run:
        say_plan(opened, request, how, not no_sandbox, json)
        return
    try:
        with Progress(stderr_console()) as progress:
            found = check(opened, request, how, not no_sandbox, progress)
    except AnotherSonde as error:
        if not git_bisect:
            raise
        complain(f"sonde: {error}")
        raise typer.Exit(LEAST_ABORTING) from None  # the revision is not to blame, nor is the next one
    write_outputs(found, json, markdown, os.environ.get("GITHUB_STEP_SUMMARY", ""))
    words = command_words(no_sandbox, state, project)
    write_page(html, opened, History(()), words, lambda context: check_page(found, context))
    raise typer.Exit(exit_code(found, fail_on, git_bisect))
