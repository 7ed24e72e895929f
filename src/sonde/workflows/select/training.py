"""Learning which changes matter, from revisions that are measured; and how good that is."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import log1p
from pathlib import Path

from sonde.core.errors import UsageError
from sonde.core.findings.selection_rates import ReplayedSelection
from sonde.core.findings.selections import TrainedSelection
from sonde.core.protocols import Watcher
from sonde.core.records import TupleRecord
from sonde.core.results import Metric
from sonde.methods.selection.evaluation import cross_validated, partition, trained_on_all
from sonde.methods.selection.examples import Example
from sonde.methods.selection.indicators import INDICATORS
from sonde.methods.selection.truth import instruction_threshold, judged_by_noise, time_hits
from sonde.workflows.project_tools import open_tools
from sonde.workflows.projects import OpenProject
from sonde.workflows.resolutions import RESOLUTIONS
from sonde.workflows.select.examples import MeasuredPair, TrainingPair, examples_of, measured_pairs
from sonde.workflows.select.learners import rules_in_words
from sonde.workflows.select.learning import Learning, known_examples, way_of
from sonde.workflows.surroundings import warn_of_surroundings
from sonde.workflows.tally import Tally
from sonde.workflows.targets import MeasuringRequest, target_of


def train_selection(
    project: OpenProject,
    request: MeasuringRequest,
    learning: Learning,
    hops: int,
    is_sandboxed: bool,
    watcher: Watcher,
    file: Path | None = None,
) -> TrainedSelection:
    """Keep an example for each measured pair of revisions, and learn a rule from all that are kept."""
    way, target, tally = way_of(learning), target_of(project, request), Tally(watcher)
    everything = [
        benchmark.name for benchmark in project.file.subject.benchmarks
    ]  # a rule is for all of them
    with open_tools(project, target.history, everything, is_sandboxed) as tools:
        warn_of_surroundings(project, is_sandboxed, watcher)
        pairs, unmeasured = measured_pairs(tools, target, hops)
        if not pairs:
            raise UsageError(
                "no revision of the range is measured together with its parent, so there are no "
                f"examples to learn from. Measure some: `sonde measure {request.range or 'RANGE'}`."
            )
        with tools.executor(tally) as executor:
            told = list(examples_of(tools, executor, pairs))
        judged, threshold = _judged(told)
        tools.store.append(*(_record(pair, example) for pair, example in judged))
        rules = way.rules(known_examples(tools))
    if file is not None:
        _write(file, judged)
    words = rules_in_words(rules)
    return TrainedSelection(
        pairs=len(judged),
        revisions=len({example.revision for _, example in judged}),
        unmeasured=unmeasured,
        unusable=len(pairs) - len(judged),
        proven=sum(example.is_proven for _, example in judged),
        hits=sum(example.is_hit for _, example in judged),
        proven_hits=sum(example.is_hit and example.is_proven for _, example in judged),
        threshold=threshold,
        rule=" ".join(f"{name}: {rule}" if name else rule for name, rule in words.items()),
        warnings=rules.common.warnings,
        cost=tally.cost,
    )


def evaluate_selection(
    project: OpenProject,
    request: MeasuringRequest,
    learning: Learning,
    folds: int,
    seed: int,
    is_sandboxed: bool,
) -> ReplayedSelection:
    """How good the rule would have been, by cross-validation over the examples that are kept."""
    way, target = way_of(learning), target_of(project, request)
    with open_tools(project, target.history, target.benchmarks, is_sandboxed) as tools:
        known = [each for each in known_examples(tools) if each.revision in target.history]
    examples = [each for each in known if each.hops == 1 and each.benchmark in target.benchmarks]
    if not examples:
        raise UsageError("there are no examples of this range yet. Run `sonde select --train` first.")
    rules = way.rules(examples)
    return ReplayedSelection(
        recording="what is measured",
        learner=learning.learner,
        scope=learning.scope,
        indicators=learning.indicators,
        folds=len(partition(examples, folds, seed)),
        seed=seed,
        threshold=instruction_threshold(each.effect for each in examples if each.is_proven),
        revisions=len({each.revision for each in examples}),
        benchmarks=len({each.benchmark for each in examples}),
        rates=cross_validated(way, examples, folds, seed),
        on_all=trained_on_all(way, examples),
        rules=rules_in_words(rules),
        warnings=rules.common.warnings,
    )


def _judged(told: Sequence[TrainingPair]) -> tuple[list[tuple[MeasuredPair, Example]], float | None]:
    """Which examples are hits, and from which change of instructions on."""
    counted = [each for each in told if each.pair.metric is Metric.INSTRUCTIONS]
    timed = [each for each in told if each.pair.metric is not Metric.INSTRUCTIONS]
    hits, threshold = judged_by_noise([each.example for each in counted])
    found = list(zip((each.pair for each in counted), hits, strict=True))
    for metric in Metric:
        of_metric = [each for each in timed if each.pair.metric is metric]
        samples = [(each.pair.before, each.pair.after) for each in of_metric]
        are_hits = time_hits(samples, RESOLUTIONS[metric].magnitude)
        found += [
            (each.pair, replace(each.example, is_hit=is_hit))
            for each, is_hit in zip(of_metric, are_hits, strict=True)
        ]
    return found, threshold if counted else None


def _record(pair: MeasuredPair, example: Example) -> TupleRecord:
    return TupleRecord(
        pair.child.context,
        pair.child.point.revision,
        pair.parent.point.revision,
        pair.child.point.configuration,
        pair.child.point.benchmark,
        tuple(sorted(example.values.items())),
        log1p(example.effect),
        example.is_hit,
        example.is_proven,
        example.is_refused,
        example.seconds,
        example.hops,
    )


def _write(file: Path, judged: Sequence[tuple[MeasuredPair, Example]]) -> None:
    """The examples as `sonde replay select` reads them."""
    with file.open("w", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["child", "parent", "bench", "same", "dir", "unj", "hops", "seconds", *INDICATORS])
        writer.writerows(_rows(judged))


def _rows(judged: Sequence[tuple[MeasuredPair, Example]]) -> Iterator[list[object]]:
    for pair, example in judged:
        words = pair.child.point.configuration.key
        name = f"{example.benchmark} {words}" if words != "[]" else example.benchmark
        values = [example.values.get(indicator, 0.0) for indicator in INDICATORS]
        fixed = [example.revision, example.base, name, example.is_proven, 100 * example.effect]
        yield [*fixed, 1.0 if example.is_refused else 0.0, example.hops, example.seconds, *values]
