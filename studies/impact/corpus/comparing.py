"""Answers now beside those that were kept, and how right they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from studies.impact.corpus.entries import Entry
from studies.impact.corpus.outcomes import Miss, Outcome, misses

Found = Mapping[str, tuple[Entry, Outcome]]

COLUMNS = "entries, right, relevant found, slowed kept, harmless recognised, mean share of relevant ones"


def differences(found: Found, kept: Mapping[str, Outcome]) -> str:
    """One line for each answer on which users would act otherwise; what is lost is marked."""
    lines, others = [], 0
    for name, (entry, now) in found.items():
        before = kept.get(name)
        if before is None or before.digest == now.digest:
            continue
        if before.says == now.says:
            others += 1
            continue
        lost = misses(entry, now) - misses(entry, before)
        mark = f"  LOST: {', '.join(sorted(each.value for each in lost))}" if lost else ""
        lines.append(f"{name}: {_said(before)} -> {_said(now)}{mark}")
    if kept:
        lines.append(f"{len(lines)} answers differ, and {others} only in their words or classes")
    return "".join(f"{line}\n" for line in lines)


def table(found: Found) -> str:
    """How right the answers are, by kind of entry."""
    lines = [f"kind: {COLUMNS}"]
    for kind in sorted({entry.kind for entry, _ in found.values()}):
        lines.append(f"{kind}: {_row([each for each in found.values() if each[0].kind == kind])}")
    return "".join(f"{line}\n" for line in lines)


def speed(found: Found, kept: Mapping[str, Outcome]) -> str:
    """Seconds of work, beside those of the answers that were kept."""
    seconds = sum(now.seconds for _, now in found.values())
    before = sum(kept[name].seconds for name in found if name in kept)
    return f"{seconds:.1f} s of work" + (f", {before:.1f} s before" if before else "")


def _row(several: Sequence[tuple[Entry, Outcome]]) -> str:
    relevant = [now for entry, now in several if entry.is_relevant]
    slower = [Miss.NOT_KEPT not in misses(entry, now) for entry, now in several if entry.slower]
    harmless = [not now.is_relevant for entry, now in several if entry.is_harmless]
    share = sum(now.share for now in relevant) / max(1, len(relevant))
    right = sum(not misses(entry, now) for entry, now in several)
    seen = sum(now.is_relevant for now in relevant)
    return (
        f"{len(several)}, {right}, {seen}/{len(relevant)}, {sum(slower)}/{len(slower)}, "
        f"{sum(harmless)}/{len(harmless)}, {share:.4f}"
    )


def _said(outcome: Outcome) -> str:
    if not outcome.is_relevant:
        return "not relevant"
    behind = f" behind {','.join(outcome.behind)}" if outcome.behind else ""
    return f"[{','.join(outcome.related)}]{behind} {len(outcome.configurations)}/{outcome.total}"
