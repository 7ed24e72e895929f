"""Answers beside the truth: what was missed."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from math import log1p

from studies.impact.generated.answers import Answers, CheckAnswer, ImpactAnswer
from studies.impact.generated.truth import THRESHOLD, Truth

NEAR = 0.0003  # a log ratio as near to the threshold may fall on either side: folders have other names


class Miss(Enum):
    """How an answer is wrong."""

    NOT_RELEVANT = "a relevant change cannot reach hot code"
    NOT_KEPT = "no slowed configuration is among those to measure"
    GIVEN_NOT_RELEVANT = "with hot code given, a relevant change cannot reach it"
    GIVEN_NOT_KEPT = "with hot code given, no slowed configuration is among those to measure"
    PASSED = "the exit code is 0 although a configuration is slower"
    FALSE_ALARM = "the exit code is 1 although no configuration is slower"
    NO_ANSWER = "there is no answer"


def misses(truth: Truth, answers: Answers) -> frozenset[Miss]:
    """All that is wrong."""
    found: set[Miss] = set()
    if answers.impact is not None:
        found |= set(_about_impact(truth, answers.impact, Miss.NOT_RELEVANT, Miss.NOT_KEPT))
    if answers.hot_given is not None:
        found |= set(_about_impact(truth, answers.hot_given, Miss.GIVEN_NOT_RELEVANT, Miss.GIVEN_NOT_KEPT))
    if answers.check is not None:
        found |= set(_about_check(truth, answers.check))
    return frozenset(found)


def is_near(truth: Truth) -> bool:
    """Whether some configuration is so near to the threshold that nobody can say on which side it is."""
    edge = log1p(THRESHOLD)
    return any(abs(effect.log_ratio - edge) < NEAR for effect in truth.asked.values())


def _about_impact(truth: Truth, answer: ImpactAnswer, unseen: Miss, unkept: Miss) -> Iterator[Miss]:
    if answer.error:
        yield Miss.NO_ANSWER
    elif truth.is_relevant and not answer.is_relevant:
        yield unseen
    elif truth.slower and not truth.slower & set(answer.configurations):
        yield unkept


def _about_check(truth: Truth, answer: CheckAnswer) -> Iterator[Miss]:
    if answer.exit_code not in (0, 1):
        yield Miss.NO_ANSWER
    elif answer.exit_code == 0 and any(
        truth.asked[name].log_ratio > log1p(THRESHOLD) + NEAR for name in truth.slower
    ):
        yield Miss.PASSED
    elif answer.exit_code == 1 and not truth.slower and not is_near(truth):
        yield Miss.FALSE_ALARM
