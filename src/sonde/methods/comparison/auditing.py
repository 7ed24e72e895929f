"""Audits: cases that were left out are drawn at random and measured, to learn how often that is wrong."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from math import log1p
from random import Random

from sonde.core.findings.comparisons import AuditOutcome, AuditTally, Case, Compared, Verdict
from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName
from sonde.methods.comparison.exact import EXACT_METRICS
from sonde.methods.comparison.patterns import TIME_ALONE, TOLD, UNDECIDED, shared_term
from sonde.numerics.shares import most_share
from sonde.space.samplers.uniform import MISSES, by_random_values
from sonde.space.space import Space

CONFIDENCE = 0.95  # of the bound of a tally
FEW = 10_000  # cases that are quickly listed
MOVES = 0.25  # of the threshold
REGRESSIONS = (Verdict.SLOWER, Verdict.FAILS)


def draw_cases(
    space: Space,
    benchmarks: Sequence[BenchmarkName],
    excluded: Collection[Case],
    at_most: int,
    rng: Random,
) -> tuple[Case, ...]:
    """Up to `at_most` valid cases that are not `excluded`, each set of them as probable as any other.

    Only where the space has a diagram; elsewhere some cases are likelier than others. The first ones stay the
    same if more are wanted.
    """
    diagram, known = space.diagram, set(excluded)
    if diagram is None:
        return _by_random_values(space, benchmarks, known, at_most, rng)
    if diagram.count * len(benchmarks) <= max(FEW, 2 * (at_most + len(known))):
        configurations = space.configurations() if diagram.count else ()
        every = [Case(benchmark, each) for each in configurations for benchmark in benchmarks]
        rng.shuffle(every)
        return tuple(case for case in every if case not in known)[:at_most]
    found: dict[Case, None] = {}  # an ordered set
    while len(found) < at_most:  # more than half of all cases can be drawn
        case = Case(rng.choice(benchmarks), diagram.sample(rng))
        if case not in known:
            found[case] = None
    return tuple(found)


def _by_random_values(
    space: Space, benchmarks: Sequence[BenchmarkName], known: Collection[Case], at_most: int, rng: Random
) -> tuple[Case, ...]:
    """Cases in configurations that are not drawn uniformly; fewer than wanted if they only repeat."""
    found: dict[Case, None] = {}
    misses = 0
    while len(found) < at_most and misses < MISSES:
        drawn = [Case(rng.choice(benchmarks), each) for each in by_random_values(space, 1, rng)]
        new = [case for case in drawn if case not in known and case not in found]
        misses = 0 if new else misses + 1
        found |= dict.fromkeys(new)
    return tuple(found)


def moves(compared: Iterable[Compared]) -> bool:
    """Whether counts change, and none so far that it is told as a regression."""
    found = list(compared)
    if any(each.verdict in REGRESSIONS for each in found):
        return False
    return any(
        each.metric in EXACT_METRICS
        and each.ratio is not None
        and abs(each.ratio.log) >= MOVES * log1p(each.threshold)
        for each in found
    )


def most_grown(compared: Iterable[Compared]) -> Case:
    """The case whose count grows most; of several, the first one."""
    found = [each for each in compared if each.metric in EXACT_METRICS and each.ratio is not None]
    return max(found, key=lambda each: each.ratio.log if each.ratio else 0.0).case


def cases_beside(space: Space, case: Case) -> Iterator[Case]:
    """The valid cases that differ from it in the value of one option."""
    chosen = case.configuration.chosen
    for option in space.options:
        for value in option.values:
            if value != chosen[option.name]:
                configuration = Configuration.of({**chosen, option.name: value})
                if space.is_valid(configuration):
                    yield Case(case.benchmark, configuration)


def outcome_of(audited: Compared, measured: Sequence[Compared], unchanged: Iterable[Case]) -> AuditOutcome:
    """What an audited case says, beside the cases that were measured anyway and those proven `unchanged`.

    A change is no surprise where measured cases of the benchmark have the same verdict for what may be the
    same reason: a term that holds in all of them and in the audited case, and in no unchanged case. Where no
    term explains the measured ones alone, the report names none, so that nothing contradicts it.
    """
    if audited.verdict in UNDECIDED:
        return AuditOutcome.UNDECIDED
    if audited.verdict not in TOLD or audited.verdict in TIME_ALONE:
        return AuditOutcome.UNCHANGED
    own = [each for each in measured if each.case.benchmark == audited.case.benchmark]
    alike = [each.case.configuration for each in own if each.verdict is audited.verdict]
    others = [each.case.configuration for each in own if each.verdict not in (audited.verdict, *UNDECIDED)]
    others += [case.configuration for case in unchanged if case.benchmark == audited.case.benchmark]
    if not alike:
        return AuditOutcome.MISSED
    is_explained = shared_term(alike, others) is not None
    if is_explained and shared_term([*alike, audited.case.configuration], others) is None:
        return AuditOutcome.MISSED
    return AuditOutcome.REPORTED


def tally_of(outcomes: Iterable[AuditOutcome]) -> AuditTally:
    """How often leaving out was wrong; undecided audits count neither way."""
    every = list(outcomes)
    undecided = every.count(AuditOutcome.UNDECIDED)
    audited, missed = len(every) - undecided, every.count(AuditOutcome.MISSED)
    return AuditTally(missed, audited, most_share(missed, audited, CONFIDENCE), CONFIDENCE, undecided)
