"""Is the truth of the scenarios true? Every program is run, before and after its change.

`python -m studies.impact.truth [NAME...]` compares what the scenarios say with counted instructions.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from tempfile import gettempdir

from sonde.core.options import Configuration, OptionName, Phase
from sonde.space.expressions import holds
from sonde.space.parser import parse
from sonde.space.space import Space
from sonde.space.words import spell
from studies.impact.instructions import Count, Counts
from tests.programs.scenarios import NEVER, Scenario, read_scenarios, sources_in

THRESHOLD = 0.1  # Definition 6
FEW = 32  # configurations; of more, only some are run
NOISE = 0.06  # of the largest effect: what printing another number costs
TINY = 400  # instructions


@dataclass(frozen=True)
class Effect:
    """A configuration before and after the change."""

    configuration: Configuration
    old: Count
    new: Count

    @property
    def instructions(self) -> int:
        """How many more it executes."""
        return self.new.total - self.old.total

    @property
    def is_regression(self) -> bool:
        """Definition 6; counts of instructions have no noise."""
        return abs(self.instructions) >= THRESHOLD * self.old.total


def compile_program(scenario: Scenario, side: str, folder: Path) -> Path:
    """The program of one side; without a loader, which would execute more instructions than it does."""
    program = folder / f"{scenario.name}-{side}"
    sources = folder / f"{scenario.name}-sources"
    scenario.write(sources)
    files = [str(file) for file in sources_in(sources / side)]
    compiler = "clang++-19" if any(file.endswith(".cpp") for file in files) else "clang-19"
    subprocess.run([compiler, "-O0", "-static", *files, "-o", str(program), "-lpthread"], check=True)
    return program


def measure(scenario: Scenario, counts: Counts, folder: Path) -> list[Effect]:
    """What the change does to every configuration, or to the telling ones of a large space."""
    old, new = (compile_program(scenario, side, folder) for side in ("old", "new"))
    effects = []
    for configuration in _to_run(scenario):
        spelling = spell(scenario.space.options, configuration, Phase.LOAD, lambda _: True)
        before, after = (
            counts.of(program, spelling.words, spelling.variables, None) for program in (old, new)
        )
        effects.append(Effect(configuration, before, after))
    return effects


def _to_run(scenario: Scenario) -> Iterator[Configuration]:
    """All of them if they are few; else those that differ in related options, or in one other option.

    If these are many, too: all related options on, all of them off, and those one step from either.
    """
    if scenario.total <= FEW:
        yield from scenario.space.configurations()
        return
    names = [option.name for option in scenario.space.options]
    if scenario.configurations <= FEW:
        middles = [dict(zip(scenario.related, values, strict=True)) for values in _combinations(scenario)]
        others = [name for name in names if name not in scenario.related]
    else:
        middles = [dict.fromkeys(scenario.related, value) for value in (True, False)]
        others = names
    wanted: dict[Configuration, None] = {}
    for middle in middles:
        full = {**dict.fromkeys(names, False), **middle}
        steps = [full, *({**full, name: not full[name]} for name in others)]
        wanted.update((Configuration.of(each), None) for each in steps)
    yield from filter(scenario.space.is_valid, wanted)


def _combinations(scenario: Scenario) -> Iterator[tuple[bool, ...]]:
    return product((False, True), repeat=len(scenario.related))


def mistakes(scenario: Scenario, effects: list[Effect]) -> list[str]:
    """What the truth says and the runs do not."""
    found = [f"{each.configuration} fails" for each in effects if each.old.status or each.new.status]
    for effect in effects:
        if effect.is_regression != _is_slower(scenario, effect.configuration.chosen):
            found.append(f"{effect.configuration}: {effect.old.total} to {effect.new.total}")
    depends = depends_on(scenario.space, effects)
    if scenario.slower != NEVER and depends - set(scenario.related):
        found.append(f"the effect depends on {sorted(depends)}")
    if scenario.slower != NEVER and set(scenario.related) - depends:
        found.append(f"the effect depends on {sorted(depends)} alone")
    return found


def depends_on(space: Space, effects: Sequence[Effect]) -> set[OptionName]:
    """The options that the number of instructions which a change adds depends on."""
    blur = max(TINY, NOISE * max(abs(each.instructions) for each in effects))
    return {option.name for option in space.options if _depends(option.name, effects, blur)}


def _is_slower(scenario: Scenario, chosen: Mapping[str, bool | int | float | str]) -> bool:
    if scenario.slower == NEVER:
        return False
    return not scenario.slower or holds(parse(scenario.slower, scenario.space.options), chosen)


def _depends(option: OptionName, effects: Sequence[Effect], blur: float) -> bool:
    """Whether configurations that differ in the option alone differ in the effect of the change."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for effect in effects:
        rest = tuple(pair for pair in effect.configuration.values if pair[0] != option)
        groups.setdefault(rest, []).append(effect.instructions)
    return any(max(group) - min(group) > blur for group in groups.values())


def main() -> int:
    folder = Path(gettempdir()) / "sonde-impact-truth"
    folder.mkdir(exist_ok=True)
    counts = Counts(folder / "counts.jsonl")
    chosen = sys.argv[1:]
    wrong = 0
    for scenario in read_scenarios():
        if not chosen or scenario.name in chosen:
            found = mistakes(scenario, measure(scenario, counts, folder))
            wrong += bool(found)
            print(scenario.name, "; ".join(found) or "is true", flush=True)
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main())
