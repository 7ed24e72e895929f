"""Table 5 and Figure 8: the history of bzip2, each revision that touches its code against its parent."""

from __future__ import annotations

import hashlib
import random
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sonde.core.code import Unit
from sonde.core.errors import UserError
from sonde.core.options import Configuration, Option, Phase
from sonde.effects.bitcode.reading import read_units
from sonde.methods.impact.differences.programs import find_differences
from sonde.methods.impact.hot.code import Hotness
from sonde.methods.impact.options.variables import OptionInCode
from sonde.methods.impact.question import Question
from sonde.space.space import Space
from sonde.space.words import spell
from sonde.workflows.impact.words import choices_of
from studies.impact.answering import Told, ours, papers
from studies.impact.coreutils import FOR_RUNS
from studies.impact.instructions import Count, Counts
from studies.impact.rates import Judged, table_of_rates, table_of_sizes
from studies.impact.seeding import Progress
from studies.impact.tables import table
from studies.impact.truth import Effect
from tests.programs.asking import FLAGS, changed_lines

FILES = tuple(
    f"{name}.c"
    for name in ("blocksort", "bzip2", "bzlib", "compress", "crctable", "decompress", "huffman", "randtable")
)
HEADERS = ("bzlib.h", "bzlib_private.h")
REVISIONS = 24
WORDS = ("-D_FILE_OFFSET_BITS=64", "-DBZ_UNIX=1", "-DBZ_LCCWIN32=0", "-w")
SPACE = Space.of(
    [
        Option("operation", ("-z", "-d", "-t"), "-z", words="{value}", variables=("opMode",)),
        Option("block", (9, 1), 9, words="-{value}", variables=("blockSize100k",)),
        Option("small", (False, True), False, words="-s", variables=("smallMode",)),
        Option("verbose", (False, True), False, words="-v", variables=("verbosity",)),
    ]
)
OPTIONS = tuple(OptionInCode(each.name, each.variables, choices=choices_of(each)) for each in SPACE.options)
INPUT_BYTES = 20_000


@dataclass(frozen=True)
class Revision:
    """A revision of bzip2, unpacked."""

    id: str
    folder: Path


@dataclass(frozen=True)
class Step:
    """A revision and its parent, run and analysed."""

    revision: str
    subject: str
    effects: tuple[Effect, ...]
    changed: int  # routines
    ours: Told
    papers: Told

    def judge(self, told: Told) -> Judged:
        """An answer beside the truth."""
        chosen = told.configurations(SPACE)
        regressing = {each.configuration for each in self.effects if each.is_regression}
        return Judged(
            self.revision,
            bool(regressing),
            told.is_relevant,
            any(each in regressing for each in chosen),
            told.related,
            len(SPACE.options),
            len(chosen),
            len(self.effects),
        )


