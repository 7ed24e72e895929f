"""What differs between two builds, function by function."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from sonde.core.evidence import Key, Snapshot
from sonde.core.findings.selections import Churn

Value = TypeVar("Value")


@dataclass(frozen=True)
class BuildDifference:
    """How a new build differs from an old one. Functions and objects are named as in the old one.

    A function that both builds have under different keys, for it went to another source file or output, has
    moved; it is neither deleted nor new.
    """

    old: Snapshot
    new: Snapshot
    counterparts: Mapping[Key, Key]  # each function that both have -> what the new build calls it
    moved: frozenset[Key]  # those of them that it calls otherwise
    raw: frozenset[Key]  # differ in their bytes
    normalised: frozenset[Key]  # differ in what they do
    changed: frozenset[Key]  # differ in more than line numbers that they hand on
    texts: frozenset[Key]  # functions that refer to other character strings
    deleted: frozenset[Key]
    added: frozenset[Key]  # as the new build names them
    objects: frozenset[Key]  # data objects whose content differs, or that the new build does not have
    added_objects: frozenset[Key]  # as the new build names them
    startup: frozenset[str]  # outputs that start up otherwise
    libraries: frozenset[str]  # outputs that load other libraries
    loading: frozenset[str]  # outputs for which the loader has other things to do
    files: frozenset[str]  # other outputs that differ, or that one build does not have
    added_outputs: frozenset[str]  # that hold code
    deleted_outputs: frozenset[str]

    @property
    def relined(self) -> frozenset[Key]:
        """Functions that differ in line numbers alone."""
        return self.normalised - self.changed

    @cached_property
    def is_none(self) -> bool:
        """Whether both builds have the same code: they have the same fingerprint."""
        functions = self.normalised | self.texts | self.deleted | self.added | self.moved
        others = self.startup | self.libraries | self.loading | self.files
        return not (functions or self.objects or self.added_objects or others)

    @cached_property
    def unreferenced(self) -> frozenset[Key]:
        """New data objects to which nothing refers, in sections that may be gone through as a whole."""
        gathered = {key for key in self.added_objects if self.new.objects[key].is_gathered}
        if not gathered:
            return frozenset()
        by_functions = (each.refers_to for each in self.new.functions.values())
        by_objects = (each.refers_to for each in self.new.objects.values())
        return frozenset(gathered.difference(*by_functions, *by_objects))

    @cached_property
    def shifted(self) -> frozenset[Key]:
        """Functions that did not change, but whose data lie elsewhere in their pages."""
        pairs = self.counterparts.items()
        old, new = self.old.functions, self.new.functions
        return frozenset(key for key, other in pairs if old[key].layout != new[other].layout) - self.changed

    @cached_property
    def shifted_objects(self) -> frozenset[Key]:
        """Data objects that did not change, but lie elsewhere in their pages, or what they point to does."""
        old, new = self.old.objects, self.new.objects
        pairs = _counterparts(old.keys(), new.keys()).items()
        return frozenset(key for key, other in pairs if old[key].layout != new[other].layout) - self.objects

    @cached_property
    def shifted_outputs(self) -> frozenset[str]:
        """Outputs in which other nameless data lie elsewhere in their pages."""
        old, new = self.old.programs, self.new.programs
        return frozenset(name for name in old.keys() & new.keys() if old[name].layout != new[name].layout)

    @property
    def churn(self) -> Churn:
        """The difference in numbers."""
        return Churn(
            functions=len(self.new.functions),
            raw=len(self.raw),
            normalised=len(self.normalised),
            masked=len(self.changed),
            new=len(self.added),
            deleted=len(self.deleted),
            objects=len(self.objects) + len(self.added_objects),
        )

    @cached_property
    def touched_outputs(self) -> frozenset[str]:
        """Outputs with code of which anything at all differs, be it the bytes of a function."""
        functions = self.raw | self.normalised | self.texts | self.deleted | self.added | self.moved
        keys = functions | self.objects | self.added_objects
        outputs = frozenset(key.output for key in keys)
        return outputs | self.startup | self.libraries | self.added_outputs | self.deleted_outputs


def difference_between(old: Snapshot, new: Snapshot) -> BuildDifference:
    """Compare two builds."""
    counterparts = _counterparts(old.functions.keys(), new.functions.keys())
    pairs = [(key, old.functions[key], new.functions[other]) for key, other in counterparts.items()]
    objects = _counterparts(old.objects.keys(), new.objects.keys())
    return BuildDifference(
        old=old,
        new=new,
        counterparts=counterparts,
        moved=frozenset(key for key, other in counterparts.items() if key != other),
        raw=frozenset(key for key, before, after in pairs if before.raw != after.raw),
        normalised=frozenset(key for key, before, after in pairs if before.code != after.code),
        changed=frozenset(
            key
            for key, before, after in pairs
            if before.code != after.code
            and (before.masked != after.masked or before.masked_for != after.masked_for)
        ),
        texts=frozenset(key for key, before, after in pairs if before.texts != after.texts),
        deleted=frozenset(old.functions.keys() - counterparts.keys()),
        added=frozenset(new.functions.keys() - set(counterparts.values())),
        objects=frozenset(
            key
            for key, before in old.objects.items()
            if key not in objects or before.content != new.objects[objects[key]].content
        ),
        added_objects=frozenset(new.objects.keys() - set(objects.values())),
        startup=_different(old.startup, new.startup),
        libraries=_different(old.libraries, new.libraries),
        loading=_different(old.loading, new.loading),
        files=_different(old.files, new.files),
        added_outputs=frozenset(new.languages.keys() - old.languages.keys()),
        deleted_outputs=frozenset(old.languages.keys() - new.languages.keys()),
    )


def _counterparts(old: Set[Key], new: Set[Key]) -> Mapping[Key, Key]:
    """Those that both have: under the same key, or under a name that only one of each build has."""
    found = {key: key for key in old & new}
    left_old, left_new = _by_name(old - new), _by_name(new - old)
    taken = {key.name for key in found}
    for name, keys in left_old.items():
        others = left_new.get(name, [])
        if len(keys) == len(others) == 1 and name not in taken:
            found[keys[0]] = others[0]
    return found


def _by_name(keys: Iterable[Key]) -> Mapping[str, list[Key]]:
    named: defaultdict[str, list[Key]] = defaultdict(list)
    for key in keys:
        named[key.name].append(key)
    return named


def _different(old: Mapping[str, Value], new: Mapping[str, Value]) -> frozenset[str]:
    return frozenset(name for name in old.keys() | new.keys() if old.get(name) != new.get(name))
