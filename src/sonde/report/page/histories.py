"""The page of histories: every series and every change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from sonde.core.findings.histories import Histories, Known, SeriesHistory
from sonde.core.options import Configuration, OptionName, Term
from sonde.core.revisions import History
from sonde.report.cost import ending_text
from sonde.report.labels import difference
from sonde.report.page.commands import change_command
from sonde.report.page.grouping import ChangeGroup, group_changes
from sonde.report.page.model import (
    ChangeEvidence,
    ListedChange,
    Page,
    PlottedSeries,
    ReportFact,
    ShownEffect,
    StateCount,
)
from sonde.report.page.ranking import ranked
from sonde.report.page.wording import lead_sentence, scope_text, series_sentence
from sonde.report.quantities import quantity
from sonde.report.terms import where

SharedTerm = Callable[[Sequence[Configuration], Sequence[Configuration]], Term | None]


@dataclass(frozen=True)
class PageContext:
    """What a page needs beside its findings."""

    project: str  # its name
    shared_term: SharedTerm  # that holds in the first configurations and in none of the others
    tags: Mapping[int, str]  # position in the history -> name
    words: tuple[str, ...] = ()  # arguments of every command that is shown
    facts: tuple[ReportFact, ...] = ()


@dataclass(frozen=True)
class KnownSpan:
    """The first and the last position at which a series is measured or proven."""

    first: int
    last: int


def history_page(histories: Histories, context: PageContext) -> Page:
    """The page of what `sonde history` found, or of all histories that the store knows."""
    changes = history_changes(histories, context)
    compared = sum(series.measured + series.proven >= 2 for series in histories.series)
    ending = ending_text(histories.ending, histories.spent)
    return Page(
        f"{context.project}: performance history",
        scope_text(histories.history),
        lead_sentence(changes, compared, len(histories.series)),
        (*change_counts(changes), *_point_counts(histories.series)),
        changes,
        histories.history,
        context.tags,
        tuple(_plotted(series, histories) for series in histories.series),
        facts=(*context.facts, ReportFact("Cost", ending)),
    )


def history_changes(histories: Histories, context: PageContext) -> tuple[ListedChange, ...]:
    """The rows of the list, the weightiest first."""
    spans = [_known_span(series) for series in histories.series]
    listed = [_listed(group, histories, spans, context) for group in group_changes(histories.series)]
    return ranked(sorted(listed, key=lambda change: histories.history.positions[change.revision.id]))


def change_counts(changes: Sequence[ListedChange]) -> tuple[StateCount, StateCount]:
    """How many changes there are in each direction."""
    slower = sum(change.is_slower for change in changes)
    return (
        StateCount("slower", slower, "Changes after which the value is higher.", True),
        StateCount("faster", len(changes) - slower, "Changes after which the value is lower.", False),
    )


def _point_counts(series: Sequence[SeriesHistory]) -> Iterator[StateCount]:
    """How the values of all points are known."""
    failed = sum(len(one.failed) for one in series)
    guessed = sum(_estimated(one) for one in series)
    measured, proven = sum(one.measured for one in series), sum(one.proven for one in series)
    yield StateCount("measured", measured, "Points (revision, configuration, benchmark) that were run.")
    yield StateCount("proven equal", proven, "Points that are proven equal to a measured one.")
    yield StateCount("failed", failed, "Points that do not build or do not run.")
    yield StateCount("never looked at", guessed, "Points whose value is an estimate from their neighbours.")


def _estimated(series: SeriesHistory) -> int:
    failed = set(series.failed)
    return sum(
        estimate is not None and estimate.known is Known.ESTIMATED and position not in failed
        for position, estimate in enumerate(series.estimates)
    )


def _plotted(series: SeriesHistory, histories: Histories) -> PlottedSeries:
    return PlottedSeries(
        series,
        difference(series.configuration, histories.default),
        options_of(series.configuration, histories.default),
        series_sentence(series, histories.history),
    )


def options_of(configuration: Configuration, default: Configuration) -> tuple[OptionName, ...]:
    """The options that differ from the default."""
    return tuple(literal.option for literal in configuration if default[literal.option] != literal.value)


def _listed(
    group: ChangeGroup, histories: Histories, spans: Sequence[KnownSpan], context: PageContext
) -> ListedChange:
    history, shown = histories.history, group.main
    series, change = histories.series[shown.series], shown.change
    place, options = _place(group, histories, spans, context.shared_term)
    effects = [member.change.effect for member in group.members]
    return ListedChange(
        _key(group, series, history),
        ShownEffect(change.effect, change.effect_low, change.effect_high),
        min(effects, key=abs) if len(effects) > 1 else None,
        history[group.earliest],
        history[group.latest],
        group.latest - group.earliest + 1,
        series.benchmark,
        place,
        options,
        quantity(change.before, series.metric),
        quantity(change.after, series.metric),
        _evidence(group),
        group.series,
        change_command(change, series, history, histories.default, context.words),
    )


def _key(group: ChangeGroup, series: SeriesHistory, history: History) -> str:
    """The same in every page that has this change, as long as its revision and its benchmark stay."""
    direction = "slower" if group.main.change.effect > 0 else "faster"
    return f"{history[group.latest].short}-{direction}-{series.benchmark}"


def _evidence(group: ChangeGroup) -> ChangeEvidence:
    if not any(member.change.is_clear for member in group.members):
        return ChangeEvidence.UNCLEAR
    return ChangeEvidence.EXACT if group.earliest == group.latest else ChangeEvidence.RANGE


def _place(
    group: ChangeGroup, histories: Histories, spans: Sequence[KnownSpan], shared_term: SharedTerm
) -> tuple[str, tuple[OptionName, ...]]:
    """The options of a group, in words and by name."""
    benchmark = histories.series[group.main.series].benchmark
    changed = {histories.series[number].configuration for number in group.certain_series}
    every = {histories.series[number].configuration for number in group.series}
    others = [
        one.configuration
        for one, span in zip(histories.series, spans, strict=True)
        if one.benchmark == benchmark and one.configuration not in every and _is_unchanged(one, span, group)
    ]
    if len(every) == 1 and not others:
        (only,) = changed
        name = difference(only, histories.default)
        words = "in the default configuration" if name == "default" else f"with {name}"
        return words, options_of(only, histories.default)
    term = shared_term(sorted(changed, key=str), others)
    if term is not None:
        suffix = "" if term else f" that has values ({len(every)})"
        return where(term) + suffix, tuple(sorted(literal.option for literal in term))
    total = len(every) + len(others)
    options = {name for each in every for name in options_of(each, histories.default)}
    return f"in {len(every)} of {total} configurations", tuple(sorted(options))


def _known_span(series: SeriesHistory) -> KnownSpan:
    known = [
        position
        for position, estimate in enumerate(series.estimates)
        if estimate is not None and estimate.known is not Known.ESTIMATED
    ]
    return KnownSpan(known[0], known[-1]) if known else KnownSpan(len(series.estimates), -1)


def _is_unchanged(series: SeriesHistory, span: KnownSpan, group: ChangeGroup) -> bool:
    """Whether the series has known values on both sides of the change, and no change that may be this one."""
    is_known = span.first < group.earliest and span.last >= group.latest
    return is_known and not any(
        change.earliest <= group.latest and change.latest >= group.earliest for change in series.changes
    )
