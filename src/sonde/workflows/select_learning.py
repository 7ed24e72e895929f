"""The rule that decides where there is no proof, from what `--train` has kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import expm1

from sonde.core.records import TupleRecord
from sonde.core.revisions import History
from sonde.methods.selection.evaluation import Way, tried_on
from sonde.methods.selection.examples import Example
from sonde.workflows.replay_select import COST, learner_named, scope_named
from sonde.workflows.workshop import Workshop

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


def known_examples(workshop: Workshop) -> list[Example]:
    """What is kept for the benchmarks of a workshop, as they are built and measured now."""
    contexts = [record.context for record in workshop.drafter.contexts.values()]
    return [example_of(record) for record in workshop.store.query(TupleRecord, {"context": contexts})]


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
    """A warning if a rule from the older revisions catches less in the latest ones than it should."""
    position: Mapping[str, int] = {str(revision): at for revision, at in history.positions.items()}
    known = sorted({position[each.revision] for each in examples if each.revision in position})
    if not known:
        return None
    border = known[int((1 - LATEST) * len(known))]
    late = [each for each in examples if position.get(each.revision, -1) >= border]
    early = [each for each in examples if position.get(each.revision, -1) < border]
    rates = tried_on(way.rules(early), late)
    hits = rates.hit
    if hits.whole < LEAST_LATE_HITS or hits.high >= catch:
        return None
    return (
        f"of the latest {hits.whole} changes, a rule from before would have caught {hits.part}. "
        "What changes is no longer what changed: measure some revisions in full, and train again."
    )
