"""`sonde impact`: can a change reach hot code, and through which options?"""

from __future__ import annotations

from json import dumps
from pathlib import Path
from typing import Annotated

import typer

from sonde import __version__
from sonde.cli.arguments import Benchmarks, Json, NoSandbox, ProjectPath, StatePath
from sonde.core.errors import UsageError


def impact(
    revision: Annotated[
        str, typer.Argument(metavar="REV", help="As git spells it.", show_default="the end of the branch")
    ] = "",
    base: Annotated[
        str, typer.Option(metavar="REV", help="What to compare with.", show_default="its first parent")
    ] = "",
    hot: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="What counts as hot: a function, or lines of a file such as src/sort.c:120-180. Repeatable.",
            show_default="functions with at least 5 % of a profile of the base",
        ),
    ] = None,
    configuration: Annotated[
        list[str] | None,
        typer.Option(
            "--configuration",
            "-c",
            help="What to profile for hot code. Repeatable; 'all' is every valid configuration.",
            show_default="the default one, and each other value of each option",
        ),
    ] = None,
    benchmark: Benchmarks = None,
    implicit_depth: Annotated[
        int,
        typer.Option(
            min=0, max=2, help="How often a value may decide what is executed on the way; 0 is the paper's."
        ),
    ] = 1,
    conservative: Annotated[
        bool,
        typer.Option("--conservative", help="Keep options that only read what flows to hot code."),
    ] = False,
    paper: Annotated[bool, typer.Option("--paper", help="Answer as the paper does, for comparison.")] = False,
    compile_commands: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="A compile_commands.json that the build leaves in the work tree, to go by."
        ),
    ] = "",
    suggest_options: Annotated[
        bool,
        typer.Option(
            "--suggest-options",
            help="Only tell which variables the options of the command line are kept in, for sonde.toml.",
        ),
    ] = False,
    sarif: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the answer here, as SARIF.")
    ] = None,
    no_sandbox: NoSandbox = False,
    state: StatePath = None,
    project: ProjectPath = Path(),
    json: Json = False,
) -> None:
    """Tell whether a revision can reach hot code, through which options, and what to measure therefore.

    Builds the revision and its base, and follows values and decisions from what changed to hot code. Hot
    code comes from profiles of the base, which are taken where needed, or from --hot. Measures nothing. For C
    and C++, with clang, and for Python.
    """
    from sonde.cli.terminal.printing import print_json, say, stderr_console, stdout_width, write_file
    from sonde.cli.terminal.progress import Progress
    from sonde.report.impact.json import impact_json, impact_sarif
    from sonde.report.impact.suggestions import suggestions_json, suggestions_text
    from sonde.report.impact.text import impact_text
    from sonde.workflows.impact.answering import impact
    from sonde.workflows.impact.request import ImpactRequest
    from sonde.workflows.impact.suggestions import suggest_options as suggest
    from sonde.workflows.projects import open_project
    from sonde.workflows.targets import MeasuringRequest

    if suggest_options and (hot or sarif is not None or base):
        raise UsageError("--suggest-options looks at one revision: leave out --hot, --base and --sarif.")
    if sarif is not None and not sarif.absolute().parent.is_dir():
        raise UsageError(f"{sarif}: there is no such folder. Name a file in one that exists.")
    opened = open_project(project, state)
    request = MeasuringRequest("", tuple(configuration or ()), tuple(benchmark or ()))
    how = ImpactRequest(
        revision, base, tuple(hot or ()), implicit_depth, conservative, paper, compile_commands
    )
    with Progress(stderr_console()) as progress:
        if suggest_options:
            suggested = suggest(opened, how, not no_sandbox, progress)
            texts = suggestions_json(suggested) if json else suggestions_text(suggested, stdout_width())
        else:
            found = impact(opened, request, how, not no_sandbox, progress)
            texts = impact_json(found) if json else impact_text(found, stdout_width())
            if sarif is not None:
                write_file(sarif, dumps(impact_sarif(found, __version__), indent=2))
    if isinstance(texts, str):
        say(texts)
    else:
        print_json(texts)
