"""C as the frame wants it: subjects, their files, what is true of them, whether they are valid."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sonde.space.words import Spelling
from studies.impact.generated.c.compiling import SANITIZED, WARNINGS, Objects
from studies.impact.generated.c.counting import count_alone, count_children, spellings, total_of
from studies.impact.generated.c.drawing.program import draw_program
from studies.impact.generated.c.edits import draw_edit
from studies.impact.generated.c.nodes import Function, Program
from studies.impact.generated.c.rendering import render
from studies.impact.generated.c.simpler import simpler, unwrapped
from studies.impact.generated.c.tidying import tidied
from studies.impact.generated.subjects import Drawn, Invalid, Subject
from studies.impact.generated.trees import Side, merge, project, walk
from studies.impact.generated.truth import Effect, Truth
from studies.impact.instructions import Count, read_costs

USERS, UNOPTIMISED = "-O2", "-O0"
_FLAGS = ("-O2 -g1", "-O2 -g1", "-O2", "-O2", "-O2 -g")
_SECONDS = 20  # of a run with sanitizers

_MAKEFILE = """\
CFLAGS = {flags}
OBJECTS = {objects}
app: $(OBJECTS)
\tcc $(CFLAGS) -o app $(OBJECTS)
$(OBJECTS): {headers}
"""

_RECIPE = """\
[build]
command = "make"
outputs = ["app"]

[benchmarks.run]
command = "{build}/app {options}"
metric = "instructions"
"""


@dataclass(frozen=True)
class CLanguage:
    """Programs in C, built with `cc`."""

    name: str = "c"

    def draw(self, rng: random.Random) -> Drawn:
        """A program and an edit of it."""
        drawn = draw_program(rng)
        edited = draw_edit(rng, drawn.program)
        sides, name = (drawn.program, edited.program), edited.name
        if rng.random() < 0.5:  # so that a deleted statement is an added one, too
            sides, name = (edited.program, drawn.program), f"{edited.name}, undone"
        subject = Subject(drawn.options, drawn.constraints, merge(*sides), rng.choice(_FLAGS))
        return Drawn(subject, name, edited.is_meant_harmless)

    def files(self, subject: Subject, side: Side) -> Mapping[str, str]:
        """Sources, headers and a makefile."""
        found = dict(_sources(subject, side))
        objects = " ".join(f"{name.removesuffix('.c')}.o" for name in found if name.endswith(".c"))
        headers = " ".join(name for name in found if name.endswith(".h"))
        return {
            **found,
            "Makefile": _MAKEFILE.format(flags=subject.flags, objects=objects, headers=headers),
        }

    def recipe(self, subject: Subject) -> str:
        """Build and benchmark."""
        return _RECIPE

    def count(self, subject: Subject, folder: Path) -> Truth | Invalid:
        """Every configuration of both sides, as users build it and unoptimised."""
        counting = _Counting(subject, Objects(folder))
        asked, unoptimised = counting.pair(USERS), counting.pair(UNOPTIMISED)
        if isinstance(asked, Invalid):
            return asked
        if isinstance(unoptimised, Invalid):
            return unoptimised
        effects = {USERS: asked.effects, UNOPTIMISED: unoptimised.effects}
        return Truth(effects, USERS, _hot(subject, unoptimised.written))

    def count_briefly(self, subject: Subject, folder: Path) -> Truth | Invalid:
        """Every configuration of both sides, as users build it."""
        asked = _Counting(subject, Objects(folder)).pair(USERS)
        return asked if isinstance(asked, Invalid) else Truth({USERS: asked.effects}, USERS)

    def check(self, subject: Subject, folder: Path) -> Invalid | None:
        """Compile with all warnings about what is undefined, and run with sanitizers."""
        configurations = tuple(subject.space.configurations())
        for side in Side:
            files = _sources(subject, side)
            strict = Objects(folder).program(files, ("-O2", *WARNINGS))
            if isinstance(strict, Invalid):
                return strict
            program = Objects(folder).program(files, SANITIZED)
            if isinstance(program, Invalid):
                return program
            for each in spellings(subject.options, configurations):
                failed = _run(program, each)
                if failed is not None:
                    return failed
        return None

    def simpler(self, node: object) -> Iterator[object]:
        """Smaller statements and expressions."""
        return simpler(node)

    def tidied(self, program: object) -> object:
        """Without functions, variables and types that nobody names."""
        return tidied(program)

    def unwrapped(self, node: object) -> Iterator[tuple[object, ...]]:
        """The blocks of a statement."""
        return unwrapped(node)


def program_of(subject: Subject, side: Side) -> Program:
    """One of the two programs."""
    found = project(subject.program, side)
    assert isinstance(found, Program)
    return found


def _sources(subject: Subject, side: Side) -> Mapping[str, str]:
    return render(program_of(subject, side))


@dataclass(frozen=True)
class _Counted:
    """What callgrind wrote of each configuration, and the totals with what comes before `main`."""

    written: Sequence[str]
    totals: Sequence[int]


@dataclass(frozen=True)
class _Pair:
    """The effects at one level of optimisation, and what callgrind wrote of the base."""

    effects: Mapping[str, Effect]
    written: Sequence[str]


@dataclass(frozen=True)
class _Counting:
    subject: Subject
    objects: Objects

    def pair(self, level: str) -> _Pair | Invalid:
        """Base and head, built at one level."""
        configurations = tuple(self.subject.space.configurations())
        wanted = spellings(self.subject.options, configurations)
        programs = []
        for side in Side:
            program = self.objects.program(_sources(self.subject, side), (level,))
            if isinstance(program, Invalid):
                return program
            programs.append(program)
        base = self._counted(programs[0], wanted)
        is_same = programs[0].read_bytes() == programs[1].read_bytes()
        head = base if is_same else self._counted(programs[1], wanted)
        if isinstance(base, Invalid):
            return base
        if isinstance(head, Invalid):
            return head
        pairs = zip(configurations, base.totals, head.totals, strict=True)
        return _Pair({str(each): Effect(before, after) for each, before, after in pairs}, base.written)

    def _counted(self, program: Path, wanted: Sequence[Spelling]) -> _Counted | Invalid:
        written = count_children(program, wanted, self.objects.folder)
        if isinstance(written, Invalid):
            return written
        alone = count_alone(program, wanted[0], self.objects.folder)
        if isinstance(alone, Invalid):
            return alone
        totals = [total_of(each) for each in written]
        before = alone - totals[0]
        return _Counted(written, [total + before for total in totals])


def _hot(subject: Subject, written: Sequence[str]) -> tuple[str, ...]:
    """The functions of the base that are hot in any configuration."""
    base = program_of(subject, Side.BASE)
    own = {node.name for _, node in walk(base) if isinstance(node, Function)}
    found: set[str] = set()
    for each in written:
        functions, calls = read_costs(each)
        kept = tuple((*pair, cost) for pair, cost in calls.items())
        found |= Count(functions.total(), functions, kept, 0, "").hot(own)
    return tuple(sorted(found))


def _run(program: Path, wanted: Spelling) -> Invalid | None:
    environment = {"PATH": os.defpath, "ASAN_OPTIONS": "detect_leaks=0", **wanted.variables}
    try:
        ended = subprocess.run(
            [program, *wanted.words], env=environment, capture_output=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return Invalid("takes too long")
    if ended.returncode:
        told = ended.stderr[-400:].decode(errors="replace")
        return Invalid(f"{' '.join(wanted.words)}: ends with {ended.returncode} {told}")
    return None
