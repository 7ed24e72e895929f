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
            help="Hot code: a function, or lines of a file such as src/sort.c:120-180. Repeatable.",
            show_default="functions with at least --hot-share of a profile of the base",
        ),
    ] = None,
    hot_share: Annotated[
        str,
        typer.Option(
            metavar="SHARE",
            help="Share of a profile from which a function is hot.",
            show_default="5%",
        ),
    ] = "",
    configuration: Annotated[
        list[str] | None,
        typer.Option(
            "--configuration",
            "-c",
            help="Configuration to profile for hot code. Repeatable; 'all' selects every valid "
            "configuration.",
            show_default="the default, and each other value of each option",
        ),
    ] = None,
    benchmark: Benchmarks = None,
    implicit_depth: Annotated[
        int,
        typer.Option(
            min=0,
            max=2,
            help="Maximum number of control dependences on a path to hot code; 0 as in the paper.",
        ),
    ] = 1,
    conservative: Annotated[
        bool,
        typer.Option("--conservative", help="Also keep options that only read data that flows to hot code."),
    ] = False,
    paper: Annotated[
        bool, typer.Option("--paper", help="Use the paper's algorithm, for comparison.")
    ] = False,
    compile_commands: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Compilation database (compile_commands.json) that the build writes to the work tree.",
        ),
    ] = "",
    suggest_options: Annotated[
        bool,
        typer.Option(
            "--suggest-options",
            help="Only report which variables hold the command-line options, for sonde.toml.",
        ),
    ] = False,
    sarif: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write the result to this file, as SARIF.")
    ] = None,
    no_sandbox: NoSandbox = False,
    state: StatePath = None,
    project: ProjectPath = Path(),
    json: Json = False,
) -> None:
    """Analyse whether a revision can affect hot code, through which options, and what to measure.

    Builds the revision and its base, and follows data flow and control flow from changed code to hot code.
    Hot code comes from profiles of the base, which are taken where needed, or from --hot. Measures nothing.
    Supports C and C++ (with clang), and Python.
    """
    from sonde.cli.terminal.printing import print_json, say, stderr_console, stdout_width, write_file
    from sonde.cli.terminal.progress import Progress
    from sonde.report.impact.json import impact_json, impact_sarif
    from sonde.report.impact.suggestions import suggestions_json, suggestions_text
    from sonde.report.impact.text import impact_text
    from sonde.workflows.impact.answering import impact
    from sonde.workflows.impact.request import ImpactRequest, parse_hot_share
    from sonde.workflows.impact.suggestions import suggest_options as suggest
    from sonde.workflows.projects import open_project
    from sonde.workflows.targets import MeasuringRequest

    if suggest_options and (hot or sarif is not None or base):
        raise UsageError("--suggest-options analyses one revision. Remove --hot, --base and --sarif.")
    if hot and hot_share:
        raise UsageError("--hot names the hot code, so --hot-share has no effect. Remove one of them.")
    if sarif is not None and not sarif.absolute().parent.is_dir():
        raise UsageError(f"{sarif}: its folder does not exist. Name a file in an existing folder.")
    opened = open_project(project, state)
    request = MeasuringRequest("", tuple(configuration or ()), tuple(benchmark or ()))
    how = ImpactRequest(
        revision,
        base,
        tuple(hot or ()),
        implicit_depth,
        conservative,
        paper,
        parse_hot_share(hot_share),
        compile_commands,
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
