"""The part of the study's page about edits of real programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean

from studies.impact.generated.judging import Miss, misses
from studies.impact.generated.records import Record, read
from studies.impact.tables import table

TITLES = (
    "program",
    "options",
    "configurations",
    "edits",
    "relevant",
    "found",
    "slower",
    "one is kept",
    "exit code right",
    "harmless",
    "recognised",
    "share",
    "exact",
    "share of `check`",
)


def section(file: Path) -> str:
    """The section about edits of real programs."""
    records = list(read(file))
    seeds = ", ".join(sorted({str(each.key.seed) for each in records}))
    written = f"Written by `python -m studies.impact.edited --seed {seeds}`, then `--tally FILE --write`;"
    return "\n\n".join(
        [
            "## Edited programs",
            f"{written} do not edit it by hand.",
            _ABOUT.strip(),
            by_program(records),
        ]
    )


def by_program(records: Sequence[Record]) -> str:
    """A row for each program and one for all of them, then what is wrong."""
    names = sorted({each.key.language for each in records})
    rows = [_row(name, [each for each in records if each.key.language == name]) for name in names]
    wrong = [
        f"- {each.key.language}, {each.edit}: {miss.value}"
        for each in records
        for miss in sorted(misses(each.truth, each.answers), key=lambda miss: miss.value)
    ]
    return "\n\n".join(
        [table(TITLES, [*rows, _row("all", records)]), "\n".join(wrong) or "Nothing was missed."]
    )


def _row(name: str, records: Sequence[Record]) -> tuple[object, ...]:
    relevant = [each for each in records if each.truth.is_relevant]
    slower = [each for each in records if each.truth.slower]
    harmless = [each for each in records if each.truth.is_harmless]
    unkept = (Miss.NOT_RELEVANT, Miss.NOT_KEPT, Miss.NO_ANSWER)
    return (
        name,
        _one(records, lambda each: each.options),
        _one(records, lambda each: len(each.truth.asked)),
        len(records),
        len(relevant),
        _right(relevant, Miss.NOT_RELEVANT, Miss.NO_ANSWER),
        len(slower),
        _right(slower, *unkept),
        _right(records, Miss.PASSED, Miss.FALSE_ALARM, Miss.NO_ANSWER),
        len(harmless),
        sum(not each.answers.impact.is_relevant for each in harmless if each.answers.impact),
        _mean(relevant, lambda each: len(each.answers.impact.configurations) if each.answers.impact else 0),
        _mean(relevant, lambda each: len(each.truth.changed)),
        _mean(records, lambda each: len(each.answers.check.verdicts) if each.answers.check else 0),
    )


def _right(records: Sequence[Record], *wrong: Miss) -> int:
    return sum(not misses(each.truth, each.answers) & set(wrong) for each in records)


def _one(records: Sequence[Record], ask: Callable[[Record], int]) -> str:
    """The number that all records have in common."""
    numbers = {ask(each) for each in records}
    return str(numbers.pop()) if len(numbers) == 1 else ""


def _mean(records: Sequence[Record], ask: Callable[[Record], int]) -> str:
    """The mean share of configurations."""
    return f"{mean(ask(each) / len(each.truth.asked) for each in records):.2f}" if records else "–"


_ABOUT = """
Real programs as their authors released them (`python -m studies.impact.edited`), built with `-O2`. A line
that their benchmark executes is drawn, and edited at random: a number, a comparison, a condition, a sign, a
statement that is deleted, a call that is repeated. Edits that do not compile, or with which some
configuration fails that worked before, are left out. Truth is counted in all configurations, and the product
is asked as users ask it, with hot code from profiles of the build. *Relevant*, *slower* and *harmless* are
what they are for generated programs: by 1 %, and not by one instruction. *Share* is the mean share of
configurations to measure for a relevant change, *exact* the share that truly changes.
"""
