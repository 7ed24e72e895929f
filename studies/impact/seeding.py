"""Seeded regressions: places are drawn, their values changed, and every configuration is run."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from sonde.core.code import Place, Unit
from sonde.core.options import Configuration, Phase
from sonde.methods.impact.differences import ChangedLines
from sonde.space.words import spell
from studies.impact.assignments import TRAP, Assignment, Edit, find_assignments
from studies.impact.coreutils import Compilation, Coreutils, NotCompiled, Tool
from studies.impact.instructions import Count, Counts, count_blocks
from studies.impact.places import find_places
from studies.impact.tools import MODELS, Model, write_input
from studies.impact.truth import THRESHOLD, Effect

A_TOOL = 5  # scenarios
MOST_TRIED = 200  # places of a tool
PROMISING = 0.03  # more or fewer blocks of the program, in any configuration
FAILS = "the program fails"
SAME = "no configuration takes a tenth more or fewer instructions"
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Seeded:
    """A regression that was seeded."""

    tool: str
    place: Place
    edit: Edit
    parts: tuple[Compilation, ...]  # of the new program
    changed: ChangedLines
    effects: tuple[Effect, ...]

    @property
    def regressing(self) -> frozenset[Configuration]:
        """The configurations that get slower or faster."""
        return frozenset(each.configuration for each in self.effects if each.is_regression)


@dataclass(frozen=True)
class Seeding:
    """What came of one tool."""

    tool: Tool
    model: Model
    hot: tuple[str, ...]
    units: tuple[Unit, ...]  # of the old program
    places: int
    scenarios: tuple[Seeded, ...]
    discarded: Mapping[str, int]  # for which reason, how many edits or places


class Seeder:
    """Seeds regressions into one tool."""

    def __init__(self, coreutils: Coreutils, tool: Tool, counts: Counts, scratch: Path) -> None:
        self.coreutils, self.tool, self.counts = coreutils, tool, counts
        self.model = MODELS[tool.name]
        self.configurations = tuple(self.model.space.configurations())
        self.input = write_input(self.model, scratch / f"{tool.name}.input")
        self.edited = scratch / "edited"
        self.edited.mkdir(exist_ok=True)
        self.discarded: Counter[str] = Counter()
        self.before = self._run(tool.parts, self.configurations)
        self.blocks_before = self._count_blocks(tool.parts)

    def seed(self, seed: int, tell: Progress) -> Seeding:
        """Five regressions, the places of which are drawn."""
        units = self.coreutils.units(self.tool.parts)
        own = frozenset(routine.name for unit in units for routine in unit.routines)
        hot = tuple(sorted({name for count in self.before.values() for name in count.hot(own)}))
        places = find_places(units, hot)
        drawn = list(places)
        random.Random(f"{seed} {self.tool.name}").shuffle(drawn)
        scenarios: list[Seeded] = []
        for place in drawn[:MOST_TRIED]:
            if len(scenarios) == A_TOOL:
                break
            found = self._try(place, frozenset(hot), own)
            tell(f"{self.tool.name}: {place.file}:{place.line}: {'kept' if found else 'discarded'}")
            scenarios += [found] if found else []
        return Seeding(self.tool, self.model, hot, units, len(places), tuple(scenarios), dict(self.discarded))

    def _try(self, place: Place, hot: frozenset[str], own: frozenset[str]) -> Seeded | None:
        """A regression at this place, by the first edit that makes one."""
        for part, assignment in self._at(place):
            if not self._is_executed(part, assignment):
                self.discarded["no configuration executes it"] += 1
                return None
            for edit in assignment.edits:
                parts = self._seeded(part, assignment, edit)
                effects = self._effects(parts, hot, own) if parts else None
                if effects is not None and parts is not None:
                    lines = ((assignment.first_line, assignment.last_line),)
                    return Seeded(
                        self.tool.name, place, edit, parts, ChangedLines(place.file, lines, lines), effects
                    )
            return None
        self.discarded["no plain assignment of a whole number stands there"] += 1
        return None

    def _is_executed(self, part: Compilation, assignment: Assignment) -> bool:
        """Whether any configuration comes there; True where the compiler does not let us ask."""
        parts = self._seeded(part, assignment, TRAP)
        return parts is None or self._count_blocks(parts) is None

    def _at(self, place: Place) -> Iterator[tuple[Compilation, Assignment]]:
        for part in self.tool.parts:
            if str(part.source).endswith(f"/{place.file}") and part.source.is_relative_to(
                self.coreutils.source
            ):
                for each in _assignments(part, self.coreutils.build):
                    if each.first_line <= place.line <= each.last_line:
                        yield part, each

    def _seeded(
        self, part: Compilation, assignment: Assignment, edit: Edit
    ) -> tuple[Compilation, ...] | None:
        """The compilations of the tool with one edit, or None if the compiler refuses it."""
        content = assignment.seeded(part.source.read_bytes(), edit)
        file = self.edited / f"{hashlib.sha256(content).hexdigest()[:16]}.c"
        file.write_bytes(content)
        # The compiler reads the edited file in the place of the old one, so that all names stay the same.
        words = (*part.words, "-Xclang", "-remap-file", "-Xclang", f"{part.source};{file}")
        seeded = tuple(replace(each, words=words) if each is part else each for each in self.tool.parts)
        try:
            self.coreutils.counting(self.tool, seeded)
        except NotCompiled:
            self.discarded["the compiler refuses it"] += 1
            return None
        return seeded

    def _effects(
        self, parts: tuple[Compilation, ...], hot: frozenset[str], own: frozenset[str]
    ) -> tuple[Effect, ...] | None:
        """What the edit does, or None if it breaks the program or makes no regression of hot code."""
        if not self._is_promising(parts):
            return None
        effects = []
        for configuration in self.configurations:
            count = next(iter(self._run(parts, (configuration,)).values()))
            if count.status != self.before[configuration].status:
                self.discarded[FAILS] += 1
                return None
            effects.append(Effect(configuration, self.before[configuration], count))
        if not any(each.is_regression for each in effects):
            self.discarded[SAME] += 1
            return None
        if not any(_is_hot(each, hot, own) for each in effects):
            self.discarded["the regression is not one of hot code"] += 1
            return None
        return tuple(effects)

    def _is_promising(self, parts: tuple[Compilation, ...]) -> bool:
        """Whether it is worth counting: blocks of the program change, and it does not fail."""
        blocks = self._count_blocks(parts)
        if blocks is None or self.blocks_before is None:
            self.discarded[FAILS] += 1
            return False
        pairs = zip(self.blocks_before, blocks, strict=True)
        if all(abs(new - old) < PROMISING * old for old, new in pairs):
            self.discarded[SAME] += 1
            return False
        return True

    def _count_blocks(self, parts: tuple[Compilation, ...]) -> list[int] | None:
        """The executed blocks of each configuration; None if one of them fails."""
        program = self.coreutils.counting(self.tool, parts)
        found = []
        for each in self.configurations:
            count = count_blocks(program, self._words(each), self.input)
            if count is None:
                return None
            found.append(count)
        return found

    def _words(self, configuration: Configuration) -> tuple[str, ...]:
        spelling = spell(self.model.space.options, configuration, Phase.LOAD, lambda _: True)
        return (*spelling.words, *self.model.words)

    def _run(
        self, parts: tuple[Compilation, ...], configurations: tuple[Configuration, ...]
    ) -> dict[Configuration, Count]:
        program = self.coreutils.program(self.tool, parts)
        return {each: self.counts.of(program, self._words(each), {}, self.input) for each in configurations}


def _is_hot(effect: Effect, hot: frozenset[str], own: frozenset[str]) -> bool:
    """Whether it is a regression, too, if hot code alone counts (section 4.3)."""
    old, new = (
        sum(cost for name, cost in count.costs(own).items() if name in hot)
        for count in (effect.old, effect.new)
    )
    return effect.is_regression and abs(new - old) >= THRESHOLD * old


@cache
def _assignments(part: Compilation, folder: Path) -> tuple[Assignment, ...]:
    return find_assignments(part.source, part.words, folder)
