"""Draws a whole program: options and their homes, settings, small functions, stages, main.

It ends because its loops do; what an edit makes endless is no valid subject.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from sonde.core.options import Option
from studies.impact.generated.knobs import draw_knobs
from studies.impact.generated.python.drawing.cold import add_unused, report
from studies.impact.generated.python.drawing.derived import derive
from studies.impact.generated.python.drawing.draft import Draft
from studies.impact.generated.python.drawing.features import Feature, Import, about
from studies.impact.generated.python.drawing.homes import draw_homes
from studies.impact.generated.python.drawing.reading import draw_reading
from studies.impact.generated.python.drawing.stages import STAGES, Scene
from studies.impact.generated.python.drawing.steps import add_steps
from studies.impact.generated.python.nodes import File, Program
from studies.impact.generated.python.parsing import parse

MOST_CONFIGURATIONS = 8
TURNS = (16_000, 24_000, 32_000)  # calls of small functions, in all stages together
MAIN = "__main__"
_MODULES = ("tools", "work", "core", "parts")


@dataclass(frozen=True)
class DrawnProgram:
    """A program and what users can choose."""

    program: Program
    options: tuple[Option, ...]
    constraints: tuple[str, ...]


def draw_program(rng: random.Random) -> DrawnProgram:
    """A program of some modules and some stages."""
    knobs = draw_knobs(rng, MOST_CONFIGURATIONS)
    modules = rng.sample(_MODULES, rng.randint(1, 3))
    package = rng.choice(("", "", "pack"))
    draft = Draft(rng, package, modules, rng.random() < 0.5)
    draft.taken |= {"total", "main", "read", "seed", *(each.name for each in knobs.knobs)}
    homes = draw_homes(draft, knobs.knobs)
    add_steps(draft, modules)
    features = [home.feature for home in homes]
    derived = derive(draft, features)
    stages = _stages(draft, [*features, *derived.features])
    if rng.random() < 0.6:
        add_unused(draft, rng.choice(modules))
    reading = draw_reading(draft, homes)
    work = _work(draft, features, stages)
    body = [*reading.statements, *derived.statements, *work]
    if rng.random() < 0.4:
        body += report(draft, rng.choice(features))
    _add_main(draft, features, [*body, "print(total)"])
    return DrawnProgram(Program(_files(draft)), reading.options, knobs.constraints)


@dataclass(frozen=True)
class _Drawn:
    """A stage: how it is called."""

    name: str
    module: str
    scene: Scene


def _stages(draft: Draft, features: Sequence[Feature]) -> list[_Drawn]:
    """Each feature steers some stage; some stages have none."""
    rng = draft.rng
    number = rng.randint(2, 4)
    shuffled = rng.sample(list(features), len(features))
    turns = rng.choice(TURNS) // number
    found = []
    for at in range(number):
        module = rng.choice([*draft.modules, *draft.modules, MAIN])
        own = tuple(shuffled[at::number])[:2]
        for feature in own:
            draft.use(module, feature.needs)
        scene = Scene(draft, module, own, turns)
        found.append(_Drawn(rng.choice(STAGES)(scene), module, scene))
    return found


def _work(draft: Draft, features: Sequence[Feature], stages: Sequence[_Drawn]) -> list[str]:
    """Statements of main that call all stages."""
    rng = draft.rng
    found = [f"total = {rng.randint(1, 999)}"]
    for stage in stages:
        draft.use(MAIN, _import(stage))
        is_fed = rng.random() < 0.35
        seed = "total" if is_fed else str(rng.randint(1, 99))
        called = f"{stage.name}({', '.join((*stage.scene.carriers, seed))})"
        line = f"total = {called}" if is_fed else f"total {rng.choice('+^')}= {called}"
        if rng.random() < 0.15 and features:
            found += [f"if {about(rng, rng.choice(list(features)))}:", f"    {line}"]
        else:
            found.append(line)
    return found


def _import(stage: _Drawn) -> Import:
    return Import(stage.module, stage.name)


def _add_main(draft: Draft, features: Sequence[Feature], body: Sequence[str]) -> None:
    for feature in features:
        draft.use(MAIN, feature.needs)
    lines = "\n".join(f"    {line}" for line in body)
    draft.add(MAIN, f"def main():\n{lines}\n\n\nif __name__ == '__main__':\n    main()\n")


def _files(draft: Draft) -> tuple[File, ...]:
    found = []
    for module in ("settings", *draft.modules, MAIN):
        if module in draft.texts:
            source = "\n".join([*draft.imports.get(module, ()), "", *draft.texts[module]])
            found.append(File(draft.file_of(module), parse(source)))
    if draft.package:
        found.insert(0, File(f"{draft.package}/__init__.py", ()))
    return tuple(found)
