"""Snapshots and profiles as bytes, and back; a change of what is written here needs another format."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain
from typing import TypeVar

from sonde.core.code_lines import CodeLines, FunctionLines
from sonde.core.evidence import (
    Activity,
    Aspect,
    CostUnit,
    DataObject,
    ExecutedInstructions,
    Function,
    Key,
    Language,
    Loading,
    Profile,
    ProfiledFunction,
    ProgramTraits,
    Snapshot,
)
from sonde.effects.store.packing import FirstSeenNumbers, NumberColumns, unpack

T = TypeVar("T")


def encode_snapshot(snapshot: Snapshot) -> bytes:
    """A snapshot as bytes."""
    text, columns = FirstSeenNumbers[str](), NumberColumns()
    functions, objects = snapshot.functions.values(), snapshot.objects.values()
    referred = chain((each.refers_to for each in functions), (each.refers_to for each in objects))
    named = chain(snapshot.functions, snapshot.objects, snapshot.aliases, snapshot.aliases.values())
    key = FirstSeenNumbers(chain(named, chain.from_iterable(referred)))
    _add_places(columns, text, key)
    columns.add(map(key, snapshot.functions))
    columns.add(text(each.code) for each in functions)
    columns.add(text(each.masked) for each in functions)
    columns.add_sets(map(text, each.masked_for) for each in functions)
    columns.add(text(each.raw) for each in functions)
    columns.add(text(each.texts) for each in functions)
    columns.add(each.length for each in functions)
    columns.add_sets(map(text, each.calls) for each in functions)
    columns.add_sets(map(key, each.refers_to) for each in functions)
    columns.add(each.layout for each in functions)
    columns.add(map(key, snapshot.objects))
    columns.add(text(each.content) for each in objects)
    columns.add(each.size_bytes for each in objects)
    columns.add(each.is_constant for each in objects)
    columns.add_sets(map(key, each.refers_to) for each in objects)
    columns.add_sets(map(text, each.calls) for each in objects)
    columns.add(each.is_gathered for each in objects)
    columns.add(each.layout for each in objects)
    columns.add(map(key, snapshot.aliases))
    columns.add(map(key, snapshot.aliases.values()))
    head = {
        "texts": list(text),
        "languages": {output: language.value for output, language in snapshot.languages.items()},
        "startup": dict(snapshot.startup),
        "files": dict(snapshot.files),
        "libraries": {output: sorted(names) for output, names in snapshot.libraries.items()},
        "loading": {
            output: [sorted(each.lookups), each.relocations] for output, each in snapshot.loading.items()
        },
        "programs": {
            output: [each.content, sorted(each.exports), each.dispatches, each.layout]
            for output, each in snapshot.programs.items()
        },
        "interpreter": snapshot.interpreter,
    }
    return columns.pack(head)


def decode_snapshot(packed: bytes) -> Snapshot:
    """The snapshot that became these bytes."""
    head, columns = unpack(packed)
    text: Sequence[str] = head["texts"]
    keys = list(map(Key, *(_chosen(columns, text) for _ in range(3))))
    names = _chosen(columns, keys)
    functions = map(
        Function,
        _chosen(columns, text),
        _chosen(columns, text),
        columns.take_sets(text),
        _chosen(columns, text),
        _chosen(columns, text),
        columns.take(),
        columns.take_sets(text),
        columns.take_sets(keys),
        columns.take(),
    )
    functions_by_key = dict(zip(names, functions, strict=True))
    names = _chosen(columns, keys)
    objects = map(
        DataObject,
        _chosen(columns, text),
        columns.take(),
        map(bool, columns.take()),
        columns.take_sets(keys),
        columns.take_sets(text),
        map(bool, columns.take()),
        columns.take(),
    )
    objects_by_key = dict(zip(names, objects, strict=True))
    return Snapshot(
        languages={output: Language(value) for output, value in head["languages"].items()},
        functions=functions_by_key,
        objects=objects_by_key,
        startup=head["startup"],
        files=head["files"],
        libraries={output: frozenset(names) for output, names in head["libraries"].items()},
        loading={
            output: Loading(frozenset(names), number) for output, (names, number) in head["loading"].items()
        },
        aliases=dict(zip(_chosen(columns, keys), _chosen(columns, keys), strict=True)),
        programs={
            output: ProgramTraits(content, frozenset(names), dispatches, layout)
            for output, (content, names, dispatches, layout) in head["programs"].items()
        },
        interpreter=head["interpreter"],
    )


def encode_profile(profile: Profile) -> bytes:
    """A profile as bytes."""
    text, columns, activities = FirstSeenNumbers[str](), NumberColumns(), profile.activities.values()
    _add_places(columns, text, profile.activities)
    columns.add(each.calls for each in activities)
    columns.add(each.own for each in activities)
    columns.add(each.inclusive for each in activities)
    columns.add(each.elsewhere for each in activities)
    place, executed = FirstSeenNumbers(profile.activities), profile.executed.values()
    columns.add(map(place, profile.executed))
    columns.add(len(each.offsets) for each in executed)
    columns.add(chain.from_iterable(_distances(each.offsets) for each in executed))
    columns.add(chain.from_iterable(each.own for each in executed))
    columns.add(chain.from_iterable(each.elsewhere for each in executed))
    head = {
        "texts": list(text),
        "unit": profile.unit.value,
        "nameless": profile.nameless,
        "outside": dict(profile.outside),
        "outside_files": dict(profile.outside_files),
        "opened": None if profile.opened is None else sorted(profile.opened),
        "is_complete": profile.is_complete,
        "seconds": profile.seconds,
        "gap": profile.gap,
        "interpreters": sorted(profile.interpreters),
        "modules": None if profile.modules is None else sorted(profile.modules),
        "aspects": sorted(aspect.value for aspect in profile.aspects),
        "text_functions": dict(profile.text_functions),
    }
    return columns.pack(head)


def decode_profile(packed: bytes) -> Profile:
    """The profile that became these bytes."""
    head, columns = unpack(packed)
    places = list(map(ProfiledFunction, *(_chosen(columns, head["texts"]) for _ in range(3))))
    activities = map(Activity, *(columns.take() for _ in range(4)))
    activities_by_place = dict(zip(places, activities, strict=True))
    executed = _take_executed(columns, places)
    return Profile(
        unit=CostUnit(head["unit"]),
        activities=activities_by_place,
        nameless=head["nameless"],
        outside=head["outside"],
        outside_files=head["outside_files"],
        opened=None if head["opened"] is None else frozenset(head["opened"]),
        is_complete=head["is_complete"],
        seconds=head["seconds"],
        gap=head["gap"],
        interpreters=frozenset(head["interpreters"]),
        modules=None if head["modules"] is None else frozenset(head["modules"]),
        aspects=frozenset(map(Aspect, head["aspects"])),
        text_functions=head["text_functions"],
        executed=executed,
    )


def encode_lines(lines: CodeLines) -> bytes:
    """The lines of code as bytes."""
    text, columns, functions = FirstSeenNumbers[str](), NumberColumns(), lines.functions.values()
    _add_places(columns, text, lines.functions)
    columns.add(len(each.offsets) for each in functions)
    columns.add(chain.from_iterable(_distances(each.offsets) for each in functions))
    columns.add(file + 1 for each in functions for file in each.files)
    columns.add(line for each in functions for line in each.lines)
    return columns.pack({"texts": list(text), "files": list(lines.files), "gap": lines.gap})


def decode_lines(packed: bytes) -> CodeLines:
    """The lines of code that became these bytes."""
    head, columns = unpack(packed)
    places = list(map(ProfiledFunction, *(_chosen(columns, head["texts"]) for _ in range(3))))
    lengths, distances, files, numbers = (columns.take() for _ in range(4))
    functions: dict[ProfiledFunction, FunctionLines] = {}
    begin = 0
    for place, length in zip(places, lengths, strict=True):
        span = slice(begin, begin + length)
        own_files = tuple([file - 1 for file in files[span]])
        functions[place] = FunctionLines(tuple(accumulate(distances[span])), own_files, tuple(numbers[span]))
        begin += length
    return CodeLines(tuple(head["files"]), functions, head["gap"])


def _take_executed(
    columns: NumberColumns, places: Sequence[ProfiledFunction]
) -> dict[ProfiledFunction, ExecutedInstructions]:
    functions = _chosen(columns, places)
    lengths, distances, own, elsewhere = (columns.take() for _ in range(4))
    found: dict[ProfiledFunction, ExecutedInstructions] = {}
    begin = 0
    for function, length in zip(functions, lengths, strict=True):
        span = slice(begin, begin + length)
        found[function] = ExecutedInstructions(
            tuple(accumulate(distances[span])), tuple(own[span]), tuple(elsewhere[span])
        )
        begin += length
    return found


def _distances(offsets: Sequence[int]) -> Iterator[int]:
    """From each to the next: many of them are equal, and so take little room."""
    before = 0
    for offset in offsets:
        yield offset - before
        before = offset


def _add_places(
    columns: NumberColumns, text: FirstSeenNumbers[str], places: Iterable[Key | ProfiledFunction]
) -> None:
    named = list(places)
    columns.add(text(each.output) for each in named)
    columns.add(text(each.source) for each in named)
    columns.add(text(each.name) for each in named)


def _chosen(columns: NumberColumns, things: Sequence[T]) -> list[T]:
    """The things that the next column numbers."""
    return [things[number] for number in columns.take()]
