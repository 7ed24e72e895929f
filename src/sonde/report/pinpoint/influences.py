"""What each term contributes to performance, over time, and what that predicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sonde.core.findings.pinpoints import Influence, Influences
from sonde.core.results import Metric
from sonde.report.flow import paragraph
from sonde.report.glyphs import Glyphs
from sonde.report.labels import shortened_inside
from sonde.report.quantities import counted, quantity, share_text
from sonde.report.tables import GAP, shortened, table, width
from sonde.report.terms import counting

LEAST_SHARE = 0.01  # of the typical value: what adds less is not shown
RELIABLE = 0.1  # relative error up to which a model is worth something
LEAST_NAME = 16  # columns of a term; where there is less room for it, there is no table


@dataclass(frozen=True)
class InfluenceScope:
    """Where influences are shown: the range by its last position, its revisions, and the unit of values."""

    last: int
    metric: Metric
    revision: Callable[[int], str]  # the name of the revision at a position


def influences_text(influences: Influences, place: InfluenceScope, most: int, glyphs: Glyphs) -> str:
    """The terms that matter, the model's error and its predictions, on lines of at most `most` columns."""
    if not influences.points:
        return paragraph("There are no influences to report, because nothing was measured.", most)
    shown = [one for one in influences.terms if _matters(one, influences.typical)]
    shown.sort(key=lambda one: (not one.is_core, len(one.term), -_size(one)))
    head = f"Influences, fitted to {counted(influences.points, 'point')}. {_error(influences)}"
    parts = [paragraph(head, most), _terms_text(shown, place, most, glyphs)]
    left_out = len(influences.terms) - len(shown)
    if left_out:
        typical = quantity(influences.typical, place.metric)
        less = f"below 1 % of the typical value, {typical}"
        told = f"{counted(left_out, 'term')} with an influence {less}, {'is' if left_out == 1 else 'are'}"
        parts.append(paragraph(f"{told} left out.", most))
    if influences.predictions:
        parts.append(_predictions_text(influences, place, most))
    return "\n\n".join(parts)


def influences_json(influences: Influences | None, revision: Callable[[int], object]) -> dict[str, object]:
    """All terms, however small; nothing if nobody asked for them.

    - influences: options (literals; none: the core, or every configuration) and unless (literals, of which
      any keeps it from being added); over_time: from_revision and value (in the metric's unit); gone_at, the
      revision from which on its options do not exist (null: they stay)
    - relative_error: mean, in configurations left out of the fit (null: too few to tell)
    - fitted_points: how many points it was fitted to
    - predictions: written (as asked for), configuration, revision, value, relative_error
    """
    if influences is None:
        return {}
    return {
        "influences": [
            {
                "options": sorted(map(str, one.term)),
                "unless": sorted(map(str, one.unless)),
                "over_time": [
                    {"from_revision": revision(since), "value": value} for since, value in one.over_time
                ],
                "gone_at": None if one.gone_at is None else revision(one.gone_at),
            }
            for one in influences.terms
        ],
        "relative_error": influences.relative_error,
        "fitted_points": influences.points,
        "predictions": [
            {
                "written": one.request.written,
                "configuration": dict(one.request.configuration.values),
                "revision": revision(one.request.position),
                "value": one.value,
                "relative_error": influences.relative_error,
            }
            for one in influences.predictions
        ],
    }


def _matters(influence: Influence, typical: float) -> bool:
    """The core always does; any other term by its size, or by how much it changed."""
    return influence.is_core or _size(influence) >= LEAST_SHARE * typical


def _size(influence: Influence) -> float:
    values = [value for _, value in influence.over_time]
    return max(*map(abs, values), max(values) - min(values))


def _error(influences: Influences) -> str:
    if influences.relative_error is None:
        return "Their prediction error is unknown, because only one configuration was measured."
    error = share_text(influences.relative_error)
    told = f"In configurations left out of the fit, the mean relative error is {error}."
    if influences.relative_error > RELIABLE:
        told += " Do not rely on them: influences do not add up, or too few configurations were measured."
    return told


def _terms_text(shown: Sequence[Influence], place: InfluenceScope, most: int, glyphs: Glyphs) -> str:
    """A table with a row a term and a further one a change; sentences where that is too wide."""
    first = min(one.over_time[0][0] for one in shown)
    head = ["term", f"at {place.revision(first)}", f"at {place.revision(place.last)}", "changed"]
    rows = []
    for one in shown:
        changes = _changes(one, first, place, glyphs) or [""]
        rows.append([counting(one.term, one.unless), *_ends(one, first, place), changes[0]])
        rows += [["", "", "", change] for change in changes[1:]]
    widths = [max(map(width, column)) for column in zip(head, *rows, strict=True)]
    room = most - sum(widths[1:]) - 3 * len(GAP)
    if room >= min(widths[0], LEAST_NAME):
        return table(head, [[shortened_inside(row[0], room), *row[1:]] for row in rows], "lrr")
    return "\n".join(_sentence(one, first, place, most, glyphs) for one in shown)


def _ends(one: Influence, first: int, place: InfluenceScope) -> list[str]:
    """Its size at the first and at the last revision; `-` where its options do not exist."""
    return [_added(one, one.at(position), place) for position in (first, place.last)]


def _changes(one: Influence, first: int, place: InfluenceScope, glyphs: Glyphs) -> list[str]:
    told = []
    (since, before), *later = one.over_time
    if since > first:
        told.append(f"{place.revision(since)}: new, {_added(one, before, place)}")
    for position, value in later:
        sizes = f"{_added(one, before, place)} {glyphs.arrow} {_added(one, value, place)}"
        told.append(f"{place.revision(position)}: {sizes}")
        before = value
    if one.gone_at is not None:
        told.append(f"{place.revision(one.gone_at)}: gone")
    return told


def _sentence(one: Influence, first: int, place: InfluenceScope, most: int, glyphs: Glyphs) -> str:
    at_first, at_last = _ends(one, first, place)
    ends = f"{at_first} at {place.revision(first)}, {at_last} at {place.revision(place.last)}"
    changes = "".join(f"; changed at {change}" for change in _changes(one, first, place, glyphs))
    return paragraph(f"{counting(one.term, one.unless)}: {ends}{changes}", most)


def _added(one: Influence, value: float | None, place: InfluenceScope) -> str:
    """The core is a value; all else is added to it."""
    if value is None:
        return "-"
    return f"{'+' if value > 0 and not one.is_core else ''}{quantity(value, place.metric)}"


def _predictions_text(influences: Influences, place: InfluenceScope, most: int) -> str:
    at = place.revision(influences.predictions[0].request.position)
    error = influences.relative_error
    how_wrong = (
        f"with a mean relative error of {share_text(error)}" if error is not None else "with an unknown error"
    )
    values = [quantity(one.value, place.metric) for one in influences.predictions]
    room = most - max(map(width, values)) - len(GAP)
    rows = [
        [shortened(one.request.written, room), value]
        for one, value in zip(influences.predictions, values, strict=True)
    ]
    head = paragraph(f"Predicted by these influences at {at}, {how_wrong}:", most)
    return f"{head}\n{table(['', ''], rows, 'lr')}"
