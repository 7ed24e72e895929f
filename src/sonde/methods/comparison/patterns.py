"""What the configurations that changed have in common."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations

from sonde.core.findings.comparisons import Case, CasePattern, Compared, Verdict
from sonde.core.options import Configuration, OptionName, Term

TOLD = (
    Verdict.SLOWER,
    Verdict.FAILS,
    Verdict.NO_MORE_WORK,
    Verdict.DEPENDS,
    Verdict.FASTER,
    Verdict.MENDED,
    Verdict.NO_LESS_WORK,
)
TIME_ALONE = (Verdict.NO_MORE_WORK, Verdict.NO_LESS_WORK, Verdict.DEPENDS)  # not by what is executed
UNDECIDED = (Verdict.INCONCLUSIVE, Verdict.BROKEN)  # they may well be like those that are told
LONGEST_TERM = 3


def find_patterns(
    compared: Sequence[Compared], unchanged: Iterable[Case] = (), related: Collection[OptionName] = ()
) -> tuple[CasePattern, ...]:
    """A pattern for each benchmark and each verdict that is worth reporting, regressions first.

    Cases that are proven `unchanged` were not measured, but say as much about where a change is not. Where
    several options explain a pattern equally well, those that are known to be `related` count first.
    """
    proven = list(unchanged)
    found = []
    for verdict in TOLD:
        for benchmark in dict.fromkeys(each.case.benchmark for each in compared):
            own = [each for each in compared if each.case.benchmark == benchmark]
            if any(each.verdict is verdict for each in own):
                still = [each.configuration for each in proven if each.benchmark == benchmark]
                found.append(_pattern(verdict, own, still, related))
    return tuple(found)


def _pattern(
    verdict: Verdict,
    compared: Sequence[Compared],
    proven: Sequence[Configuration],
    related: Collection[OptionName],
) -> CasePattern:
    changed = [each for each in compared if each.verdict is verdict]
    known = [each for each in compared if each.verdict not in (verdict, *UNDECIDED)]
    others = [each.case.configuration for each in known]
    others += proven
    term = shared_term([each.case.configuration for each in changed], others, related)
    by_size = sorted(changed, key=_size)
    least, most = by_size[0], by_size[-1]
    return CasePattern(
        changed[0].case.benchmark,
        verdict,
        term,
        len(changed),
        len(compared),
        least.ratio,
        most.ratio,
        most.case,
        most.modes,
    )


def _size(compared: Compared) -> float:
    """How much changed: in the set-ups that show it, if it depends on them."""
    if compared.modes is not None:
        return abs(compared.modes.change)
    return abs(compared.ratio.log) if compared.ratio else 0.0


def shared_term(
    changed: Sequence[Configuration],
    others: Sequence[Configuration],
    related: Collection[OptionName] = (),
) -> Term | None:
    """The smallest term that holds in all that changed and in none of the others; the empty one if all did.

    Of several, one of `related` options, and then the one whose literals are rarest among the others. None if
    no term of three literals tells them apart.
    """
    if not others:
        return frozenset()
    common = frozenset.intersection(*map(frozenset, changed))
    telling = sorted((each for each in common if not all(each in set(other) for other in others)), key=str)
    for size in range(1, LONGEST_TERM + 1):
        fitting = [term for term in map(frozenset, combinations(telling, size)) if not _any(term, others)]
        if fitting:
            return min(
                fitting,
                key=lambda term: (
                    sum(literal.option not in related for literal in term),
                    _rareness(term, others),
                    sorted(map(str, term)),
                ),
            )
    return None


def _any(term: Term, configurations: Iterable[Configuration]) -> bool:
    return any(term <= frozenset(each) for each in configurations)


def _rareness(term: Term, others: Sequence[Configuration]) -> int:
    return sum(literal in set(other) for literal in term for other in others)
