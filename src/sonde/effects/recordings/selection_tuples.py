"""Recorded tuples for the selection of benchmarks: what changed, and how much the metric did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from sonde.effects.recordings.errors import RecordingError, mistake, quoted
from sonde.effects.recordings.tables import read_table

ALWAYS = ("child", "bench", "dir")
YES_OR_NO = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False, "": False}


@dataclass(frozen=True)
class SelectionTuple:
    """One row: a benchmark at a revision and at an ancestor of it."""

    child: str
    parent: str  # empty where the file does not say
    benchmark: str
    is_same: bool  # whether both builds are identical
    change: float  # of the metric, relative: 0.01 is 1 % more
    unjoined: float  # share of the cost that belongs to no known function
    seconds: float  # that a run takes; 1 where the file does not say
    hops: int  # revisions between them; 1 where the file does not say
    values: Mapping[str, float]  # of indicators


def read_selection_tuples(
    file: Path, needed: Sequence[str], known: Sequence[str]
) -> tuple[SelectionTuple, ...]:
    """The tuples of a CSV file, plain or packed with gzip, in its order; raises RecordingError.

    There must be a column for each of `needed`; of `known`, those are read that there are, and other columns
    are passed over. The column `dir` is in percent.
    """
    shown = str(file)
    rows = read_table(file)
    line, head = next(rows)
    missing = [name for name in (*ALWAYS, *needed) if name not in head]
    if missing:
        raise _lacking(shown, line, missing)
    indicators = [name for name in known if name in head]
    tuples = tuple(_tuple(shown, line, dict(zip(head, row, strict=True)), indicators) for line, row in rows)
    if not tuples:
        raise mistake(shown, 0, "there are no tuples, only a header. Write one row per tuple.")
    return tuples


def _lacking(shown: str, line: int, missing: Sequence[str]) -> RecordingError:
    columns = ", ".join(map(repr, missing))
    one = "there is no column" if len(missing) == 1 else "there are no columns"
    message = f"{one} {columns}. Add {'it' if len(missing) == 1 else 'them'}, or choose other --indicators."
    if set(missing) & set(ALWAYS):
        message = f"{one} {columns}. Give each tuple a child, a bench and a dir, the change in percent."
    return mistake(shown, line, message)


def _tuple(shown: str, line: int, row: Mapping[str, str], indicators: Sequence[str]) -> SelectionTuple:
    child, benchmark = row["child"].strip(), row["bench"].strip()
    for name, text in (("child", child), ("bench", benchmark)):
        if not text:
            raise mistake(shown, line, f"the {name} is empty. Name it.")
    return SelectionTuple(
        child=child,
        parent=row.get("parent", "").strip(),
        benchmark=benchmark,
        is_same=_yes_or_no(shown, line, row.get("same", "")),
        change=_number(shown, line, "dir", row["dir"]) / 100,
        unjoined=_positive(shown, line, "unj", row.get("unj", "0")),
        seconds=_positive(shown, line, "seconds", row.get("seconds", "1")),
        hops=max(1, round(_positive(shown, line, "hops", row.get("hops", "1")))),
        values={name: _positive(shown, line, name, row[name]) for name in indicators},
    )


def _yes_or_no(shown: str, line: int, text: str) -> bool:
    answer = YES_OR_NO.get(text.strip().lower())
    if answer is None:
        raise mistake(shown, line, f"same is {quoted(text)}. Write True or False.")
    return answer


def _number(shown: str, line: int, name: str, text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not isfinite(number):
        message = f"{name} is {quoted(text)}, which is not a number. Write one, or remove the row."
        raise mistake(shown, line, message)
    return number


def _positive(shown: str, line: int, name: str, text: str) -> float:
    number = _number(shown, line, name, text)
    if number < 0:
        raise mistake(shown, line, f"{name} is {quoted(text)}. Write a number of at least 0.")
    return number
