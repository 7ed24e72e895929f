"""What the product says about a subject: values that go into a record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from studies.impact.generated.truth import ConfigurationName


@dataclass(frozen=True)
class ImpactAnswer:
    """The answer of `sonde impact`."""

    is_relevant: bool
    related: tuple[str, ...]
    configurations: tuple[ConfigurationName, ...]  # to measure
    hot: tuple[str, ...]
    seconds: float
    error: str = ""  # why there is no answer


@dataclass(frozen=True)
class CheckAnswer:
    """The answer of `sonde check`."""

    exit_code: int
    verdicts: Mapping[ConfigurationName, str]  # of what was measured
    reasons: tuple[str, ...]  # why the others were not
    seconds: float
    error: str = ""


@dataclass(frozen=True)
class Answers:
    """All answers; without a question there is no answer."""

    impact: ImpactAnswer | None = None  # hot code from profiles
    hot_given: ImpactAnswer | None = None  # hot code as it is in truth
    check: CheckAnswer | None = None
