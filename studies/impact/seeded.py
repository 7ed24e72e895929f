"""Table 4 and Figure 6: regressions that are seeded into tools of GNU coreutils."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from statistics import mean

from sonde.methods.impact.hot.code import Hotness
from sonde.methods.impact.options.variables import OptionInCode
from sonde.methods.impact.question import Question
from sonde.workflows.impact.measuring import reduced
from sonde.workflows.impact.words import choices_of
from studies.impact.answering import Told, ours, papers
from studies.impact.coreutils import TOOLS, Coreutils, build_coreutils
from studies.impact.instructions import Counts
from studies.impact.rates import Judged, table_of_rates, table_of_sizes
from studies.impact.seeding import MOST_TRIED, Progress, Seeded, Seeder, Seeding
from studies.impact.tables import table
from studies.impact.truth import depends_on

PRINTED = {
    "cksum": "5, 0, 0; –",
    "od": "5, 5, 5; 0.80",
    "sort": "5, 5, 5; 1.00",
    "uniq": "5, 5, 5; 1.00",
    "wc": "5, 5, 5; 1.00",
}


def sections(source: Path, scratch: Path, seed: int, tell: Progress) -> Iterator[tuple[str, str]]:
    """Titles and texts of the page."""
    coreutils = build_coreutils(source, scratch)
    counts = Counts(scratch / "coreutils-counts.jsonl")
    seedings: list[Seeding] = []
    mine: dict[str, list[Judged]] = {}
    theirs: dict[str, list[Judged]] = {}
    for name in TOOLS:
        seeding = Seeder(coreutils, coreutils.tools[name], counts, scratch).seed(seed, tell)
        seedings.append(seeding)
        mine[name], theirs[name] = [], []
        for each in seeding.scenarios:
            question = question_about(coreutils, seeding, each)
            mine[name].append(judge(seeding, each, ours(question)))
            theirs[name].append(judge(seeding, each, papers(question)))
        tell(f"{name}: {sum(each.is_relevant for each in mine[name])} of {len(mine[name])} found")
    first = [_TABLE_4.format(seed=seed, tried=MOST_TRIED).strip()]
    for title, answers in (("**Sonde:**", mine), ("**The paper's way, on the same graph:**", theirs)):
        first += [title, table_of_rates([(name, answers[name], PRINTED[name]) for name in TOOLS])]
    first.append(_places(seedings))
    yield "Seeded regressions in coreutils: are they found? (Table 4)", "\n\n".join(first)
    sizes = table_of_sizes([(name, mine[name]) for name in TOOLS])
    told = _FIGURE_6.format(share=mean(map(least_share, seedings)))
    yield "Seeded regressions: what is left to measure (Figure 6)", f"{sizes}\n\n{told.strip()}"
    yield "Seeded regressions, one by one", _each(seedings, mine)


def judge(seeding: Seeding, seeded: Seeded, told: Told) -> Judged:
    """What is said about a seeded regression, beside what is true."""
    space = seeding.model.space
    chosen = told.configurations(space)
    regressing = seeded.regressing
    return Judged(
        f"{seeded.place.file}:{seeded.place.line}",
        True,
        told.is_relevant,
        any(each in regressing for each in chosen),
        told.related,
        len(space.options),
        len(chosen),
        len(seeded.effects),
    )


def least_share(seeding: Seeding) -> float:
    """The mean share of configurations if exactly those options varied that the effects depend on."""
    space = seeding.model.space
    depends = [depends_on(space, each.effects) for each in seeding.scenarios]
    return mean(len((few := reduced(space, each)).configurations) / few.total for each in depends)


def question_about(coreutils: Coreutils, seeding: Seeding, seeded: Seeded) -> Question:
    """What a user would ask about a seeded regression."""
    changed = [new for old, new in zip(seeding.tool.parts, seeded.parts, strict=True) if new is not old]
    fresh = iter(coreutils.units(tuple(changed)))
    new = tuple(
        unit if part is old else next(fresh)
        for unit, old, part in zip(seeding.units, seeding.tool.parts, seeded.parts, strict=True)
    )
    options = tuple(
        OptionInCode(each.name, each.variables, choices=choices_of(each))
        for each in seeding.model.space.options
    )
    hot = tuple(Hotness(name) for name in seeding.hot)
    fixed = seeding.model.words
    return Question(seeding.units, new, hot, options, (seeded.changed,), fixed_words=fixed)


def _places(seedings: list[Seeding]) -> str:
    rows = []
    for each in seedings:
        discarded = "; ".join(f"{number}: {why}" for why, number in sorted(each.discarded.items())) or "none"
        space = each.model.space
        configurations = sum(1 for _ in space.configurations())
        hot = ", ".join(f"`{name}`" for name in each.hot)
        rows.append((each.tool.name, len(space.options), configurations, hot, each.places, discarded))
    heads = "tool, options, configurations, hot functions, places to draw from, discarded"
    return table(heads.split(", "), rows)


def _each(seedings: list[Seeding], answers: dict[str, list[Judged]]) -> str:
    rows = []
    for seeding in seedings:
        for seeded, judged in zip(seeding.scenarios, answers[seeding.tool.name], strict=True):
            largest = max((each.instructions / each.old.total for each in seeded.effects), key=abs)
            regressing = f"{len(seeded.regressing)} of {len(seeded.effects)}"
            told = ("yes" if each else "**no**" for each in (judged.is_relevant, judged.is_seen))
            depends = ", ".join(sorted(depends_on(seeding.model.space, seeded.effects))) or "none"
            what = (seeding.tool.name, judged.scenario, seeded.edit.name, regressing, f"{largest:+.0%}")
            rows.append((*what, depends, *told))
    heads = "tool, place, edit, regressing configurations, largest change"
    more = ("the effect depends on", "found", "one of them is measured")
    return table((*heads.split(", "), *more), rows)


_FIGURE_6 = """
An answer that named exactly the options which the effect in instructions depends on, as counted, would leave
a mean share of {share:.2f} (tools count alike): in these small models, most options change how much hot code
does.
"""
_TABLE_4 = """
Places are drawn with seed {seed} from the statements that assign a whole number which flows, without any
decision in between, to a branch, a switch or a size that a library function is given, in a routine at most
two calls from hot code. The value there becomes a quarter more, else twice as much, else half as much, else
one more, else a hundred more, else nothing (a truth value: its opposite), whichever of them first makes a
regression of hot code. Of at most {tried} places a tool, the first five that do are kept (in a tool with
fewer, the next edits at the same places); discarded are those whose program then fails, or takes at least a
tenth more or fewer instructions in no configuration, or not in hot code. Hot are functions with at least a
twentieth of the instructions of any configuration, those of the C library being its caller's.

How to read it: the places come from our own flow graph, so that the first question is easy by construction.
The scheme of edits was settled while it was tried out, for how many places it yields, not for what was
answered. The analysis was developed with the places of other seeds.
"""
