"""`sonde select`: which benchmarks can a revision have changed?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sonde.cli.arguments import (
    Benchmarks,
    Configurations,
    Json,
    NoSandbox,
    ProjectPath,
    RangeOption,
    StatePath,
)
from sonde.core.errors import UsageError


def select(
    revision: Annotated[
        str, typer.Argument(metavar="REV", help="As git spells it.", show_default="the end of the branch")
    ] = "",
    base: Annotated[
        str, typer.Option(metavar="REV", help="What to compare with.", show_default="its first parent")
    ] = "",
    configuration: Configurations = None,
    benchmark: Benchmarks = None,
    catch: Annotated[str, typer.Option(help="The share of changes that a learned rule must find.")] = "95%",
    learner: Annotated[
        str, typer.Option(help="Learner: share, or greedy (the paper's Algorithm 1).")
    ] = "share",
    scope: Annotated[
        str,
        typer.Option(help="Learn one rule for all benchmarks (common), or one per benchmark (benchmark)."),
    ] = "common",
    indicators: Annotated[
        str, typer.Option(help="For greedy: indicators to learn from, cost or paper (the eight of Table I).")
    ] = "cost",
    full_every: Annotated[
        int,
        typer.Option(
            min=1,
            metavar="N",
            help="Run what was not measured for N revisions, unless it is proven unchanged.",
        ),
    ] = 50,
    train: Annotated[
        bool, typer.Option("--train", help="Learn from the measured revisions of --range.")
    ] = False,
    evaluate: Annotated[
        bool, typer.Option("--evaluate", help="Report how well the rule would have worked so far.")
    ] = False,
    range: RangeOption = "",
    hops: Annotated[
        int,
        typer.Option(
            min=1, help="For --train: also compare revisions up to this distance apart, for more examples."
        ),
    ] = 1,
    folds: Annotated[
        int, typer.Option(min=2, help="For --evaluate: number of folds of the cross-validation.")
    ] = 10,
    seed: Annotated[
        int, typer.Option(min=0, help="For --evaluate: random seed of the split into folds.")
    ] = 0,
    tuples: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="For --train: write the examples to this file (CSV), for `sonde replay select`.",
        ),
    ] = None,
    no_sandbox: NoSandbox = False,
    state: StatePath = None,
    project: ProjectPath = Path(),
    json: Json = False,
) -> None:
    """Select the benchmarks that a revision can have changed, and prove that the others are unchanged.

    Builds the revision and its base where needed, and profiles a benchmark once at the base if it has no
    usable profile. Measures nothing.
    """
    from sonde.cli.terminal.printing import print_json, say, stderr_console, stdout_width
    from sonde.cli.terminal.progress import Progress
    from sonde.report.replay.select import replay_select_json, replay_select_text
    from sonde.report.select.text import select_json, select_text
    from sonde.report.select.training import training_json, training_text
    from sonde.workflows.projects import open_project
    from sonde.workflows.select.learning import Learning
    from sonde.workflows.select.selecting import SelectRequest, select
    from sonde.workflows.select.training import evaluate_selection, train_selection
    from sonde.workflows.targets import MeasuringRequest

    if train and evaluate:
        raise UsageError("give either --train or --evaluate: first train, then evaluate.")
    if (train or evaluate) and (revision or base):
        raise UsageError("--train and --evaluate need a --range. Remove the revision and --base.")
    if not train and not evaluate and range:
        raise UsageError("--range needs --train or --evaluate. Otherwise name a revision, and a --base.")
    if not train and (hops > 1 or tuples is not None):
        raise UsageError("--hops and --tuples need --train.")
    opened = open_project(project, state)
    request = MeasuringRequest(range, tuple(configuration or ()), tuple(benchmark or ()))
    learning = Learning(learner, scope, catch, indicators)
    with Progress(stderr_console()) as progress:
        if train:
            trained = train_selection(opened, request, learning, hops, not no_sandbox, progress, tuples)
            texts = training_json(trained) if json else training_text(trained, stdout_width())
        elif evaluate:
            evaluated = evaluate_selection(opened, request, learning, folds, seed, not no_sandbox)
            texts = replay_select_json(evaluated) if json else replay_select_text(evaluated, stdout_width())
        else:
            how = SelectRequest(revision, base, learning, full_every)
            selection = select(opened, request, how, not no_sandbox, progress)
            texts = select_json(selection) if json else select_text(selection, stdout_width())
    if isinstance(texts, str):
        say(texts)
    else:
        print_json(texts)
