"""Which terms changed at which release, by regression on all points of a recording.

This is what findings from a few of the points are compared with. Each step from a release to the next is
explained twice (see `step_terms`), once by terms that multiply performance and once by terms that add to
it, and the better explanation is taken. A term counts if its effect is at least the threshold, and well
above the noise.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log1p

import numpy as np

from sonde.core.options import Term
from studies.pinpoint.extents import Extents
from studies.pinpoint.releases import Releases
from studies.pinpoint.step_terms import ADDED, MULTIPLIED, explain_step

THRESHOLD = 0.05
ABOVE_NOISE = 3.0  # standard errors


@dataclass(frozen=True)
class FoundTerm:
    """From `revision` on, performance differs where `term` holds."""

    revision: int
    term: Term
    effect: float  # log ratio, in a configuration in which it shows well
    share: float  # of the configurations, in which it holds


@dataclass(frozen=True)
class Step:
    """What was found between two releases."""

    revision: int  # the later one
    scale: str  # MULTIPLIED or ADDED
    terms: tuple[FoundTerm, ...]  # those that count, what explains most first
    smaller: tuple[FoundTerm, ...]  # those with less effect
    size: float  # root mean square of the log steps
    residuals: tuple[float, float]  # that of what is left, when multiplied and when added
    noise: float

    def __str__(self) -> str:
        shown = [f"{_shown(each.term)} {np.expm1(each.effect):+.0%}" for each in self.terms]
        return ", ".join(shown) or ("smaller ones" if self.smaller else "-")


def find_steps(releases: Releases, extents: Extents, threshold: float = THRESHOLD) -> tuple[Step, ...]:
    """What every release changed, in order."""
    return tuple(_step(releases, extents, at, threshold) for at in range(1, len(releases.revisions)))


def _step(releases: Releases, extents: Extents, at: int, threshold: float) -> Step:
    is_known = np.isfinite(releases.values[:, at - 1 : at + 1]).all(axis=1)
    before, after = releases.values[is_known, at - 1 : at + 1].T
    holding = extents.matrix[is_known]
    noise = releases.noise(at)
    both = [explain_step(scale, before, after, holding, extents, noise) for scale in (MULTIPLIED, ADDED)]
    best = min(both, key=lambda each: each.cost)
    found = [
        FoundTerm(releases.revisions[at], extents.terms[column], float(effect), holding[:, column].mean())
        for column, effect in zip(best.chosen, best.effects, strict=True)
    ]
    found.sort(key=lambda each: -each.share * each.effect**2)
    does_count = [_counts(each, len(before), noise, threshold) for each in found]
    return Step(
        releases.revisions[at],
        best.scale,
        tuple(each for each, counts in zip(found, does_count, strict=True) if counts),
        tuple(each for each, counts in zip(found, does_count, strict=True) if not counts),
        float(np.sqrt(np.mean(np.log(after / before) ** 2))),
        (both[0].residual, both[1].residual),
        noise,
    )


def _counts(found: FoundTerm, configurations: int, noise: float, threshold: float) -> bool:
    error = noise / np.sqrt(found.share * configurations)
    return bool(abs(found.effect) >= max(log1p(threshold), ABOVE_NOISE * error))


def _shown(term: Term) -> str:
    return " & ".join(sorted(map(str, term))) or "core"