class History:
    """Builds and runs revisions, each once."""

    def __init__(self, repository: Path, scratch: Path) -> None:
        self.repository, self.scratch = repository, scratch / "bzip2"
        self.scratch.mkdir(parents=True, exist_ok=True)
        self.counts = Counts(scratch / "bzip2-counts.jsonl")
        self.plain = self.scratch / "input.txt"
        self.plain.write_text(_text())
        (self.scratch / "bz_version.h").write_text('#define BZ_VERSION "1.1.0"\n')

    def git(self, *words: str) -> str:
        """What git prints."""
        line = ["git", "-C", str(self.repository), *words]
        ended = subprocess.run(line, capture_output=True, text=True, errors="replace", check=False)
        if ended.returncode:
            raise UserError(f"{self.repository}: {ended.stderr.strip()}")
        return ended.stdout

    def revisions(self) -> list[tuple[str, str]]:
        """The newest revisions that touch the program, and their subjects; oldest first."""
        told = self.git("log", "--no-merges", "--format=%H %s", f"-{REVISIONS}", "--", *FILES, *HEADERS)
        return [(line[:40], line[41:]) for line in reversed(told.splitlines())]

    def unpacked(self, name: str) -> Revision:
        """The sources of a revision."""
        revision = self.git("rev-parse", name).strip()
        folder = self.scratch / revision
        if not folder.exists():
            folder.mkdir()
            for file in (*FILES, *HEADERS):
                (folder / file).write_text(self.git("show", f"{revision}:{file}"))
        return Revision(revision, folder)

    def program(self, revision: Revision) -> Path:
        """The program, without a loader."""
        program = revision.folder / "bzip2"
        if not program.exists():
            line = ["clang-19", *FOR_RUNS, *WORDS, f"-I{self.scratch}", "-static", *FILES, "-o", "bzip2"]
            subprocess.run(line, cwd=revision.folder, check=True, capture_output=True)
        return program

    def units(self, revision: Revision) -> tuple[Unit, ...]:
        """What the analysis sees."""
        made = [revision.folder / f"{file}.bc" for file in FILES]
        for file, bitcode in zip(FILES, made, strict=True):
            if not bitcode.exists():
                line = ["clang-19", *WORDS, *FLAGS, f"-I{self.scratch}", file, "-o", str(bitcode)]
                subprocess.run(line, cwd=revision.folder, check=True, capture_output=True)
        return tuple(unit for unit in read_units(made, revision.folder) if isinstance(unit, Unit))

    def run(self, revision: Revision) -> dict[Configuration, Count]:
        """Every configuration; what is to be unpacked was packed by this same program."""
        program = self.program(revision)
        content = subprocess.run([program, "-9", "-c", self.plain], capture_output=True, check=True).stdout
        packed = self.scratch / f"{hashlib.sha256(content).hexdigest()[:16]}.bz2"
        packed.write_bytes(content)
        found = {}
        for each in SPACE.configurations():
            spelling = spell(SPACE.options, each, Phase.LOAD, lambda _: True)
            given = self.plain if each.chosen["operation"] == "-z" else packed
            words = (*spelling.words, *(() if each.chosen["operation"] == "-t" else ("-c",)))
            found[each] = self.counts.of(program, words, {}, given)
        return found

    def step(self, name: str, subject: str) -> Step:
        """A revision against its parent."""
        new, old = self.unpacked(name), self.unpacked(f"{name}^")
        before, after = self.run(old), self.run(new)
        effects = tuple(Effect(each, before[each], after[each]) for each in before)
        units = self.units(old)
        own = frozenset(routine.name for unit in units for routine in unit.routines)
        hot = sorted({name for count in before.values() for name in count.hot(own)})
        question = Question(
            units,
            self.units(new),
            tuple(Hotness(each) for each in hot),
            tuple(
                OptionInCode(each.name, each.variables, choices=choices_of(each)) for each in SPACE.options
            ),
            tuple(changed_lines(old.folder, new.folder)),
        )
        changed = find_differences(question.old, question.new, question.changed_lines).changed
        return Step(new.id[:7], subject, effects, len(changed), ours(question), papers(question))


def sections(repository: Path, scratch: Path, tell: Progress) -> Iterator[tuple[str, str]]:
    """Titles and texts of the page."""
    history = History(repository, scratch)
    steps: list[Step] = []
    for revision, subject in history.revisions():
        steps.append(history.step(revision, subject))
        tell(f"bzip2 {revision[:7]}: {steps[-1].ours}")
    mine = [step.judge(step.ours) for step in steps]
    theirs = [step.judge(step.papers) for step in steps]
    printed = "18 scenarios: 0, 8, 0; –"
    groups = [("bzip2, Sonde", mine, printed), ("bzip2, the paper's way on the same graph", theirs, printed)]
    first = (_TABLE_5.strip(), table_of_rates(groups), _each(steps))
    yield "The history of bzip2: are changes found that matter? (Table 5)", "\n\n".join(first)
    yield "The history of bzip2: what is left to measure (Figure 8)", table_of_sizes([("bzip2", mine)])


def _each(steps: list[Step]) -> str:
    rows = []
    for step in steps:
        judged = step.judge(step.ours)
        largest = max((each.instructions / each.old.total for each in step.effects), key=abs)
        answer_given = "may reach hot code" if judged.is_relevant else "cannot reach hot code"
        what = (f"`{step.revision}`", step.subject, step.changed, f"{largest:+.2%}")
        rows.append((*what, answer_given, ", ".join(judged.related) or "none"))
    heads = "revision, subject, changed routines, largest change, answer, related options"
    return table(heads.split(", "), rows)


def _text() -> str:
    rng = random.Random(7)
    words = ["".join(rng.choices("abcdefghij", k=rng.randint(2, 9))) for _ in range(300)]
    found: list[str] = []
    while sum(map(len, found)) < INPUT_BYTES:
        found.append(rng.choice(words) + rng.choice("    \n"))
    return "".join(found)


_TABLE_5 = """
The newest revisions that touch the program's own files, each against its parent, in a small option model.
Changes are in instructions of the whole program. Nothing here gets slower by a tenth, as in the paper, so
only precision is tried: every *may reach hot code* below is a revision to measure.
"""
