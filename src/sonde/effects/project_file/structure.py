"""Whether a project file has the right keys with values of the right kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from sonde.effects.project_file.mistakes import Mistake
from sonde.effects.project_file.models import (
    BenchmarkPart,
    BuildPart,
    CommandPart,
    EnvironmentPart,
    FilePart,
    OptionPart,
    ServerPart,
    StrictTable,
)
from sonde.effects.project_file.positions import KeyPath
from sonde.space.nearest import nearest

_HOMES: Mapping[str, type[StrictTable]] = {
    "at the top of the file, before the first [table]": FilePart,
    "in [build]": BuildPart,
    "in [options.NAME]": OptionPart,
    "in [benchmarks.NAME]": BenchmarkPart,
    "in [environment]": EnvironmentPart,
}

_MEANT_METRICS = {
    "time": ("cpu", "wall"),
    "seconds": ("cpu", "wall"),
    "duration": ("cpu", "wall"),
    "user": ("cpu",),
    "real": ("wall",),
    "elapsed": ("wall",),
    "rss": ("memory",),
    "cycles": ("instructions",),
    "throughput": ("printed",),
    "custom": ("printed",),
}

_WRONG_KINDS = {
    "string_type": 'is not a string. Write it in quotes: "...".',
    "int_type": "is not a whole number. Write only digits, without quotes.",
    "bool_type": "is not true or false. Write one of them, without quotes.",
    "list_type": 'is not a list. Write it in brackets: ["...", "..."].',
    "dict_type": "is not a table. Write a [table], or { key = value }.",
    "model_type": "is not a table. Write a [table], or { key = value }.",
}


@dataclass(frozen=True)
class Structure:
    """What of the file could be understood, and what could not."""

    part: FilePart
    mistakes: tuple[Mistake, ...]
    dropped: frozenset[KeyPath]  # keys that are taken as not written, because they are wrong

    def is_intact(self, path: KeyPath) -> bool:
        """Whether nothing at `path` or below it was dropped."""
        return not any(dropped[: len(path)] == path for dropped in self.dropped)


def read_structure(keys: Mapping[str, object]) -> Structure:
    """The parts of the file. Wrong keys are left out of it, so that the rest can be checked too."""
    mistakes: list[Mistake] = []
    dropped: set[KeyPath] = set()
    rest: dict[str, Any] = deepcopy(dict(keys))
    while True:
        try:
            return Structure(FilePart.model_validate(rest), tuple(mistakes), frozenset(dropped))
        except ValidationError as error:
            found = error.errors(include_url=False)
        wrong = {_owner(rest, problem["loc"]) for problem in found}
        mistakes += [_mistake(rest, problem["loc"], dict(problem)) for problem in found]
        for path in wrong:
            _remove(rest, path)
        dropped |= wrong


def _existing(keys: object, path: KeyPath) -> KeyPath:
    """The longest beginning of `path` that the file has; pydantic's own steps are not in it."""
    place = keys
    for length, key in enumerate(path):
        items = dict(enumerate(place)) if isinstance(place, list) else place
        if not isinstance(items, dict) or key not in items:
            return path[:length]
        place = items[key]
    return path


def _owner(keys: object, path: KeyPath) -> KeyPath:
    """The key that must go if `path` is wrong; a list goes as a whole, so that elements keep their places."""
    existing = _existing(keys, path)
    first_index = next((at for at, key in enumerate(existing) if isinstance(key, int)), len(existing))
    return existing[:first_index]


def _remove(keys: dict[str, Any], path: KeyPath) -> None:
    place: Any = keys
    for key in path[:-1]:
        place = place.get(key, {})
    place.pop(path[-1], None)


def _mistake(keys: object, path: KeyPath, problem: Mapping[str, Any]) -> Mistake:
    kind, context = problem["type"], problem.get("ctx", {})
    where = _existing(keys, path)
    if kind == "extra_forbidden":
        return Mistake(path, _unknown_key(path), names_value=False)
    if kind == "literal_error":
        return Mistake(where, _not_among(path, str(problem["input"])))
    if kind == "value_error":
        return Mistake(where, str(context["error"]))
    if kind in ("greater_than_equal", "less_than_equal"):
        limit = context.get("ge", context.get("le"))
        return Mistake(where, f"is out of range. Write {limit} or {'more' if 'ge' in context else 'less'}.")
    if kind == "model_type" and isinstance(path[-1], int):
        return Mistake(where, 'is not a table. Write { run = "..." }, with since or until.')
    return Mistake(where, _WRONG_KINDS.get(kind, f"is not valid: {problem['msg']}."))


def _unknown_key(path: KeyPath) -> str:
    key, part = str(path[-1]), _part_at(path[:-1])
    known = list(part.model_fields)
    homes = [home for home, other in _HOMES.items() if key in other.model_fields]
    match = nearest(key, known)
    hint = f" Did you mean '{match}'?" if match else f" It belongs {homes[0]}." if homes else ""
    return f"is not a known key.{hint} Known keys here: {', '.join(known)}."


def _not_among(path: KeyPath, given: str) -> str:
    if path[-1] == "order":
        return 'is not an order. Write "first-parent" or "topological".'
    metrics = ("instructions", "cpu", "wall", "memory", "printed")
    match = nearest(given, metrics)
    meant = _MEANT_METRICS.get(given.lower(), (match,) if match else ())
    hint = f" Did you mean {' or '.join(meant)}?" if meant else ""
    return f"is not a metric.{hint} Write one of {', '.join(metrics)}."


def _part_at(path: KeyPath) -> type[StrictTable]:
    match path:
        case ():
            return FilePart
        case ("build",):
            return BuildPart
        case ("environment",):
            return EnvironmentPart
        case ("options", _):
            return OptionPart
        case ("benchmarks", _):
            return BenchmarkPart
        case ("benchmarks", _, "server"):
            return ServerPart
        case _:
            return CommandPart


def gather(*groups: Iterable[Mistake]) -> list[Mistake]:
    """All mistakes of several checks."""
    return [mistake for group in groups for mistake in group]
