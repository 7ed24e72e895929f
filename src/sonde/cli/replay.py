"""`sonde replay`: planners against recorded performance."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sonde.cli.arguments import Influences, Json, Predict
from sonde.core.errors import NothingMeasured, UsageError

replay = typer.Typer(
    name="replay",
    help="Run a planner on recorded performance data and evaluate its findings.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@replay.callback()
def _group() -> None:
    """Run a planner on recorded performance data and evaluate its findings."""


@replay.command()
def history(
    recording: Annotated[Path, typer.Argument(help="Folder with points.csv or points.csv.gz.")],
    planner: Annotated[
        str, typer.Option(help="Planner: shared-changes, paper, greedy or random.")
    ] = "shared-changes",
    budget: Annotated[
        str,
        typer.Option(
            help="Limit: a share of the revisions of each series (5%), or the total number of runs (200)."
        ),
    ] = "5%",
    seed: Annotated[int, typer.Option(min=0, help="Random seed. The same seed gives the same plan.")] = 0,
    joint: Annotated[bool, typer.Option("--joint", help="Measure the same revisions in all series.")] = False,
    noise: Annotated[
        str,
        typer.Option(
            help="Noise: relative difference between equal values (0.1%); 0 if they are exact. Any "
            "larger difference is a change.",
            show_default="from the recording",
        ),
    ] = "",
    rows: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Write the estimate of every point to this file (CSV; compressed if it ends in .gz).",
        ),
    ] = None,
    changes: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write the change points to this file (CSV; compressed if it ends in .gz)."
        ),
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
        typer.Argument(help="Folder with points.csv and configurations.csv.", show_default="the oracle"),
    ] = None,
    oracle: Annotated[
        str,
        typer.Option(
            metavar="FILE.py:NAME",
            help="Instead of a recording: an object with `options`, `revisions` and `value(revision, "
            "selected, rng)`, or a function that returns one.",
        ),
    ] = "",
    oracle_args: Annotated[str, typer.Option(metavar="A=1,B=2", help="Arguments of that function.")] = "",
    planner: Annotated[str, typer.Option(help="Planner: shared-steps or paper.")] = "shared-steps",
    threshold: Annotated[str, typer.Option(help="The smallest change that matters.")] = "5%",
    budget: Annotated[
        str,
        typer.Option(
            help="Limit: total number of runs (600), or a share of the points of the recording (5%).",
            show_default="until the search ends",
        ),
    ] = "",
    benchmark: Annotated[
        str, typer.Option("--benchmark", "-b", help="Benchmark, if the recording has several.")
    ] = "",
    draw_repeats: Annotated[
        bool,
        typer.Option(
            "--draw-repeats",
            help="Draw each run at random from the recorded relative deviation; otherwise a repeated "
            "run returns the recorded value.",
        ),
    ] = False,
    seed: Annotated[int, typer.Option(min=0, help="Random seed. The same seed gives the same plan.")] = 0,
    influences: Influences = False,
    predict: Predict = None,
    at: Annotated[
        str,
        typer.Option(metavar="REV", help="The revision at which to --predict.", show_default="the last one"),
    ] = "",
    json: Json = False,
) -> None:
    """Find which revision changed which options, from a few points of a recording or an oracle.

    If the planner `paper` asks for a configuration that is not recorded, the nearest recorded one is used.
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
        raise UsageError("give either the folder of a recording or an --oracle.")
    if oracle and (benchmark or draw_repeats):
        raise UsageError("--benchmark and --draw-repeats need a recording. Remove them, or remove --oracle.")
    if recording is not None and oracle_args:
        raise UsageError("--oracle-args needs an --oracle. Remove it for a recording.")
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
        raise NothingMeasured("no point has a value, because every run failed. The reasons are listed above.")


@replay.command()
def select(
    tuples: Annotated[
        Path,
        typer.Argument(
            metavar="TUPLES.csv",
            help="CSV file with one row per revision and benchmark; compressed if it ends in .gz.",
        ),
    ],
    learner: Annotated[
        str, typer.Option(help="Learner: greedy (the paper's Algorithm 1) or share (a guaranteed hit rate).")
    ] = "greedy",
    scope: Annotated[
        str, typer.Option(help="One rule for all benchmarks (common), or one per benchmark (benchmark).")
    ] = ("common"),
    indicators: Annotated[
        str, typer.Option(help="For greedy: cost (how much changed), or paper (Table I).")
    ] = "cost",
    folds: Annotated[
        int, typer.Option(min=2, help="Number of folds of the cross-validation, split by revision.")
    ] = 10,
    threshold: Annotated[
        str, typer.Option(help="A tuple is a hit if it changed by more than this.")
    ] = "0.1%",
    catch: Annotated[str, typer.Option(help="For share: the share of hits that the rule must find.")] = "95%",
    seed: Annotated[int, typer.Option(min=0, help="Random seed. The same seed gives the same folds.")] = 0,
    json: Json = False,
) -> None:
    """Learn from recorded tuples which benchmarks to run, and cross-validate the rule.

    The file has the columns child, bench and dir (the change in percent), and the indicators that the
    learner needs.
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
