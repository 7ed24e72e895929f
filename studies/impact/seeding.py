"""Seeded regressions: places are drawn, their values changed, and every configuration is run."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice
from pathlib import Path

from sonde.core.code import SourceLine, Unit
from sonde.core.options import Configuration, Phase
from sonde.methods.impact.differences.lines import ChangedFileLines
from sonde.space.words import spell
from studies.impact.assignments import TRAP, Assignment, Edit, find_assignments
from studies.impact.blocks import FAILS, Blocks
from studies.impact.coreutils import Compilation, Coreutils, Tool
from studies.impact.instructions import Count, Counts
from studies.impact.places import find_places
from studies.impact.tools import MODELS, Model, write_input
from studies.impact.truth import THRESHOLD, Effect

A_TOOL = 5  # scenarios
MOST_TRIED = 400  # places of a tool
PROMISING = 0.03  # more or fewer blocks of the program, in any configuration
SAME = "no configuration takes a tenth more or fewer instructions"
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Seeded:
    """A regression that was seeded."""

    tool: str
    place: SourceLine
    edit: Edit
    parts: tuple[Compilation, ...]  # of the new program
    changed: ChangedFileLines
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
    discarded: Mapping[str, int]  # places, for which reason


class Seeder:
    """Seeds regressions into one tool."""

    def __init__(self, coreutils: Coreutils, tool: Tool, counts: Counts, scratch: Path) -> None:
        self.coreutils, self.tool, self.counts = coreutils, tool, counts
        self.model = MODELS[tool.name]
        self.configurations = tuple(self.model.space.configurations())
        self.input = write_input(self.model, scratch / f"{tool.name}.input")
        self.edited = scratch / "edited"
        self.edited.mkdir(exist_ok=True)
        calls = [self._words(each) for each in self.configurations]
        self.blocks = Blocks(coreutils, tool, calls, self.input, scratch / f"{tool.name}-blocks.jsonl")
        self.before = self._run(tool.parts)
        self.units = coreutils.units(tool.parts)
        self.own = frozenset(routine.name for unit in self.units for routine in unit.routines)
        self.hot = frozenset(name for count in self.before.values() for name in count.hot(self.own))

    def seed(self, seed: int, tell: Progress) -> Seeding:
        """Five regressions, the places of which are drawn."""
        places = [each for each in find_places(self.units, self.hot) if next(self._at(each), None)]
        drawn = sorted(places, key=lambda each: _drawn(seed, self.tool.name, each))
        scenarios: list[Seeded] = []
        discarded: Counter[str] = Counter()
        for place in drawn[:MOST_TRIED]:
            if len(scenarios) == A_TOOL:
                break
            found = self._try(place)
            if isinstance(found, Seeded):
                scenarios.append(found)
            else:
                discarded[found] += 1
            what = "kept" if isinstance(found, Seeded) else found
            tell(f"{self.tool.name}: {place.file}:{place.line}: {what}")
        scenarios += islice(self._again(tuple(scenarios)), A_TOOL - len(scenarios))
        hot = tuple(sorted(self.hot))
        return Seeding(self.tool, self.model, hot, self.units, len(places), tuple(scenarios), discarded)

    def _again(self, kept: tuple[Seeded, ...]) -> Iterator[Seeded]:
        """Further regressions at the places that have one, for tools that have too few such places."""
        waiting = list(kept)
        for each in waiting:
            found = self._try(each.place, each.edit)
            if isinstance(found, Seeded):
                waiting.append(found)
                yield found

    def _try(self, place: SourceLine, after: Edit | None = None) -> Seeded | str:
        """A regression at this place, by the first edit that makes one; else why there is none.

        Edits up to `after` are left out.
        """
        part, assignment = next(self._at(place))
        if isinstance(self.blocks.of(self._seeded(part, assignment, TRAP)), list):
            return "no configuration executes it"
        reason = ""
        edits = assignment.edits
        for edit in edits if after is None else edits[edits.index(after) + 1 :]:
            parts = self._seeded(part, assignment, edit)
            effects = self._effects(parts)
            if not isinstance(effects, str):
                lines = ((assignment.first_line, assignment.last_line),)
                changed = ChangedFileLines(place.file, lines, lines)
                return Seeded(self.tool.name, place, edit, parts, changed, effects)
            reason = effects
        return reason

    def _at(self, place: SourceLine) -> Iterator[tuple[Compilation, Assignment]]:
        for part in self.tool.parts:
            is_ours = part.source.is_relative_to(self.coreutils.source)
            if is_ours and str(part.source).endswith(f"/{place.file}"):
                for each in _assignments(part, self.coreutils.build):
                    if each.first_line <= place.line <= each.last_line:
                        yield part, each

    def _seeded(self, part: Compilation, assignment: Assignment, edit: Edit) -> tuple[Compilation, ...]:
        """The compilations of the tool with one edit."""
        content = assignment.seeded(part.source.read_bytes(), edit)
        file = self.edited / f"{hashlib.sha256(content).hexdigest()[:16]}.c"
        if not file.exists():
            file.write_bytes(content)
        # The compiler reads the edited file in the place of the old one, so that all names stay the same.
        words = (*part.words, "-Xclang", "-remap-file", "-Xclang", f"{part.source};{file}")
        return tuple(replace(each, words=words) if each is part else each for each in self.tool.parts)

    def _effects(self, parts: tuple[Compilation, ...]) -> tuple[Effect, ...] | str:
        """What an edit does; or why that is no regression of hot code."""
        old, new = self.blocks.of(self.tool.parts), self.blocks.of(parts)
        if isinstance(new, str) or isinstance(old, str):
            return str(new)
        if all(abs(after - before) < PROMISING * before for before, after in zip(old, new, strict=True)):
            return SAME
        after = self._run(parts)
        effects = tuple(Effect(each, self.before[each], after[each]) for each in self.configurations)
        if any(each.new.status != each.old.status for each in effects):
            return FAILS
        if not any(each.is_regression for each in effects):
            return SAME
        if not any(_is_hot(each, self.hot, self.own) for each in effects):
            return "the regression is not one of hot code"
        return effects

    def _words(self, configuration: Configuration) -> tuple[str, ...]:
        spelling = spell(self.model.space.options, configuration, Phase.LOAD, lambda _: True)
        return (*spelling.words, *self.model.words)

    def _run(self, parts: tuple[Compilation, ...]) -> dict[Configuration, Count]:
        program = self.coreutils.program(self.tool, parts)
        return {
            each: self.counts.of(program, self._words(each), {}, self.input) for each in self.configurations
        }


def _drawn(seed: int, tool: str, place: SourceLine) -> bytes:
    """Its place in the order in which places are drawn, which other places have no influence on."""
    return hashlib.sha256(f"{seed} {tool} {place.file}:{place.line}".encode()).digest()


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
