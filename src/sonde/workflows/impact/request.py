"""What `sonde impact` is asked for."""

from __future__ import annotations

from dataclasses import dataclass

from sonde.core.errors import UsageError
from sonde.methods.impact.hot.profiles import LEAST_SHARE
from sonde.methods.impact.question import AnalysisSettings, By
from sonde.workflows.thresholds import share_in


@dataclass(frozen=True)
class ImpactRequest:
    """What is asked, beside benchmarks and configurations."""

    revision: str = ""  # empty: the end of the branch
    base: str = ""  # empty: its first parent
    hot: tuple[str, ...] = ()  # empty: as profiles tell
    implicit_depth: int = 1
    is_conservative: bool = False
    is_paper: bool = False
    hot_share: float = LEAST_SHARE  # of a profile, from which on a function is hot
    compile_commands: str = ""  # a file of the work tree; empty: the build tells

    @property
    def settings(self) -> AnalysisSettings:
        """The same for the method."""
        if self.is_paper:
            return AnalysisSettings(implicit_depth=0, is_conservative=self.is_conservative, by=By.PAPER)
        return AnalysisSettings(implicit_depth=self.implicit_depth, is_conservative=self.is_conservative)


def parse_hot_share(text: str) -> float:
    """The share of a profile from which on a function is hot; the usual one if nothing is written."""
    share = share_in(text) if text else LEAST_SHARE
    if share is None:
        raise UsageError(f"--hot-share {text}: write a share above 0% and below 100%, such as 5%.")
    return share
