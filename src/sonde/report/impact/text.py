"""Whether a change can reach hot code, in words."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from sonde.core.code import SourceLine
from sonde.core.findings.impacts import Analysis, Impact, Interaction, OptionImpact, Role, Via, Waypoint
from sonde.core.results import Cost
from sonde.report.flow import paragraph
from sonde.report.labels import difference
from sonde.report.quantities import counted, duration, share_text
from sonde.report.revisions import ranges_of_both, revision_text
from sonde.report.tables import shortened, table, width

MOST_CHANGED = 5
MOST_HOT = 5
MOST_WAYS = 3
MOST_STEPS = 12
MOST_CONFIGURATIONS = 12
LEAST_WHY = 40  # columns
_ROLES = {
    Role.RELATED: "related",
    Role.BEHIND: "behind hot code",
    Role.UNRELATED: "not related",
    Role.UNKNOWN: "unknown, so kept",
}
_VIA = {
    Via.WITHIN: "the changed code is hot, or hot code calls it",
    Via.EXPLICIT: "a changed value flows into it",
    Via.IMPLICIT: "a changed value decides what it executes",
}


def impact_text(impact: Impact, most: int) -> str:
    """The answer, the ways to hot code, the options, and what to measure; at most so many columns wide."""
    parts = [_heading(impact, most), paragraph(_verdict(impact), most)]
    parts += [_way(each, most) for each in impact.interactions[:MOST_WAYS]]
    if len(impact.interactions) > MOST_WAYS:
        parts.append(f"--json lists {counted(len(impact.interactions) - MOST_WAYS, 'more path')}.")
    if impact.is_relevant:
        if impact.options:
            parts.append(_options(impact.options, most))
        parts += [paragraph(_saving(impact), most), _command(impact)]
    parts.append(paragraph(" ".join(filter(None, [_how(impact.analysis), _cost(impact.cost)])), most))
    parts += [paragraph(f"Warning: {warning}", most) for warning in impact.warnings]
    if impact.caveats:
        parts.append(paragraph(" ".join(impact.caveats), most))
    return "\n\n".join(filter(None, parts))


def _heading(impact: Impact, most: int) -> str:
    changed = [each.name for each in impact.changed]
    if not changed:
        what = "no difference in code."
    else:
        more = f" and {len(changed) - MOST_CHANGED:,} more" if len(changed) > MOST_CHANGED else ""
        what = f"{', '.join(changed[:MOST_CHANGED])}{more} changed."
    compared = paragraph(f"Compared with {revision_text(impact.base)}: {what}", most)
    return f"{revision_text(impact.head)}\n{compared}"


def _verdict(impact: Impact) -> str:
    if not impact.hot:
        return impact.verdict
    names = [
        each.name + (f" ({share_text(each.share)} of {each.where})" if each.share is not None else "")
        for each in impact.hot
    ]
    more = f" and {len(names) - MOST_HOT:,} more" if len(names) > MOST_HOT else ""
    return f"{impact.verdict} Hot code: {', '.join(names[:MOST_HOT])}{more}."


def _way(interaction: Interaction, most: int) -> str:
    """A way from the change to hot code, one line a step."""
    ending = ", as it was before the deletion" if interaction.is_deletion else ""
    head = f"{interaction.changed_routine} -> {interaction.hot_routine}: {_VIA[interaction.via]}{ending}"
    steps = list(interaction.path)
    if len(steps) > MOST_STEPS:
        half = MOST_STEPS // 2
        left_out = len(steps) - 2 * half
        rows = [_step(each) for each in steps[:half]]
        rows.append((f"({left_out} steps)", "", ""))
        rows += [_step(each) for each in steps[-half:]]
    else:
        rows = [_step(each) for each in steps]
    lines = [paragraph(head, most)]
    if rows:
        lines += [f"  {shortened(line, most - 2)}" for line in table(("", "", ""), rows).split("\n")]
    return "\n".join(lines)


def _step(step: Waypoint) -> tuple[str, str, str]:
    return place_text(step.place), step.routine, step.words


def place_text(place: SourceLine) -> str:
    """`file:line`, or what is known of it."""
    if not place.file:
        return "?"
    return f"{place.file}:{place.line}" if place.line else place.file


def _options(options: Sequence[OptionImpact], most: int) -> str:
    names = [each.option for each in options]
    roles = [_ROLES[each.role] for each in options]
    room = most - max(map(width, names)) - max(map(width, roles)) - 4
    rows = []
    for name, role, each in zip(names, roles, options, strict=True):
        place = place_text(each.place) if each.place and each.place.file else ""
        where = f" ({place})" if place and place not in each.reason else ""
        lines = paragraph(f"{each.reason}{where}", max(room, LEAST_WHY)).split("\n")
        rows.append((name, role, lines[0]))
        rows += [("", "", line) for line in lines[1:]]
    return table(("", "", ""), rows)


def _saving(impact: Impact) -> str:
    number, total = len(impact.configurations), impact.configurations_total
    of = f"{'more than ' if impact.is_cut else ''}{number:,} of {counted(total, 'configuration')}"
    share = f" ({share_text(number / total)})" if total else ""
    text = f"Measure {of}{share}: {_choice(impact)}."
    if impact.seconds is not None:
        needed, everything = impact.seconds
        text += f" That saves about {duration(everything - needed)} of {duration(everything)}."
    return text


def _choice(impact: Impact) -> str:
    """Which configurations these are, and why others are left out."""
    pairs = (
        f"; and {impact.beside:,} more, to cover all pairs of values of the options behind hot code"
        if impact.beside
        else ""
    )
    return _combinations(impact) + pairs


def _combinations(impact: Impact) -> str:
    if not impact.related_options:
        return "the default"
    idle = impact.not_executed
    alike = impact.combinations - idle - (len(impact.configurations) - impact.beside)
    reasons = []
    if idle > 0:
        reasons.append(f"{idle:,} of them do not execute the changed code or the hot code that it reaches")
    if alike > 0:
        reasons.append(
            f"{alike:,} take the same branches on these paths as another one, so one of them is enough"
        )
    if not reasons:
        return "all valid combinations of the related options"
    what = counted(impact.combinations, "valid combination")
    return f"of {what} of the related options, {'; '.join(reasons)}"


def _command(impact: Impact) -> str:
    """What measures the configurations at both revisions."""
    chosen = [difference(each, impact.default) for each in impact.configurations]
    if len(chosen) == impact.configurations_total > MOST_CONFIGURATIONS:
        chosen = ["all"]
    words = [word for name in chosen[:MOST_CONFIGURATIONS] for word in ("-c", name)]
    if chosen == ["default"]:
        words = []
    lines = [
        f"$ sonde measure {range} {shlex.join(words)}".rstrip()
        for range in ranges_of_both(impact.head, impact.base)
    ]
    if len(chosen) > MOST_CONFIGURATIONS:
        lines.append(f"({len(chosen) - MOST_CONFIGURATIONS:,} more configurations; --json lists them)")
    return "\n".join(lines)


def _how(analysis: Analysis | None) -> str:
    if analysis is None:
        return ""
    why = f" ({analysis.reason})" if analysis.reason else ""
    calls = (
        f" {analysis.resolved_calls:,} of {counted(analysis.indirect_calls, 'call')} through "
        "pointers were resolved."
        if analysis.indirect_calls
        else ""
    )
    return (
        f"{counted(analysis.instructions, 'instruction')} were analysed in "
        f"{duration(analysis.seconds)}; pointer analysis: {analysis.points_to}{why}.{calls}"
    )


def _cost(cost: Cost) -> str:
    if not cost.builds and not cost.runs:
        return ""
    work = f"{counted(cost.builds, 'build')} and {counted(cost.runs, 'profiled run')}"
    return f"The analysis took {work}, {duration(cost.seconds)} of work."
