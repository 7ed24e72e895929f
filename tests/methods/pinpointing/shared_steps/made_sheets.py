"""Small sheets, and the plain loops that the fast sums are compared with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import exp, inf, log, sqrt
from statistics import fmean, median

import numpy as np
from hypothesis import strategies as st

from sonde.core.options import Configuration, Option
from sonde.methods.pinpointing.search import DemandResult, SearchProblem
from sonde.methods.pinpointing.shared_steps.belief.alphabet import Alphabet, TermKey
from sonde.methods.pinpointing.shared_steps.belief.arrays import Array
from sonde.methods.pinpointing.shared_steps.belief.boundary import Boundary
from sonde.methods.pinpointing.shared_steps.belief.knowledge import Knowledge
from sonde.methods.pinpointing.shared_steps.belief.settings import SearchSettings
from sonde.methods.pinpointing.shared_steps.belief.sheet import Sheet
from sonde.methods.pinpointing.shared_steps.belief.table import SumTable
from sonde.space.space import Space

SPACE = Space(
    (
        Option("a", (False, True), False),
        Option("b", (False, True), False),
        Option("level", (1, 5, 9), 1),
    )
)
ALPHABET = Alphabet(SPACE)
CONFIGURATIONS = tuple(SPACE.configurations())
LOWEST = ALPHABET.row(SPACE.default)
STEPS = 12
NOISE_UNKNOWN = 1e-6

Course = Mapping[int, tuple[float, ...]]  # the log values of a configuration, by step


def all_terms(alphabet: Alphabet, longest: int) -> list[TermKey]:
    """Every term of so many literals or denials at most; of an option either one literal or some denials."""

    def is_sound(term: TermKey) -> bool:
        return not any(
            alphabet.option_of[one] == alphabet.option_of[other]
            and (alphabet.denies(one) is None or alphabet.denies(other) is None)
            for one, other in combinations(term, 2)
        )

    return [
        term
        for length in range(longest + 1)
        for term in combinations(range(alphabet.size), length)
        if is_sound(term)
    ]


def is_possible(key: TermKey, alphabet: Alphabet) -> bool:
    """Whether of no option all values are denied."""
    denied = [int(alphabet.option_of[index]) for index in key if alphabet.denies(index) is not None]
    return all(denied.count(option) < len(alphabet.options[option].values) for option in denied)


def does_hold(key: TermKey, configuration: Configuration, alphabet: Alphabet = ALPHABET) -> bool:
    for index in key:
        denied = alphabet.denies(index)
        literal = alphabet.literals[index if denied is None else denied]
        if (configuration[literal.option] == literal.value) == (denied is not None):
            return False
    return True


def heard(configuration: Configuration, course: Course, is_repeatable: bool = True) -> list[DemandResult]:
    return [
        DemandResult(step, configuration, tuple(exp(value) for value in values), is_repeatable)
        for step, values in course.items()
    ]


def failing(step: int, configuration: Configuration, is_whole: bool = False) -> DemandResult:
    return DemandResult(step, configuration, (), is_whole_revision=is_whole)


def knowledge_of(
    space: Space,
    answers: Iterable[DemandResult] = (),
    steps: int = STEPS,
    world: SearchProblem | None = None,
    settings: SearchSettings = SearchSettings(),  # noqa: B008 - it is frozen
) -> Knowledge:
    """What is known once this was heard."""
    default = SearchProblem(steps, space, lambda _: (0, steps))
    knowledge = Knowledge(default if world is None else world, settings)
    knowledge.sheet.hear(list(answers))
    return knowledge


@dataclass(frozen=True)
class MadeSheet:
    """What was measured, configuration by configuration."""

    courses: tuple[tuple[Configuration, Course], ...]
    floor: float = 0.0
    is_repeatable: bool = True

    def sheet(self) -> Sheet:
        sheet = Sheet(ALPHABET, LOWEST, STEPS, self.floor)
        for configuration, course in self.courses:
            sheet.hear(heard(configuration, course, self.is_repeatable))
        return sheet

    def table(self) -> SumTable:
        return self.sheet().table()

    @property
    def repeat_deviation(self) -> float:
        squares, freedom = 0.0, 0
        for _, course in self.courses:
            for values in course.values():
                squares += sum((value - fmean(values)) ** 2 for value in values)
                freedom += len(values) - 1
        return sqrt(squares / freedom) if freedom else 0.0

    @property
    def point_deviation(self) -> float:
        """Where nothing can be repeated, from what neighbours differ."""
        differences = [
            abs(course[after][0] - course[before][0])
            for _, course in self.courses
            for before, after in pairwise(sorted(course))
            if after - before <= 2 and course[after] != course[before]
        ]
        if self.is_repeatable or len(differences) < 5:
            return self.floor
        return max(self.floor, median(differences) / 0.6745 / sqrt(2))

    def variance(self, runs: int) -> float:
        """Of the mean of a point."""
        return self.point_deviation**2 + max(self.repeat_deviation, NOISE_UNKNOWN) ** 2 / runs

    @property
    def steps(self) -> list[int]:
        return sorted({step for _, course in self.courses for step in course})


def level_between(made: MadeSheet, course: Course, steps: Iterable[int]) -> tuple[float, float]:
    """Weighted mean of the points at these steps, and its variance; infinite where there is none."""
    weight, total = 0.0, 0.0
    for step in steps:
        if step in course:
            here = 1 / made.variance(len(course[step]))
            weight, total = weight + here, total + here * fmean(course[step])
    return (total / weight, 1 / weight) if weight else (0.0, inf)


def scattered(made: MadeSheet, course: Course, steps: Iterable[int]) -> float:
    """Variance of a level; larger where its points scatter more than the noise allows for."""
    there = [step for step in steps if step in course]
    mean, variance = level_between(made, course, there)
    freedom = len(there) - 1
    if freedom < 2:
        return variance
    squares = sum((fmean(course[step]) - mean) ** 2 / made.variance(len(course[step])) for step in there)
    excess = squares / freedom
    return variance * excess if excess > 1 + 4 * sqrt(2 / freedom) + 8 / freedom else variance


def affects(boundary: Boundary, configuration: Configuration) -> bool:
    return boundary.term is None or does_hold(boundary.term, configuration)


def sides_of(
    boundary: Boundary, others: Sequence[Boundary], configuration: Configuration
) -> tuple[list[int], list[int]]:
    """The steps before and after a boundary that belong to its own levels."""
    before = [step for step in range(STEPS) if step < boundary.earliest]
    after = [step for step in range(STEPS) if step >= boundary.latest]
    for other in others:
        if not affects(other, configuration):
            continue
        if other.earliest + other.latest <= boundary.earliest + boundary.latest:
            before = [step for step in before if step >= other.latest]
        else:
            after = [step for step in after if step < other.earliest]
    return before, after


def levels_only(level: Sequence[float] | Array) -> SumTable:
    """A table of which only the levels count."""
    lines = len(level)
    nothing, none = np.zeros((lines, 1)), np.zeros((lines, 1), dtype=np.int64)
    levels = np.array(level, dtype=float)
    return SumTable(
        np.zeros(0, dtype=np.int64),
        nothing,
        nothing,
        nothing,
        none,
        none,
        np.zeros((lines, 0), dtype=bool),
        levels,
        levels,
    )


logs = st.floats(-1, 1).map(lambda value: round(value, 3))
calm_logs = st.sampled_from([0.0, 0.004, 0.01, 0.013, 0.02, 0.045, 0.06, 0.9])  # some stand out
keys = st.sampled_from([key for key in all_terms(ALPHABET, 3) if is_possible(key, ALPHABET)])


@st.composite
def some_courses(draw, is_calm=False):
    steps = draw(st.lists(st.integers(0, STEPS - 1), min_size=1, max_size=STEPS, unique=True))
    runs = st.tuples(calm_logs) if is_calm else st.lists(logs, min_size=1, max_size=3)
    return {step: tuple(draw(runs)) for step in steps}


@st.composite
def some_sheets(draw, is_repeatable=True, is_calm=False):
    """Calm: single runs, which differ about as much as the noise allows for."""
    chosen = draw(st.lists(st.sampled_from(CONFIGURATIONS), min_size=1, max_size=5, unique=True))
    courses = tuple((each, draw(some_courses(is_calm or not is_repeatable))) for each in chosen)
    return MadeSheet(courses, draw(st.sampled_from([0.0, 0.01, 0.2])), is_repeatable)


@st.composite
def some_boundaries(draw):
    """Attributed, or not yet."""
    earliest = draw(st.integers(1, STEPS - 1))
    latest = draw(st.integers(earliest, min(STEPS - 1, earliest + 3)))
    return Boundary(earliest, latest, term=draw(st.none() | keys))


def log_gain(height: float, variance: float, step_variance: float) -> float:
    """Log density of a step that was drawn from N(0, step_variance), against that of none at all."""
    wide = step_variance + variance
    return -0.5 * height**2 / wide - 0.5 * log(wide) + 0.5 * height**2 / variance + 0.5 * log(variance)
