"""What a profile tells apart: functions of the build, and of everything else."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

from sonde.core.evidence import Place


class Elsewhere(NamedTuple):
    """A function of a file that is not of the build."""

    file: str  # its path, or `???` if the code is of no file
    function: str


class Nameless(NamedTuple):
    """Code of the build that no function is known for."""

    output: str


Node = Place | Elsewhere | Nameless


@dataclass
class CallGraph:
    """The cost of functions themselves, and of their calls with everything below."""

    own: defaultdict[Node, int] = field(default_factory=lambda: defaultdict(int))
    calls: defaultdict[tuple[Node, Node], int] = field(default_factory=lambda: defaultdict(int))
    costs: defaultdict[tuple[Node, Node], int] = field(default_factory=lambda: defaultdict(int))
