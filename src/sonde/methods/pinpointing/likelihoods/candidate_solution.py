"""The candidate solution of an iteration: section 3.3 as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sonde.methods.pinpointing.likelihoods.association import OptionColumns, associated
from sonde.methods.pinpointing.likelihoods.candidates import bandwidth, candidate_steps
from sonde.methods.pinpointing.likelihoods.likelihood import Floats, likelihoods
from sonde.methods.pinpointing.likelihoods.peaks import peaks
from sonde.methods.pinpointing.likelihoods.samples import Course
from sonde.methods.pinpointing.likelihoods.settings import PaperSettings
from sonde.methods.pinpointing.likelihoods.solution_cache import Association


@dataclass(frozen=True, eq=False)
class ConfigurationLikelihoods:
    """A configuration with its likelihoods, the first of which is that of the first step it exists in."""

    course: Course
    likelihood: Floats

    @property
    def mean_gap(self) -> float:
        """The mean distance of two neighbouring samples, in steps."""
        return (self.course.end - self.course.first) / (len(self.course.measured) + 1)

    def covers(self, step: int) -> bool:
        """Whether it can change there: it exists there and before, and two of its steps are known."""
        return self.course.first < step < self.course.end and len(self.course.measured) >= 2

    def at(self, step: int) -> float:
        """The likelihood of a step that it covers."""
        return float(self.likelihood[step - self.course.first])


def estimate(course: Course, threshold: float) -> ConfigurationLikelihoods:
    """The likelihoods of a configuration, over the steps in which it exists."""
    life = course.end - course.first
    return ConfigurationLikelihoods(
        course, likelihoods(course.measured - course.first, course.values, life, threshold)
    )


def candidate_solution(
    estimates: Sequence[ConfigurationLikelihoods], columns: OptionColumns, steps: int, settings: PaperSettings
) -> list[Association]:
    """What seems to have changed, by step."""
    tops = [peaks(each.likelihood, settings.peak_factor) + each.course.first for each in estimates]
    rows = columns.of([each.course.configuration for each in estimates])
    solution: list[Association] = []
    width = bandwidth([each.mean_gap for each in estimates])
    for step in candidate_steps(tops, steps, width):
        covering = [at for at, each in enumerate(estimates) if each.covers(step)]
        targets = np.array([estimates[at].at(step) for at in covering], dtype=np.float64)
        influences = columns.influences(rows[covering], targets, settings.folds)
        literals, is_core = associated(influences, settings.influence_factor)
        solution += [Association(step, literal) for literal in literals]
        if is_core:
            solution.append(Association(step, None))
    return solution
