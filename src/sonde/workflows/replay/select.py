"""Playing a learner of selections against recorded tuples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from sonde.core.findings.selection_rates import ReplayedSelection
from sonde.effects.recordings.selection_tuples import SelectionTuple, read_selection_tuples
from sonde.methods.selection.evaluation import Way, cross_validated, partition, trained_on_all
from sonde.methods.selection.examples import Example, completed, nothing_reached
from sonde.methods.selection.indicators import INDICATORS
from sonde.methods.selection.predictors import LearnedRules
from sonde.methods.selection.reach import MOST_UNJOINED, MOST_UNJOINED_FOR_PROOF
from sonde.workflows.select.learners import (
    COST,
    TABLE_I,
    learner_named,
    needed_columns,
    rules_in_words,
    scope_named,
)
from sonde.workflows.thresholds import parse_threshold


@dataclass(frozen=True)
class SelectReplay:
    """What `sonde replay select` is asked for."""

    tuples: Path
    learner: str = "greedy"
    scope: str = "common"
    indicators: str = COST
    folds: int = 10
    threshold: str = "0.1%"
    catch: str = "95%"
    seed: int = 0


def replay_select(request: SelectReplay) -> ReplayedSelection:
    """Learn from most of the tuples, try it on the rest, by turns; and once from all of them."""
    threshold, needed = (
        parse_threshold(request.threshold),
        needed_columns(request.learner, request.indicators),
    )
    way = Way(learner_named(request.learner, request.catch, request.indicators), scope_named(request.scope))
    read = read_selection_tuples(request.tuples, needed, tuple(INDICATORS))
    examples = [example_of(each, threshold) for each in read]
    if request.indicators == TABLE_I:  # the paper has no proof that goes before
        examples = [replace(example, is_proven=False, is_refused=False) for example in examples]
    rules = way.rules(examples)
    rates = cross_validated(way, examples, request.folds, request.seed)
    return ReplayedSelection(
        recording=request.tuples.name,
        learner=request.learner,
        scope=request.scope,
        indicators=request.indicators,
        folds=len(partition(examples, request.folds, request.seed)),
        seed=request.seed,
        threshold=threshold,
        revisions=len({example.revision for example in examples}),
        benchmarks=len({example.benchmark for example in examples}),
        rates=rates,
        on_all=trained_on_all(way, examples),
        rules=rules_in_words(rules),
        warnings=tuple(_warnings(rules, examples)),
    )


def example_of(recorded: SelectionTuple, threshold: float) -> Example:
    """A recorded tuple as learners see it.

    It is proven where the builds are the same, or where all that depends on the benchmark is zero and the
    profile is good enough.
    """
    values = completed(recorded.values)
    is_unreached = nothing_reached(values) and recorded.unjoined <= MOST_UNJOINED_FOR_PROOF
    return Example(
        revision=recorded.child,
        base=recorded.parent,
        benchmark=recorded.benchmark,
        values=values,
        effect=recorded.change,
        is_hit=abs(recorded.change) > threshold,
        is_proven=recorded.is_same or is_unreached,
        is_refused=not recorded.is_same and recorded.unjoined > MOST_UNJOINED,
        seconds=recorded.seconds,
        hops=recorded.hops,
    )


def _warnings(rules: LearnedRules, examples: Sequence[Example]) -> list[str]:
    warnings = [
        f"{benchmark}: {warning}" if benchmark else warning
        for benchmark, predictor in (rules.own.items() if rules.own else (("", rules.common),))
        for warning in predictor.warnings
    ]
    hidden = sum(example.is_hit and example.is_proven for example in examples)
    if hidden:
        warnings.append(
            f"{hidden} of the hits are in tuples in which no executed code changed. No rule covers "
            "them: they are noise, or changes that the indicators cannot see."
        )
    refused = sum(example.is_refused for example in examples)
    if refused:
        warnings.append(f"{refused} tuples always run, because their profiles are incomplete.")
    return warnings
