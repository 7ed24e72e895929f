"""Table 4 and Figure 6: regressions that are seeded into tools of GNU coreutils."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from sonde.core.impacts import Role
from sonde.methods.impact.answer import Answer, Question, Settings, answer
from sonde.methods.impact.hot import Hotness
from sonde.methods.impact.option_variables import OptionInCode
from sonde.workflows.impact_measuring import reduced
from studies.impact.coreutils import TOOLS, Coreutils, build_coreutils
from studies.impact.instructions import Counts
from studies.impact.rates import Judged, table_of_rates, table_of_sizes
from studies.impact.seeding import MOST_TRIED, Progress, Seeded, Seeder, Seeding
from studies.impact.tables import table

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
    seedings, ours, theirs = [], {}, {}
    for name in TOOLS:
        seeding = Seeder(coreutils, coreutils.tools[name], counts, scratch).seed(seed, tell)
        seedings.append(seeding)
        ours[name] = [judge(coreutils, seeding, each, Settings()) for each in seeding.scenarios]
        theirs[name] = [judge(coreutils, seeding, each, Settings(way="paper")) for each in seeding.scenarios]
        tell(f"{name}: {sum(each.is_relevant for each in ours[name])} of {len(ours[name])} found")
    yield (
        "Seeded regressions in coreutils: are they found? (Table 4)",
        "\n\n".join(
            (
                _TABLE_4.format(seed=seed, tried=MOST_TRIED).strip(),
                "**Sonde:**",
                table_of_rates((name, ours[name], PRINTED[name]) for name in TOOLS),
                "**The paper's way, on the same graph:**",
                table_of_rates((name, theirs[name], PRINTED[name]) for name in TOOLS),
                _places(seedings),
            )
        ),
    )
    yield (
        "Seeded regressions: what is left to measure (Figure 6)",
        table_of_sizes((name, ours[name]) for name in TOOLS),
    )
    yield "Seeded regressions, one by one", _each(seedings, ours)


def judge(coreutils: Coreutils, seeding: Seeding, seeded: Seeded, settings: Settings) -> Judged:
    """What is said about a seeded regression, beside what is true."""
    found = asked(coreutils, seeding, seeded, settings)
    related = tuple(sorted(each.option for each in found.options if each.role is not Role.UNRELATED))
    space = seeding.model.space
    chosen = reduced(space, related).configurations if found.is_relevant else ()
    regressing = seeded.regressing
    return Judged(
        f"{seeded.place.file}:{seeded.place.line}",
        True,
        found.is_relevant,
        any(each in regressing for each in chosen),
        related,
        len(space.options),
        len(chosen),
        len(seeded.effects),
    )


def asked(coreutils: Coreutils, seeding: Seeding, seeded: Seeded, settings: Settings) -> Answer:
    """The whole answer about a seeded regression."""
    changed = [new for old, new in zip(seeding.tool.parts, seeded.parts, strict=True) if new is not old]
    fresh = iter(coreutils.units(tuple(changed)))
    new = tuple(
        unit if part is old else next(fresh)
        for unit, old, part in zip(seeding.units, seeding.tool.parts, seeded.parts, strict=True)
    )
    options = tuple(OptionInCode(each.name, each.variables) for each in seeding.model.space.options)
    hot = tuple(Hotness(name) for name in seeding.hot)
    question = Question(seeding.units, new, hot, options, (seeded.changed,), settings)
    return answer(question, time.monotonic)


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


def _each(seedings: list[Seeding], ours: dict[str, list[Judged]]) -> str:
    rows = []
    for seeding in seedings:
        for seeded, judged in zip(seeding.scenarios, ours[seeding.tool.name], strict=True):
            largest = max((each.instructions / each.old.total for each in seeded.effects), key=abs)
            regressing = f"{len(seeded.regressing)} of {len(seeded.effects)}"
            answers = ("yes" if each else "**no**" for each in (judged.is_relevant, judged.is_seen))
            what = (seeding.tool.name, judged.scenario, seeded.edit.name, regressing, f"{largest:+.0%}")
            rows.append((*what, *answers))
    heads = "tool, place, edit, regressing configurations, largest change, found, one of them is measured"
    return table(heads.split(", "), rows)


_TABLE_4 = """
Places are drawn with seed {seed} from the statements that assign a whole number which flows, without any
decision in between, to a branch, a switch or a size that a library function is given, in a routine at most
two calls from hot code. The value there becomes a quarter more, else twice as much, else half as much, else
one more (a truth value: its opposite), whichever of them first makes a regression of hot code. Of at most
{tried} places a tool, the first five that do are kept; discarded are those whose program then fails, or takes
at least a tenth more or fewer instructions in no configuration, or not in hot code. Hot are functions with at
least a twentieth of the instructions of any configuration, those of the C library being its caller's.
"""
