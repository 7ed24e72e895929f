"""The rule that decides where there is no proof, from what `--train` has kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import expm1

from sonde.core.records import TupleRecord
from sonde.core.results import Metric
from sonde.core.revisions import History
from sonde.methods.selection.evaluation import Way, tried_on
from sonde.methods.selection.examples import Example
from sonde.methods.selection.share import ShareRule
from sonde.methods.selection.truth import judged_by_noise
from sonde.workflows.project_tools import ProjectTools
from sonde.workflows.select.learners import COST, learner_named, scope_named

LATEST = 0.25  # the share of the revisions in which a rule that has aged would show
LEAST_LATE_HITS = 4


@dataclass(frozen=True)
class Learning:
    """How a rule is learned, in the user's words."""

    learner: str = "share"
    scope: str = "common"
    catch: str = "95%"
    indicators: str = COST


def way_of(learning: Learning) -> Way:
    """The learner and its scope; an error names what there is."""
    learner = learner_named(learning.learner, learning.catch, learning.indicators)
    return Way(learner, scope_named(learning.scope))


def known_examples(tools: ProjectTools) -> list[Example]:
    """What is kept for the benchmarks of a tools, as they are built and measured now.

    From which change of instructions on an example is a hit depends on all of them.
    """
    contexts = [record.context for record in tools.drafter.contexts.values()]
    records = tools.store.query(TupleRecord, {"context": contexts})
    metrics = {each.name: each.metric for each in tools.project.file.subject.benchmarks}
    counted: list[Example] = []
    timed: list[Example] = []
    for record in records:
        is_counted = metrics[record.benchmark] is Metric.INSTRUCTIONS
        (counted if is_counted else timed).append(example_of(record))
    return [*judged_by_noise(counted)[0], *timed]


def example_of(record: TupleRecord) -> Example:
    """A stored tuple, as learners take it."""
    return Example(
        record.child,
        record.parent,
        record.benchmark,
        dict(record.values),
        expm1(record.effect),
        record.is_hit,
        record.is_proven,
        record.is_refused,
        record.seconds,
        record.hops,
    )


def ageing(way: Way, catch: float, examples: Sequence[Example], history: History) -> str | None:
    """A warning if a rule from the older revisions catches less in the latest ones than it promised."""
    position: Mapping[str, int] = {str(revision): at for revision, at in history.positions.items()}
    known = sorted({position[each.revision] for each in examples if each.revision in position})
    if not known:
        return None
    border = known[int((1 - LATEST) * len(known))]
    late = [each for each in examples if position.get(each.revision, -1) >= border]
    early = [each for each in examples if position.get(each.revision, -1) < border]
    rules = way.rules(early)
    if not all(isinstance(rule, ShareRule) for rule in rules.own.values() or [rules.common]):
        return None  # it promised nothing
    rates = tried_on(rules, late)
    hits = rates.hit
    if hits.whole < LEAST_LATE_HITS or hits.high >= catch:
        return None
    return (
        f"of the latest {hits.whole} changes, the rule learned before them would have found "
        f"{hits.part}. Code now changes in other places than before: measure some revisions "
        "completely, and train again."
    )
