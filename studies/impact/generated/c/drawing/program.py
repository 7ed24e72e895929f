"""Draws a whole program: options and their homes, settings, small functions, stages, main."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from sonde.core.options import Option
from studies.impact.generated.c.drawing.cold import add_unused, message, refusal, self_test
from studies.impact.generated.c.drawing.config import make_config, place_config
from studies.impact.generated.c.drawing.derived import add_derived
from studies.impact.generated.c.drawing.draft import Draft, Style
from studies.impact.generated.c.drawing.homes import Home, keep_knobs, local_declaration
from studies.impact.generated.c.drawing.names import Names
from studies.impact.generated.c.drawing.reading import draw_reading
from studies.impact.generated.c.drawing.scopes import Sized
from studies.impact.generated.c.drawing.stages import Stage, add_stage
from studies.impact.generated.c.drawing.stages.making import Private
from studies.impact.generated.c.drawing.steps import add_steps
from studies.impact.generated.c.drawing.values import about
from studies.impact.generated.c.making import (
    INT,
    UNSIGNED,
    assign,
    call,
    count,
    declare,
    do,
    fixed,
    free,
    give,
    plain,
    pointer,
)
from studies.impact.generated.c.nodes import (
    Evaluate,
    File,
    Function,
    If,
    Name,
    Parameter,
    Pointer,
    Program,
    Statement,
    Text,
)
from studies.impact.generated.knobs import draw_knobs

MAIN = "main.c"
ROUNDS = (1, 1, 2, 3, 4, 6)  # how often all work is done
FED = 0.35  # the share of stages that get what others have computed
_SOURCES = ("work.c", "core.c", "tools.c")
_STANDARD = ("<getopt.h>", "<stdio.h>", "<stdlib.h>", "<string.h>", "<unistd.h>")


@dataclass(frozen=True)
class DrawnProgram:
    """A program and what users can choose."""

    program: Program
    options: tuple[Option, ...]
    constraints: tuple[str, ...]


def draw_program(rng: random.Random) -> DrawnProgram:
    """A program of some files and some stages."""
    knobs = draw_knobs(rng)
    sources = [*rng.sample(_SOURCES, rng.randint(1, 3)), MAIN]
    draft = Draft(rng, rng.choice(list(Style)), Names(rng), {name: [] for name in sources})
    for taken in ("config", "settings", "main", "x", *(each.name for each in knobs.knobs)):
        if taken not in {each.name for each in knobs.knobs}:
            draft.names.fresh(taken)
    homes = keep_knobs(draft, knobs.knobs)
    add_steps(draft)
    configure = add_derived(draft, homes)
    stages = _stages(draft, homes)
    if rng.random() < 0.6:
        add_unused(draft)
    reading = draw_reading(draft, homes)
    body = _main(draft, homes, reading.statements, configure, stages)
    parameters = (Parameter(INT, "argc"), Parameter(Pointer(pointer("char")), "argv"))
    draft.files[MAIN].append(Function(INT, "main", parameters, body, is_static=False))
    return DrawnProgram(Program(tuple(_files(draft))), reading.options, knobs.constraints)


def _stages(draft: Draft, homes: Sequence[Home]) -> list[Stage]:
    """Work for each option: those of main are handed on, the others are read where the work is."""
    rng = draft.rng
    number = rng.randint(3, 5)
    private = [home for home in homes if home.is_private]
    shared = [*draft.shared, *draft.behind]
    rng.shuffle(shared)
    budget = rng.choice((400_000, 800_000, 1_600_000)) // number
    stages = []
    for at in range(number):
        handed = [Private(home.read, home.knob.highest) for home in private[at::number]]
        featured = tuple(shared[at::number])[:2]
        stages.append(add_stage(draft, featured, tuple(handed), rng.choice(list(draft.files)), budget))
    return stages


def _main(
    draft: Draft,
    homes: Sequence[Home],
    reading: tuple[Statement, ...],
    configure: str,
    stages: Sequence[Stage],
) -> tuple[Statement, ...]:
    rng = draft.rng
    body: list[Statement] = [local_declaration(home) for home in homes if home.is_local]
    body += make_config(draft)
    if rng.random() < 0.3:
        body += refusal(draft)
    body += reading
    if configure:
        body.append(Evaluate(call(configure, *draft.config_arguments)))
    if rng.random() < 0.3:
        body += self_test(draft)
    settings = [home.sized() for home in homes]
    is_apart = rng.random() < 0.35 and not any(stage.handed for stage in stages)
    body.append(declare("total", fixed(rng.randint(1, 999))))
    work = _work(draft, settings if not is_apart else [*draft.shared, *draft.behind], stages)
    if is_apart:
        run = draft.names.fresh("run")
        parameters = (*draft.config_parameters, Parameter(UNSIGNED, "total"))
        is_anywhere = not any(stage.is_static for stage in stages)
        items = draft.files[rng.choice(list(draft.files)) if is_anywhere else MAIN]
        items.append(Function(UNSIGNED, run, parameters, (*work, give(Name("total"))), is_static=False))
        body.append(assign("total", call(run, *draft.config_arguments, Name("total"))))
    else:
        body += work
    if rng.random() < 0.3:
        body.append(message(rng.choice(settings), Name("total")))
    return (*body, do("printf", Text("%u\\n"), Name("total")), give(plain(0)))


def _work(draft: Draft, settings: Sequence[Sized], stages: Sequence[Stage]) -> tuple[Statement, ...]:
    """The stages in a row; some of them only where a setting says so."""
    rng = draft.rng
    found: list[Statement] = []
    for stage in stages:
        is_fed = rng.random() < FED  # what it does then depends on what was computed before
        given = Name("total") if is_fed else free(rng.randint(1, 999), 0, 9999)
        called = stage.called(draft, given)
        step = assign("total", called, rng.choice(("=", "+=", "^=") if is_fed else ("+=", "^=")))
        if settings and rng.random() < 0.25:
            found.append(If(about(rng, rng.choice(settings)), (step,)))
        else:
            found.append(step)
    turns = rng.choice(ROUNDS)
    return tuple(found) if turns == 1 else (count("round", free(turns, 1, 2 * turns), *found),)


def _files(draft: Draft) -> list[File]:
    place_config(draft)
    is_split = draft.rng.random() < 0.4
    shared = ('"app.h"', '"steps.h"') if is_split else ('"app.h"',)
    inside = () if is_split else tuple(draft.inlines)
    files = [File("app.h", ("<stddef.h>",), (*draft.types, *inside), externs=True)]
    if is_split:
        files.append(File("steps.h", ('"app.h"',), tuple(draft.inlines)))
    return [*files, *(File(name, (*_STANDARD, *shared), tuple(items)) for name, items in draft.files.items())]
