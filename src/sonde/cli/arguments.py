"""Arguments that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]

ProjectPath = Annotated[
    Path,
    typer.Option(
        "--project",
        "-p",
        help="The project file, or any folder of the project.",
        show_default="this folder",
    ),
]

StatePath = Annotated[
    Path | None,
    typer.Option(
        "--state",
        help="Folder for measurements and build outputs.",
        show_default=".sonde beside the project file",
    ),
]

Range = Annotated[
    str,
    typer.Argument(
        metavar="RANGE",
        help="Git revision range: v1.0..v1.2, HEAD~100.., main.",
        show_default="the whole branch",
    ),
]

Configurations = Annotated[
    list[str] | None,
    typer.Option(
        "--configuration",
        "-c",
        help="Configuration, such as 'level=9,checksum,!filter'; other options keep their "
        "defaults. Repeatable; 'all' selects every valid configuration.",
        show_default="the default configuration",
    ),
]

Benchmarks = Annotated[
    list[str] | None,
    typer.Option("--benchmark", "-b", help="Benchmark name. Repeatable.", show_default="all benchmarks"),
]

DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Print the plan and its estimated time, without building or measuring."),
]

HtmlFile = Annotated[
    Path | None,
    typer.Option("--html", metavar="FILE", help="Also write an HTML page to this file."),
]

NoSandbox = Annotated[
    bool,
    typer.Option(
        "--no-sandbox",
        help="Run builds and benchmarks without isolation: they can read and change the whole machine.",
    ),
]

Reference = Annotated[
    bool,
    typer.Option(
        "--reference/--no-reference",
        help="For cpu and wall: run a fixed revision beside each run, which cancels drift of the machine.",
    ),
]

Influences = Annotated[
    bool,
    typer.Option("--influences", help="Report what each option and interaction contributes, over time."),
]

Predict = Annotated[
    list[str] | None,
    typer.Option(
        "--predict",
        metavar="CONFIG",
        help="Predict the performance of a configuration, measured or not, such as "
        "'level=9,checksum,!filter'. Repeatable.",
    ),
]

NamedBenchmarks = Annotated[
    list[str] | None, typer.Argument(help="Benchmark names.", show_default="all benchmarks")
]

RangeOption = Annotated[
    str,
    typer.Option(
        "--range",
        help="Git revision range: v1.0..v1.2, HEAD~100.., main.",
        show_default="the whole branch",
    ),
]


def command_words(no_sandbox: bool, state: Path | None, project: Path) -> tuple[str, ...]:
    """Arguments of a command that is shown, so that it works in the same place."""
    return (
        *(["--no-sandbox"] if no_sandbox else []),
        *(["--state", str(state)] if state is not None else []),
        *(["--project", str(project)] if project != Path() else []),
    )
