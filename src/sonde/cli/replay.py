"""`sonde replay`: planners against recorded performance."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sonde.cli.arguments import Influences, Json, Predict
from sonde.core.errors import NothingMeasured, UsageError

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
    noise: Annotated[
        str,
        typer.Option(
            help="How far equal values may differ (0.1%); 0 if they are exact. Any larger difference is a "
            "change.",
            show_default="as the recording says",
        ),
    ] = "",
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
    from sonde.cli.terminal.printing import print_json, say, stderr_console
    from sonde.cli.terminal.progress import Progress
    from sonde.report.replay.history import replay_json, replay_text
    from sonde.workflows.replay.history import HistoryReplay, replay_history

    request = HistoryReplay(recording, planner, budget, seed, joint, noise, rows, changes)
    with Progress(stderr_console()) as progress:
        replayed = replay_history(request, progress)
    if json:
        print_json(replay_json(replayed))
    else:
        say(replay_text(replayed))


@replay.command()
def pinpoint(
    recording: Annotated[
        Path | None,
        typer.Argument(help="A folder with points.csv and configurations.csv.", show_default="the oracle"),
    ] = None,
    oracle: Annotated[
        str,
        typer.Option(
            metavar="FILE.py:NAME",
            help="Instead of a recording: an object with `options`, `revisions` and "
            "`value(revision, selected, rng)`, or what makes one.",
        ),
    ] = "",
    oracle_args: Annotated[str, typer.Option(metavar="A=1,B=2", help="What the oracle is made with.")] = "",
    planner: Annotated[str, typer.Option(help="shared-steps or paper.")] = "shared-steps",
    threshold: Annotated[str, typer.Option(help="The smallest change that matters.")] = "5%",
    budget: Annotated[
        str,
        typer.Option(
            help="Runs in all (600), or a share of the points of the recording (5%).",
            show_default="until the search ends",
        ),
    ] = "",
    benchmark: Annotated[
        str, typer.Option("--benchmark", "-b", help="By name, where the recording has several.")
    ] = "",
    draw_repeats: Annotated[
        bool,
        typer.Option(
            "--draw-repeats",
            help="Draw each run by the relative deviation that the recording has; "
            "else a repeat gives the recorded value again.",
        ),
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same plan.")] = 0,
    influences: Influences = False,
    predict: Predict = None,
    at: Annotated[
        str,
        typer.Option(metavar="REV", help="The revision at which to --predict.", show_default="the last one"),
    ] = "",
    json: Json = False,
) -> None:
    """Find which revision changed which options, from a few points of a recording or an oracle.

    Where the planner `paper` asks for a configuration that is not recorded, the nearest one answers.
    """
    from sonde.cli.terminal.printing import print_json, say, stderr_console, stdout_has_unicode, stdout_width
    from sonde.cli.terminal.progress import Progress
    from sonde.effects.oracles import load_oracle
    from sonde.report.replay.pinpoint import replay_pinpoint_json, replay_pinpoint_text
    from sonde.workflows.replay.pinpoint import (
        PinpointReplay,
        RecordedRequest,
        replay_oracle,
        replay_recording,
    )

    request = PinpointReplay(planner, threshold, budget, seed, influences, tuple(predict or ()), at)
    if (recording is None) == (not oracle):
        raise UsageError("give the folder of a recording, or an --oracle, and not both.")
    if oracle and (benchmark or draw_repeats):
        raise UsageError("--benchmark and --draw-repeats are for recordings. Leave them out for an oracle.")
    if recording is not None and oracle_args:
        raise UsageError("--oracle-args are for an --oracle. Leave them out for a recording.")
    with Progress(stderr_console()) as progress:
        if recording is not None:
            replayed = replay_recording(
                RecordedRequest(recording, benchmark, draw_repeats), request, progress
            )
        else:
            replayed = replay_oracle(load_oracle(oracle, oracle_args), request, progress)
    if json:
        print_json(replay_pinpoint_json(replayed))
    else:
        say(replay_pinpoint_text(replayed, stdout_width(), stdout_has_unicode()))
    if replayed.found.failed and not replayed.found.points:
        raise NothingMeasured("no point has a value, because every run failed. The reasons stand above.")


@replay.command()
def select(
    tuples: Annotated[
        Path, typer.Argument(metavar="TUPLES.csv", help="A row a revision and benchmark; gzip by name.")
    ],
    learner: Annotated[
        str, typer.Option(help="greedy (the paper's Algorithm 1) or share (a promised hit rate).")
    ] = "greedy",
    scope: Annotated[str, typer.Option(help="A rule for all benchmarks: common; or one each: benchmark.")] = (
        "common"
    ),
    indicators: Annotated[
        str, typer.Option(help="For greedy: cost (how much changed), or paper (its Table I).")
    ] = "cost",
    folds: Annotated[int, typer.Option(min=2, help="Parts of the cross-validation, by revision.")] = 10,
    threshold: Annotated[str, typer.Option(help="A tuple is a hit if it changed by more.")] = "0.1%",
    catch: Annotated[str, typer.Option(help="For share: the share of hits that the rule promises.")] = "95%",
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same parts.")] = 0,
    json: Json = False,
) -> None:
    """Learn which benchmarks to run from recorded tuples, and see how good it is on revisions left out.

    The file has the columns child, bench and dir (the change in percent), and the indicators that the learner
    needs.
    """
    from sonde.cli.terminal.printing import print_json, say, stdout_width
    from sonde.report.replay.select import replay_select_json, replay_select_text
    from sonde.workflows.replay.select import SelectReplay, replay_select

    request = SelectReplay(tuples, learner, scope, indicators, folds, threshold, catch, seed)
    replayed = replay_select(request)
    if json:
        print_json(replay_select_json(replayed))
    else:
        say(replay_select_text(replayed, stdout_width()))
