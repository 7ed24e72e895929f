"""What is asked about two programs, and what is answered."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from sonde.core.code import Unit
from sonde.core.findings.impacts import Analysis, ChangedRoutine, Interaction, OptionImpact, Partition
from sonde.methods.impact.differences.lines import ChangedFileLines
from sonde.methods.impact.differences.programs import Differences, find_differences
from sonde.methods.impact.hot.code import Hotness
from sonde.methods.impact.options.variables import OptionInCode
from sonde.methods.impact.program.memory import SearchLimits


class By(Enum):
    """Whose definitions decide."""

    OURS = "ours"
    PAPER = "paper"  # as a baseline, see `paper`


@dataclass(frozen=True)
class AnalysisSettings:
    """How to look for ways."""

    implicit_depth: int = 1  # how many decisions may lie on a way
    is_conservative: bool = False  # options that only read what the change comes to are related as well
    limits: SearchLimits = field(default_factory=SearchLimits)
    by: By = By.OURS


@dataclass(frozen=True)
class Question:
    """Two programs, what is hot in them, and the options."""

    old: tuple[Unit, ...]
    new: tuple[Unit, ...]
    hot: tuple[Hotness, ...]
    options: tuple[OptionInCode, ...] = ()
    changed_lines: tuple[ChangedFileLines, ...] = ()
    settings: AnalysisSettings = field(default_factory=AnalysisSettings)
    words: frozenset[str] = frozenset()  # of the command line that options spell: `--level=9`, `-v`
    fixed_words: tuple[str, ...] | None = None  # of every run, beside those of options; None: unknown ones
    warm: tuple[Hotness, ...] = ()  # counts as hot where the change cannot reach what is hot

    def differences(self) -> Differences:
        """What differs between the programs."""
        return find_differences(self.old, self.new, self.changed_lines, self.words)


@dataclass(frozen=True)
class Answer:
    """What was found."""

    interactions: tuple[Interaction, ...]
    changed: tuple[ChangedRoutine, ...]
    options: tuple[OptionImpact, ...]
    analysis: Analysis
    warnings: tuple[str, ...] = ()
    partition: Partition | None = None  # which configurations are alike; None: that is not known

    @property
    def is_relevant(self) -> bool:
        """Whether the change can reach hot code."""
        return bool(self.interactions)
