"""What a profile tells apart: functions of the build, and of everything else."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from sonde.core.evidence import ProfiledFunction


class Elsewhere(NamedTuple):
    """A function of a file that is not of the build."""

    file: str  # its path, or `???` if the code is of no file
    function: str


class NamelessCode(NamedTuple):
    """Code of the build that no function is known for."""

    output: str


Node = ProfiledFunction | Elsewhere | NamelessCode


class CodePiece(NamedTuple):
    """A piece of the code of a function of the build."""

    function: ProfiledFunction
    offset: int  # in bytes from the beginning of the function


@dataclass
class CallGraph:
    """The cost of functions themselves, and of their calls with everything below.

    Of functions of the build, also the cost of their instructions and of what these call elsewhere.
    """

    own: defaultdict[Node, int] = field(default_factory=lambda: defaultdict(int))
    calls: defaultdict[tuple[Node, Node], int] = field(default_factory=lambda: defaultdict(int))
    costs: defaultdict[tuple[Node, Node], int] = field(default_factory=lambda: defaultdict(int))
    instructions: defaultdict[CodePiece, int] = field(default_factory=lambda: defaultdict(int))
    calls_elsewhere: defaultdict[tuple[CodePiece, Elsewhere], int] = field(
        default_factory=lambda: defaultdict(int)
    )
