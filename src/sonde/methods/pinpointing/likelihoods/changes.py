"""What is in the solution cache, as changes of terms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, product
from math import log1p, sqrt

import numpy as np

from sonde.core.findings.pinpoints import TermChange
from sonde.core.options import Configuration, Literal, OptionName, Term
from sonde.methods.pinpointing.likelihoods.samples import Course
from sonde.methods.pinpointing.likelihoods.solution_cache import Association

MOST_TERMS = 16  # of a step, where several options have several values each
NINETY_PERCENT = 1.645  # deviations on both sides of the mean
ROUNDING = 1e-9  # a change of just the threshold is one


def changes(
    probabilities: Mapping[Association, float], courses: Sequence[Course], threshold: float, noise: float
) -> tuple[TermChange, ...]:
    """One change a step and term, in order; those that no configuration shows are left out.

    The paper tells no sizes. Here it is that of the configuration that shows a change most: the ratio of its
    nearest samples on both sides. Its interval allows for the noise of these two values, of which `noise` is
    the relative deviation of a run, and for nothing else: not for a further change between the samples, nor
    for the choice of the configuration, which favours large ratios. Medians of several runs deviate less.
    """
    found = []
    for step, associations in by_step(probabilities).items():
        around = [course for course in courses if _is_around(course, step)]
        terms = [part for term in terms_of(associations) for part in _seen_parts(term, around)]
        for term in dict.fromkeys(terms):
            own = [each for each in associations if _belongs(each, term)]
            change = _change(step, term, min(probabilities[each] for each in own), around, threshold, noise)
            if change is not None:
                found.append(change)
    return tuple(found)


def _seen_parts(term: Term, courses: Iterable[Course]) -> list[Term]:
    """The term, or its largest parts that hold in some measured configuration, where all of it never does."""
    held = dict.fromkeys(_held(course.configuration, term) for course in courses)
    return [part for part in held if (part or not term) and not any(part < other for other in held)]


def _held(configuration: Configuration, term: Term) -> Term:
    return frozenset(each for each in term if configuration[each.option] == each.value)


def by_step(associations: Iterable[Association]) -> dict[int, list[Association]]:
    """The associations of each step, in order: several with one step are an interaction (section 3)."""
    grouped: dict[int, list[Association]] = {}
    for each in sorted(associations, key=lambda one: (one.step, str(one.literal or ""))):
        grouped.setdefault(each.step, []).append(each)
    return grouped


def terms_of(associations: Iterable[Association]) -> list[Term]:
    """The terms that a step changes: the core, and all literals together.

    Two values of one option cannot hold together; then there is a term for each of them.
    """
    values: dict[OptionName, list[Literal]] = {}
    terms: list[Term] = []
    for each in associations:
        if each.literal is None:
            terms.append(frozenset())
        else:
            values.setdefault(each.literal.option, []).append(each.literal)
    if values:
        terms += map(frozenset, islice(product(*values.values()), MOST_TERMS))
    return terms


def _belongs(association: Association, term: Term) -> bool:
    return association.literal in term if term else association.literal is None


def _change(
    step: int, term: Term, probability: float, courses: Sequence[Course], threshold: float, noise: float
) -> TermChange | None:
    """The change of a term, from the nearest samples on both sides of the step; None if nothing shows it."""
    holding = [course for course in courses if _held(course.configuration, term) == term]
    ratios = np.array([_ratio(course, step) for course in holding])
    least = log1p(threshold) * (1 - ROUNDING)
    seen = [course for course, ratio in zip(holding, ratios, strict=True) if abs(ratio) >= least]
    if not seen:
        return None
    best = int(np.argmax(np.abs(ratios)))
    effect, leeway = float(ratios[best]), NINETY_PERCENT * sqrt(2) * noise
    earliest, latest = _range(step, seen)
    before, after = _gap(holding[best], step)
    return TermChange(
        position=step,
        earliest=earliest,
        latest=latest,
        term=term,
        effect=effect,
        effect_low=effect - leeway,
        effect_high=effect + leeway,
        probability=probability,
        shown_in=holding[best].configuration,
        configurations=len(holding),
        before=before,
        after=after,
    )


def _is_around(course: Course, step: int) -> bool:
    return bool(course.measured[0] < step <= course.measured[-1])


def _range(step: int, seen: Sequence[Course]) -> tuple[int, int]:
    """Where a change may lie: in the gaps of all that show it."""
    gaps = [_gap(course, step) for course in seen]
    return max(before for before, _ in gaps) + 1, min(after for _, after in gaps)


def _gap(course: Course, step: int) -> tuple[int, int]:
    """The last measured step before, and the first one that is `step` or after it."""
    after = int(np.searchsorted(course.measured, step))
    return int(course.measured[after - 1]), int(course.measured[after])


def _ratio(course: Course, step: int) -> float:
    """How the value changes at a step, as log."""
    after = int(np.searchsorted(course.measured, step))
    return float(np.log(course.values[after]) - np.log(course.values[after - 1]))
