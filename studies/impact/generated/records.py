"""One line of JSON for each program, written at once, so that a run can be interrupted and resumed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from studies.impact.generated.answers import Answers, CheckAnswer, ImpactAnswer
from studies.impact.generated.truth import Effect, Truth

Json = dict[str, Any]  # what the json module reads


@dataclass(frozen=True)
class Key:
    """Which program it is: the seed of the run, and its number in it."""

    language: str
    seed: int
    number: int


@dataclass(frozen=True)
class Record:
    """All that is known about one program."""

    key: Key
    attempt: int  # how many subjects were drawn before that were not valid
    edit: str
    is_meant_harmless: bool
    has_variables: bool  # the project file says where options are kept
    options: int
    truth: Truth
    answers: Answers
    seconds: float


def append(file: Path, record: Record) -> None:
    """Write a record; it is on the disk before the next program begins."""
    with file.open("a") as stream:
        stream.write(json.dumps(_to_json(record)) + "\n")


def read(file: Path) -> Iterator[Record]:
    """The records of a file; a last line that was cut off is passed over."""
    if file.exists():
        for line in file.read_text().splitlines():
            if line.endswith("}"):
                yield _from_json(json.loads(line))


def _to_json(record: Record) -> Mapping[str, object]:
    found = asdict(record)
    found["truth"]["effects"] = {
        level: {name: [effect.base, effect.head] for name, effect in effects.items()}
        for level, effects in record.truth.effects.items()
    }
    return found


def _from_json(raw: Json) -> Record:
    truth, answers = raw["truth"], raw["answers"]
    effects = {
        level: {name: Effect(*counts) for name, counts in several.items()}
        for level, several in truth["effects"].items()
    }
    impact, given, check = (answers[name] for name in ("impact", "hot_given", "check"))
    return Record(
        Key(**raw["key"]),
        raw["attempt"],
        raw["edit"],
        raw["is_meant_harmless"],
        raw["has_variables"],
        raw["options"],
        Truth(effects, truth["level"], tuple(truth["hot"]), truth.get("noise", 0.0)),
        Answers(
            None if impact is None else _impact(impact),
            None if given is None else _impact(given),
            None if check is None else CheckAnswer(**{**check, "reasons": tuple(check["reasons"])}),
        ),
        raw["seconds"],
    )


def _impact(raw: Json) -> ImpactAnswer:
    lists = {name: tuple(raw[name]) for name in ("related", "configurations", "hot")}
    return ImpactAnswer(**{**raw, **lists})
