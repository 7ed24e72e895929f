"""Python as the frame wants it: subjects, their files, what is true of them, whether they are valid."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from studies.impact.generated.python.counting import count_alone, count_children, hot_functions
from studies.impact.generated.python.drawing.program import draw_program
from studies.impact.generated.python.edits import draw_edit
from studies.impact.generated.python.nodes import Program
from studies.impact.generated.python.rendering import render
from studies.impact.generated.python.simpler import simpler, unwrapped
from studies.impact.generated.python.starting import PACKAGE, cases, start_of, write
from studies.impact.generated.python.tidying import tidied
from studies.impact.generated.subjects import Drawn, Invalid, Subject
from studies.impact.generated.trees import Side, merge, project
from studies.impact.generated.truth import Effect, Truth

LEVEL = "python3"  # there is one way only to build a program
# The interpreter compiles the program in each run, so that a comment counts; and where objects lie is not the
# same in each run. Both stay below a fiftieth of the threshold.
NOISE = 0.0002

_RECIPE = """\
[build]
command = "true"
outputs = {outputs}

[benchmarks.run]
command = "{command} {{options}}"
metric = "instructions"
"""


@dataclass(frozen=True)
class PythonLanguage:
    """Programs in Python, run by the interpreter that benchmarks find."""

    name: str = "python"

    def draw(self, rng: random.Random) -> Drawn:
        """A program and an edit of it."""
        drawn = draw_program(rng)
        edited = draw_edit(rng, drawn.program)
        sides, name = (drawn.program, edited.program), edited.name
        if rng.random() < 0.5:  # so that a deleted statement is an added one, too
            sides, name = (edited.program, drawn.program), f"{edited.name}, undone"
        subject = Subject(drawn.options, drawn.constraints, merge(*sides))
        return Drawn(subject, name, edited.is_meant_harmless)

    def files(self, subject: Subject, side: Side) -> Mapping[str, str]:
        """The modules."""
        return render(program_of(subject, side))

    def recipe(self, subject: Subject) -> str:
        """Build and benchmark."""
        files = self.files(subject, Side.BASE)
        start = start_of(files)
        if start == PACKAGE:
            command, outputs = f"env PYTHONPATH={{build}} python3 -m {PACKAGE}", [PACKAGE]
        else:
            command, outputs = f"python3 {{build}}/{start}", list(files)
        return _RECIPE.format(command=command, outputs=json.dumps(outputs))

    def count(self, subject: Subject, folder: Path) -> Truth | Invalid:
        """Every configuration of both sides, and the hot functions by their lines."""
        configurations = tuple(subject.space.configurations())
        wanted = []
        for side in Side:
            files = self.files(subject, side)
            write(files, folder / side.value)
            wanted.append(cases(files, folder / side.value, subject.options, configurations))
        base, head = wanted
        hot, other = hot_functions(base, folder), hot_functions(head, folder)
        for failed in (hot, other):
            if isinstance(failed, Invalid):
                return failed
        counts = count_children([*base, *head], folder)
        alone = count_alone(base[0], folder)
        if isinstance(counts, Invalid):
            return counts
        if isinstance(alone, Invalid):
            return alone
        assert not isinstance(hot, Invalid)
        start = alone - counts[0]
        names = [str(each) for each in configurations]
        pairs = zip(names, counts[: len(names)], counts[len(names) :], strict=True)
        effects = {name: Effect(before + start, after + start) for name, before, after in pairs}
        return Truth({LEVEL: effects}, LEVEL, hot, NOISE)

    def count_briefly(self, subject: Subject, folder: Path) -> Truth | Invalid:
        """The same: lines take little time, and say whether a program ends."""
        return self.count(subject, folder)

    def check(self, subject: Subject, folder: Path) -> Invalid | None:
        """Nothing is undefined in Python; what fails or does not end is not counted."""
        return None

    def simpler(self, node: object) -> Iterator[object]:
        """Smaller statements and expressions."""
        return simpler(node)

    def tidied(self, program: object) -> object:
        """Without definitions and imports that nobody names."""
        return tidied(program)

    def unwrapped(self, node: object) -> Iterator[tuple[object, ...]]:
        """The blocks of a statement."""
        return unwrapped(node)


def program_of(subject: Subject, side: Side) -> Program:
    """One of the two programs."""
    found = project(subject.program, side)
    assert isinstance(found, Program)
    return found
