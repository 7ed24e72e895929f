"""Narrowing down where a range got slower: the planner of histories chooses, a probe answers."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sonde.core.events import Noted
from sonde.core.points import Request
from sonde.core.protocols import Watcher
from sonde.core.results import Failed, Measurement, Result, Stage
from sonde.core.revisions import History
from sonde.methods.comparison.bisecting import largest_step, most_probes
from sonde.methods.history_sampling.bisecting import Bisecting
from sonde.methods.history_sampling.facts import Pick, SeriesFacts, SubjectFacts
from sonde.methods.history_sampling.planner import HistoryPlanner
from sonde.methods.history_sampling.policy import Inferred, Shift
from sonde.methods.history_sampling.series import Series

MOST_UNDECIDED = 4  # revisions that can be run, but of which nothing can be said; they take the longest
NO_VALUE = Failed(Stage.RUN, "it has no positive value")

Probe = Callable[[Request], Measurement | Failed]


@dataclass(frozen=True)
class Located:
    """The level steps most at one of the revisions from `earliest` to `latest`, as positions."""

    before: int  # the last position that is known to lie before the step
    earliest: int
    latest: int
    height: float  # of the step, as a logarithm
    whole: float  # from one end of the range to the other
    probed: int  # revisions that were looked at on the way and have a level
    silent: Mapping[int, Failed]  # positions from `earliest` on of which nothing can be said, and why
    is_cut: bool  # whether it ended before it was done, for it had taken too long


def locate(
    series: Series, revisions: History, known: Iterable[Result], probe: Probe, watcher: Watcher
) -> Located:
    """Probe where the largest known step is halved, until it is down to one revision or nothing is left.

    `known` are the results of both ends, which must have values, and anything else that is known: that is
    free. Where the range has one step, its halves tell where it is; where it has several, the larger half is
    followed, and what was left behind is taken up again if it hides a larger step than was found.
    """
    planner = HistoryPlanner([series], len(revisions), LargestStep())
    kinds = dict(zip(series.revisions, series.kinds, strict=True))
    failures: dict[Hashable, Failed] = {}

    def tell(result: Result) -> None:
        planner.tell([result])
        if isinstance(result.outcome, Failed):
            failures[kinds[result.point.revision]] = result.outcome

    for result in known:
        tell(result)
    most = most_probes(_facts(planner).steps)
    probed = failed = undecided = 0
    while max(probed, failed) < most and undecided < MOST_UNDECIDED and (requests := planner.ask(1)):
        (request,) = requests
        outcome = probe(request)
        tell(Result(request.point, outcome))
        probed += isinstance(outcome, Measurement)
        failed += isinstance(outcome, Failed)
        undecided += isinstance(outcome, Failed) and not outcome.is_lasting
        watcher.notice(Noted(_progress(_facts(planner), revisions)))
    facts = _facts(planner)
    shift = _shift(facts)
    inside = facts.failed[(facts.failed >= shift.earliest) & (facts.failed < shift.latest)]
    return Located(
        int(facts.places[shift.earliest - 1]),
        int(facts.places[shift.earliest]),
        int(facts.places[shift.latest]),
        shift.after - shift.before,
        float(facts.logs[-1] - facts.logs[0]),
        probed,
        {
            place: failures.get(kinds[revisions[place].id], NO_VALUE)
            for place in facts.places[inside].tolist()
        },
        is_cut=bool(facts.is_open[shift.earliest : shift.latest].any()),
    )


def _progress(facts: SeriesFacts, revisions: History) -> str:
    shift = _shift(facts)
    first, last = int(facts.places[shift.earliest]), int(facts.places[shift.latest])
    if first == last:
        return f"the change is at {revisions[last].short}"
    return (
        f"the change is in {revisions[first].short} to {revisions[last].short}, {last - first + 1} revisions"
    )


class LargestStep:
    """The policy of one who looks for the largest step of each series, and for nothing else."""

    def choose(self, facts: SubjectFacts, at_most: int) -> Sequence[Pick]:
        """The middle of the range in which the largest step lies."""
        return Bisecting(self).choose(facts, at_most)

    def infer(self, facts: SubjectFacts) -> Sequence[Inferred | None]:
        """The largest step of each series that has two values; between samples, lines."""
        return [_inferred(series) if len(series.measured) > 1 else None for series in facts.series]


def _inferred(series: SeriesFacts) -> Inferred:
    course = np.interp(np.arange(series.steps), series.measured, series.logs)
    return Inferred(course, course, course, (_shift(series),))


def _shift(series: SeriesFacts) -> Shift:
    at = largest_step(series.logs.tolist())
    before, after = int(series.measured[at]), int(series.measured[at + 1])
    height = float(series.logs[at + 1] - series.logs[at])
    return Shift(after, before + 1, after, float(series.logs[at]), float(series.logs[at + 1]), height, height)


def _facts(planner: HistoryPlanner) -> SeriesFacts:
    return planner.facts().series[0]
