"""What `sonde impact` is asked for."""

from __future__ import annotations

from dataclasses import dataclass

from sonde.methods.impact.question import AnalysisSettings, By


@dataclass(frozen=True)
class ImpactRequest:
    """What is asked, beside benchmarks and configurations."""

    revision: str = ""  # empty: the end of the branch
    base: str = ""  # empty: its first parent
    hot: tuple[str, ...] = ()  # empty: as profiles tell
    implicit_depth: int = 1
    is_conservative: bool = False
    is_paper: bool = False
    compile_commands: str = ""  # a file of the work tree; empty: the build tells

    @property
    def settings(self) -> AnalysisSettings:
        """The same for the method."""
        if self.is_paper:
            return AnalysisSettings(implicit_depth=0, is_conservative=self.is_conservative, by=By.PAPER)
        return AnalysisSettings(implicit_depth=self.implicit_depth, is_conservative=self.is_conservative)
