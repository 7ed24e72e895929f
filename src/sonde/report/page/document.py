"""The page as JSON: what the script of the page reads."""

from __future__ import annotations

import math

from sonde.core.revisions import Revision
from sonde.report.harmless import harmless
from sonde.report.history.change_table import in_percent
from sonde.report.page.model import (
    ComparedCase,
    ListedChange,
    Page,
    ShownEffect,
    TermMatrix,
)
from sonde.report.page.packed_series import packed_revisions, packed_series, row_shares, series_outline
from sonde.report.page.packing import RESOLUTION
from sonde.report.page.wording import date_text
from sonde.report.quantities import finite
from sonde.report.revisions import revisions_json

FORMAT = 1
MOST_ROWS = 400_000  # of all series


def page_document(page: Page, most_rows: int = MOST_ROWS) -> dict[str, object]:
    """Everything on the page; revisions and the courses of series are packed (see `packing`).

    - title, scope, sentence, counts, changes, cases, matrices, left_out, warnings, facts: see `model`
    - revisions: length, and packed JSON: id, committed_at, author, subject, in columns
    - tags: pairs of a position and a name
    - series: name, benchmark, configuration, options, unit, sentence, spark, changes, numbers of points
      in each state, bucket (how many revisions a row stands for, if they may differ; else 1), and packed
      rows of it
    """
    return _harmless(
        {
            **_head(page),
            "changes": [_change(each) for each in page.changes],
            "revisions": {"length": len(page.history), "packed": packed_revisions(page.history)},
            "tags": [[position, name] for position, name in sorted(page.tags.items())],
            "resolution": RESOLUTION,
            "series": [
                packed_series(each, rows)
                for each, rows in zip(page.series, row_shares(page.series, most_rows), strict=True)
            ],
            **_rest(page),
        }
    )


def plain_document(page: Page) -> dict[str, object]:
    """The same for programs: revisions as a list, and each series by its number only."""
    return _harmless(
        {
            **_head(page),
            "changes": [_change(each) for each in page.changes],
            "revisions": revisions_json(page.history),
            "tags": [[position, name] for position, name in sorted(page.tags.items())],
            "series": [series_outline(each) for each in page.series],
            **_rest(page),
        }
    )


def _head(page: Page) -> dict[str, object]:
    return {
        "format": FORMAT,
        "title": page.title,
        "scope": page.scope,
        "sentence": page.sentence,
        "counts": [
            {
                "name": each.name,
                "number": each.number,
                "meaning": each.meaning,
                "is_slower": each.is_slower,
                "is_alarm": each.is_alarm,
            }
            for each in page.counts
        ],
    }


def _rest(page: Page) -> dict[str, object]:
    return {
        "cases": [_case(each) for each in page.cases],
        "matrices": [_matrix(each) for each in page.matrices],
        "left_out": list(page.left_out),
        "warnings": list(page.warnings),
        "facts": [
            {"name": each.name, "text": each.text, "is_command": each.is_command} for each in page.facts
        ],
    }


def _change(change: ListedChange) -> dict[str, object]:
    return {
        "key": change.key,
        "is_slower": change.is_slower,
        **_effect(change.effect),
        "least": None if change.least is None else in_percent(change.least),
        "earliest": _revision(change.earliest),
        "revision": _revision(change.revision),
        "apart": change.apart,
        "benchmark": change.benchmark,
        "where": change.where,
        "options": list(change.options),
        "before": change.before,
        "after": change.after,
        "evidence": change.evidence.value,
        "series": list(change.series),
        "command": change.command,
        "note": change.note,
    }


def _effect(effect: ShownEffect) -> dict[str, object]:
    return {
        "size": in_percent(effect.log),
        "interval": [in_percent(_bounded(effect.low)), in_percent(_bounded(effect.high))],
        "effect": finite(effect.log),
        "low": finite(effect.low),
        "high": finite(effect.high),
    }


def _bounded(log: float) -> float:
    return max(-700.0, min(log, 700.0))


def _revision(revision: Revision) -> dict[str, object]:
    return {
        "id": revision.id,
        "short": revision.short,
        "date": date_text(revision),
        "author": revision.author,
        "subject": revision.subject,
    }


def _case(case: ComparedCase) -> dict[str, object]:
    return {
        "benchmark": case.benchmark,
        "configuration": case.configuration,
        "verdict": case.verdict,
        **({} if case.effect is None else _effect(case.effect)),
        "threshold": math.log1p(case.threshold),
        "before": case.before,
        "after": case.after,
        "reason": case.reason,
    }


def _matrix(matrix: TermMatrix) -> dict[str, object]:
    return {
        "benchmark": matrix.benchmark,
        "terms": list(matrix.terms),
        "revisions": [_revision(each) for each in matrix.revisions],
        "cells": [
            {
                "term": cell.term,
                "column": cell.column,
                "effect": finite(cell.effect),
                "size": in_percent(cell.effect),
                "probability": cell.probability,
                "change": cell.change,
            }
            for cell in matrix.cells
        ],
    }


def _harmless(document: dict[str, object]) -> dict[str, object]:
    """With every text in it harmless; a subject may hold what turns the direction of writing."""
    return {name: _without_harm(value) for name, value in document.items()}


def _without_harm(value: object) -> object:
    if isinstance(value, str):
        return harmless(value)
    if isinstance(value, list):
        return [_without_harm(each) for each in value]
    if isinstance(value, dict):
        return {name: _without_harm(each) for name, each in value.items()}
    return value
