"""`sonde replay`: planners against recorded performance."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sonde.cli.arguments import Json

replay = typer.Typer(
    name="replay",
    help="Play a planner against recorded performance, and see what it makes of it.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@replay.callback()
def _group() -> None:
    """Play a planner against recorded performance, and see what it makes of it."""


@replay.command()
def history(
    recording: Annotated[Path, typer.Argument(help="A folder with points.csv or points.csv.gz.")],
    planner: Annotated[str, typer.Option(help="shared-changes, paper, greedy or random.")] = "shared-changes",
    budget: Annotated[
        str, typer.Option(help="A share of the revisions of each series (5%), or runs in all (200).")
    ] = "5%",
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same plan.")] = 0,
    joint: Annotated[
        bool, typer.Option("--joint", help="Build one list of revisions for all series.")
    ] = False,
    rows: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write the estimate of every point here (CSV; gzip by name)."),
    ] = None,
    changes: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the change points here (CSV; gzip by name).")
    ] = None,
    json: Json = False,
) -> None:
    """Estimate the history of every series of a recording from a few of its values."""
    from sonde.cli.printing import print_json, stderr_console
    from sonde.cli.progress import Progress
    from sonde.report.replay import replay_json, replay_text
    from sonde.workflows.replay_history import HistoryReplay, replay_history

    wish = HistoryReplay(recording, planner, budget, seed, joint, rows, changes)
    with Progress(stderr_console()) as progress:
        replayed = replay_history(wish, progress)
    if json:
        print_json(replay_json(replayed))
    else:
        print(replay_text(replayed))
