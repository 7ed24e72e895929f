"""What a profile shows of the code that ran: lines, or functions where lines are not known."""

from __future__ import annotations

from dataclasses import dataclass

from sonde.core.code import SourceLine
from sonde.core.code_lines import CodeLines
from sonde.core.evidence import Profile
from sonde.methods.impact.hot.line_costs import cost_lines
from sonde.methods.impact.hot.profiles import python_function


@dataclass(frozen=True)
class Seen:
    """The code that a run has executed, of one build."""

    lines: frozenset[SourceLine]  # that were executed
    compiled: frozenset[
        SourceLine
    ]  # that have code of their own: of those that were not executed, this is known
    is_complete: bool = True  # False: code that ran may be missing
    functions: frozenset[tuple[str, str]] | None = None  # of Python, with their files; None: lines are known


def see(profile: Profile, lines: CodeLines) -> Seen:
    """What a profile of machine code shows."""
    return Seen(frozenset(cost_lines(profile, lines).lines), lines.compiled, profile.is_complete)


def see_python(profile: Profile) -> Seen:
    """What a profile of Python shows."""
    functions = frozenset((python_function(place), place.output) for place in profile.activities)
    return Seen(frozenset(), frozenset(), profile.is_complete, functions)
