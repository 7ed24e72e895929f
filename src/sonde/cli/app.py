"""All commands."""

from __future__ import annotations

from typing import Annotated

import typer

from sonde import __version__
from sonde.cli.check import check
from sonde.cli.demo import demo
from sonde.cli.doctor import doctor
from sonde.cli.history import history
from sonde.cli.impact import impact
from sonde.cli.init import init
from sonde.cli.measure import measure
from sonde.cli.pinpoint import pinpoint
from sonde.cli.prune import prune
from sonde.cli.replay import replay
from sonde.cli.report import report
from sonde.cli.schema import schema
from sonde.cli.select import select
from sonde.cli.show import show
from sonde.cli.space import space
from sonde.cli.terminal.printing import say

app = typer.Typer(
    name="sonde",
    help="Find the revision, the option and the benchmark behind a performance change.",
    no_args_is_help=True,
    rich_markup_mode=None,  # plain help, in half the time
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for command in (
    init,
    doctor,
    space,
    measure,
    history,
    pinpoint,
    select,
    impact,
    check,
    show,
    report,
    prune,
    schema,
    demo,
):
    app.command()(command)
app.add_typer(replay)


def _show_version(wanted: bool) -> None:
    if wanted:
        say(f"sonde {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Find the revision, the option and the benchmark behind a performance change."""
