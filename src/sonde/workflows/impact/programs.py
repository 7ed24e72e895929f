"""The programs of a build on both sides of a change, read from their bitcode."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sonde.core.code import Unit
from sonde.core.errors import UsageError
from sonde.core.findings.impacts import Suggestion
from sonde.effects.bitcode.kept_units import KeptUnits
from sonde.effects.bitcode.reading import UnreadableBitcode, read_units
from sonde.effects.bitcode.values import ROOT, Bitcode, UnitFile
from sonde.effects.collecting import without_collecting

MAIN = "main"


@dataclass(frozen=True)
class ProgramPair:
    """A program as it was and as it is."""

    name: str  # of the output; empty: a library, or several
    old: tuple[Unit, ...]
    new: tuple[Unit, ...]
    suggestions: tuple[Suggestion, ...] | None = None  # of options; None: as the units show
    warnings: tuple[str, ...] = ()


class UnitReader:
    """Reads units, each only once: adjacent revisions share most of them."""

    def __init__(self, kept: KeptUnits | None = None) -> None:
        """With `kept`, also those are not read again that were read before, by whomever."""
        self._kept = kept
        self._read: dict[str, Unit] = {}

    def read(self, files: Iterable[UnitFile]) -> tuple[Unit, ...]:
        """The units of files; raises a UsageError that names one that cannot be read."""
        wanted = list(files)
        unknown = {each.digest: each for each in wanted if each.digest not in self._read}
        if self._kept is not None:
            found = {digest: self._kept.find(each.path) for digest, each in unknown.items()}
            self._read.update({digest: unit for digest, unit in found.items() if unit is not None})
        missing = [each for digest, each in unknown.items() if digest not in self._read]
        with without_collecting():
            for file, unit in zip(missing, read_units([each.path for each in missing], ROOT), strict=True):
                if isinstance(unit, UnreadableBitcode):
                    raise UsageError(f"{file.source}: {unit.reason}")
                if self._kept is not None:
                    self._kept.keep(file.path, unit)
                self._read[file.digest] = unit
        return tuple(self._read[each.digest] for each in wanted)


def program_pairs(old: Bitcode, new: Bitcode, reader: UnitReader) -> Iterator[ProgramPair]:
    """Each program that differs between two builds, with the libraries of the same build.

    An output with a `main` is a program; if there is none, all outputs together are one.
    """
    reader.read([*old.units, *new.units])
    sides = [_programs(side, reader) for side in (old, new)]
    for name in dict.fromkeys([*sides[0], *sides[1]]):
        before, after = (side.get(name, {}) for side in sides)
        if before != after:
            yield ProgramPair(name, reader.read(before.values()), reader.read(after.values()))


def _programs(bitcode: Bitcode, reader: UnitReader) -> Mapping[str, Mapping[str, UnitFile]]:
    """The files of each program by their digests."""
    outputs = {
        name: {file.digest: file for file in files} for name, files in bitcode.outputs.items() if files
    }
    programs = {
        name: files for name, files in outputs.items() if any(map(_has_main, reader.read(files.values())))
    }
    libraries = [files for name, files in outputs.items() if name not in programs]
    shared = {digest: file for files in libraries for digest, file in files.items()}
    if not programs:
        return {"": shared}
    return {name: {**files, **shared} for name, files in programs.items()}


def _has_main(unit: Unit) -> bool:
    return any(each.name == MAIN and not each.is_internal for each in unit.routines)
