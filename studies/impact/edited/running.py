"""Draws lines and edits, counts what they do, and asks the product about them."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sonde.core.revisions import RevisionId, short
from studies.impact.edited.edits import Edit, edits
from studies.impact.edited.programs import EditedProgram, Line
from studies.impact.generated.answers import Answers
from studies.impact.generated.asking import ask_check, ask_impact
from studies.impact.generated.records import Key, Record, append, read
from studies.impact.generated.truth import Effect, Truth

BUILD = "as built"
MOST_DRAWN = 40  # edits for each one that is wanted: some do not compile, some programs fail


@dataclass(frozen=True)
class Place:
    """A line, and what it becomes."""

    line: Line
    edit: Edit


def run(name: str, program: EditedProgram, seed: int, wanted: int, file: Path) -> Iterator[Record | str]:
    """Records of so many edits, those that the file has among them; else why an edit does not count."""
    known = {each.key: each for each in read(file) if each.key.language == name and each.key.seed == seed}
    found = len(known)
    yield from known.values()
    if found >= wanted:
        return
    tried = max((key.number for key in known), default=-1) + 1
    for number, place in enumerate(draw(program, seed, name)[: MOST_DRAWN * wanted]):
        if found == wanted:
            return
        if number < tried:
            continue
        record = study(Key(name, seed, number), program, place)
        if isinstance(record, Record):
            append(file, record)
            found += 1
        yield record


def draw(program: EditedProgram, seed: int, name: str) -> Sequence[Place]:
    """Every executed line that can be edited with one edit of it, in an order that the seed decides."""
    rng = random.Random(f"{seed}/{name}")
    lines = list(program.executed_lines())
    rng.shuffle(lines)
    return [Place(line, rng.choice(several)) for line in lines if (several := edits(program.text(line)))]


def study(key: Key, program: EditedProgram, place: Place) -> Record | str:
    """Everything about one edit; or why it does not count."""
    begun = time.monotonic()
    head = program.commit(place.line, place.edit.line)
    counted = count(program, head)
    if isinstance(counted, str):
        return f"{place.line.file}:{place.line.number}, {place.edit.kind}: {counted}"
    answers = Answers(ask_impact(program.folder), None, ask_check(program.folder))
    options = program.session.project.file.space.options
    return Record(
        key,
        0,
        f"{place.edit.kind}, {place.line.file}:{place.line.number}, {short(head)}",
        False,
        any(each.variables for each in options),
        len(options),
        counted,
        answers,
        round(time.monotonic() - begun, 2),
    )


def count(program: EditedProgram, head: RevisionId) -> Truth | str:
    """The instructions of all configurations; or why the edit does not count."""
    if failure := program.fails(head):
        return failure
    kept = program.folder / "counts.jsonl"
    before, after = program.counts(program.base, kept), program.counts(head, kept)
    if not after:
        return "it does not compile"
    effects = {}
    for (benchmark, configuration), base in before.items():
        now = after.get((benchmark, configuration))
        if base is not None and now is None:
            return f"it fails with {configuration}"
        if base is not None and now is not None:
            effects[configuration] = Effect(int(base), int(now))
    return Truth({BUILD: effects}, BUILD)
