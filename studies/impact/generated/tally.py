"""The table: how often each answer is right, with bounds, and how much is left to measure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from statistics import mean

from studies.impact.generated.answers import ImpactAnswer
from studies.impact.generated.bounds import Share
from studies.impact.generated.judging import Miss, is_near, misses
from studies.impact.generated.records import Record
from studies.impact.generated.truth import PAPER
from studies.impact.tables import table

Ask = Callable[[Record], ImpactAnswer | None]


def tally(records: Sequence[Record]) -> str:
    """The whole text."""
    parts = [_kinds(records), table(("question", "share"), _rows(records)), _wrong(records)]
    return "\n\n".join(part for part in parts if part)


def _kinds(records: Sequence[Record]) -> str:
    relevant = sum(each.truth.is_relevant for each in records)
    by_tenth = sum(any(effect.is_changed(PAPER) for effect in each.truth.asked.values()) for each in records)
    slower = sum(bool(each.truth.slower) for each in records)
    harmless = sum(each.truth.is_harmless for each in records)
    seconds = sum(each.seconds for each in records)
    return (
        f"{len(records):,} programs: {relevant:,} changes are relevant ({by_tenth:,} by a tenth), "
        f"{slower:,} make a configuration slower, {harmless:,} are harmless, "
        f"{len(records) - relevant - harmless:,} stay below the threshold. "
        f"{seconds / max(1, len(records)):.1f} seconds per program."
    )


def _rows(records: Sequence[Record]) -> Iterator[tuple[str, str]]:
    yield from _impact_rows(records, lambda each: each.answers.impact, "", Miss.NOT_RELEVANT, Miss.NOT_KEPT)
    given = "hot code given: "
    yield from _impact_rows(
        records, lambda each: each.answers.hot_given, given, Miss.GIVEN_NOT_RELEVANT, Miss.GIVEN_NOT_KEPT
    )
    checked = [each for each in records if each.answers.check is not None and not is_near(each.truth)]
    if checked:
        slower = [each for each in checked if each.truth.slower]
        others = [each for each in checked if not each.truth.slower]
        wrong = {Miss.PASSED, Miss.FALSE_ALARM}
        yield "exit code right", _without(checked, *wrong)
        yield "a slower program is called slower", _without(slower, Miss.PASSED)
        clearly = [each for each in slower if each.truth.is_clearly_slower]
        yield "the same, where a configuration is slower by 2 %", _without(clearly, Miss.PASSED)
        yield "no false alarm", _without(others, Miss.FALSE_ALARM)
        left = [
            len(each.answers.check.verdicts) / len(each.truth.asked) for each in checked if each.answers.check
        ]
        yield "mean share of cases that `check` measures", f"{mean(left):.2f}"


def _impact_rows(
    records: Sequence[Record], ask: Ask, name: str, unseen: Miss, unkept: Miss
) -> Iterator[tuple[str, str]]:
    asked = [each for each in records if ask(each) is not None]
    if not asked:
        return
    relevant = [each for each in asked if each.truth.is_relevant]
    slower = [each for each in asked if each.truth.slower]
    harmless = [each for each in asked if each.truth.is_harmless]
    yield f"{name}relevant change found", _without(relevant, unseen, Miss.NO_ANSWER)
    yield f"{name}a slowed configuration is kept", _without(slower, unseen, unkept, Miss.NO_ANSWER)
    clearly = [each for each in slower if each.truth.is_clearly_slower]
    told = f"{name}the same, where a configuration is slower by 2 %"
    yield told, _without(clearly, unseen, unkept, Miss.NO_ANSWER)
    yield (
        f"{name}harmless change recognised",
        str(Share(sum(not _calls_relevant(ask(each)) for each in harmless), len(harmless))),
    )
    if relevant:
        kept = mean(
            len(answer.configurations) / len(each.truth.asked) for each in relevant if (answer := ask(each))
        )
        exact = mean(len(each.truth.changed) / len(each.truth.asked) for each in relevant)
        yield f"{name}mean share to measure, where it is relevant", f"{kept:.2f}; exact: {exact:.2f}"


def _calls_relevant(answer: ImpactAnswer | None) -> bool:
    return answer is not None and (answer.is_relevant or bool(answer.error))


def _without(records: Sequence[Record], *wrong: Miss) -> str:
    right = sum(not misses(each.truth, each.answers) & set(wrong) for each in records)
    return str(Share(right, len(records)))


def _wrong(records: Sequence[Record]) -> str:
    """What was missed, by the edit, with the numbers of the programs."""
    found: dict[Miss, list[Record]] = {}
    for each in records:
        for miss in misses(each.truth, each.answers):
            found.setdefault(miss, []).append(each)
    rows = []
    for miss in Miss:
        if miss in found:
            edits = Counter(each.edit for each in found[miss])
            numbers = ", ".join(str(each.key.number) for each in found[miss][:40])
            told = ", ".join(f"{edit} {count}" for edit, count in edits.most_common())
            rows.append((miss.value, len(found[miss]), told, numbers))
    return table(("what is wrong", "programs", "edits", "numbers"), rows) if rows else "Nothing was missed."
