"""Takes the bitcode of a program from its own build: watches its compilers, then compiles the same units."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from sonde.core.results import Failed, Stage
from sonde.effects.bitcode.arguments import (
    Compilation,
    is_assembler,
    is_source,
    language_for_clang,
    sort_words,
)
from sonde.effects.bitcode.calls import CompilerCall, CompilerCalls, expand, read_calls
from sonde.effects.bitcode.compile_commands import find_compile_commands, from_compile_commands
from sonde.effects.bitcode.compiling import (
    CompilerSettings,
    SourceUnit,
    compile_units,
    normal,
    relative,
    seen_at,
)
from sonde.effects.bitcode.marks import Mark, read_marks
from sonde.effects.bitcode.values import Bitcode, Skipped, UnitFile
from sonde.effects.bitcode.wrappers import CALLS, COMPILERS, MARK, SOURCES, write_wrappers
from sonde.effects.builds.orders import TREE
from sonde.effects.builds.outputs import Outputs
from sonde.effects.sandbox import Mount, SandboxView

CAPTURE, MARK_HEADER = "/sonde/capture", "/sonde/mark/mark.h"

NOTHING_MARKED = (
    "No output of the build was compiled by a C or C++ compiler that Sonde can watch. "
    "Does the build call `cc`, `$(CC)` or another compiler by its name, not by its path? "
    "Are programs among build.outputs? A compile_commands.json among the build's files "
    "also works."
)
ASSEMBLER = "it is in assembler, but only C and C++ can be analysed"
STANDARD_INPUT = "the compiler read it from standard input, so it is no longer available"
NOT_NOTED = "its compiler command was not recorded"
OTHER_LANGUAGE = "{} compiles it, but only C and C++ can be analysed"
NO_UNIT = "it contains nothing that this build compiled with a C or C++ compiler that Sonde can watch"


@dataclass(frozen=True)
class Capture:
    """A build that is watched: what `Builder.visit` needs to know."""

    settings: CompilerSettings
    folder: Path  # empty; it may be removed afterwards
    timeout_seconds: float
    compile_commands: str = ""  # a file, in the work tree or anywhere, that lists the units instead

    def equip(self, world: SandboxView) -> SandboxView:
        """The world with wrappers of all its compilers."""
        mounts = (
            Mount(self.folder, CAPTURE),
            *(Mount(self.folder / name, f"{CAPTURE}/{name}", writable=True) for name in (CALLS, SOURCES)),
            Mount(MARK, MARK_HEADER),
        )
        variables = dict(world.variables)
        path = variables.get("PATH", "")
        equipped = replace(
            world,
            mounts=(*world.mounts, *mounts),
            variables=tuple(sorted((variables | {"PATH": f"{CAPTURE}/{COMPILERS}:{path}"}).items())),
        )
        capture, mark = (self.settings.sandbox.place(equipped, name) for name in (CAPTURE, MARK_HEADER))
        write_wrappers(self.folder, capture, mark, path)
        return equipped

    def look(self, folder: Path, world: SandboxView, outputs: Outputs) -> Bitcode | Failed:
        """The bitcode of what was built in `folder`."""
        tree, copies = (self.settings.sandbox.place(world, name) for name in (TREE, f"{CAPTURE}/{SOURCES}"))
        if self.compile_commands:
            return self._compile_listed(folder / self.compile_commands, folder, world, tree)
        reader = MarkReader(read_calls(self.folder), tree, copies, seen_at(world, self.settings.sandbox))
        units: dict[str, list[SourceUnit]] = {}
        skipped: list[Skipped] = reader.in_other_languages()
        for name in outputs.files:
            marks = read_marks(folder / name, folder)
            if marks:
                units[name], without = reader.sources_of(marks)
                skipped += without
            elif marks is not None:
                skipped.append(Skipped(name, NO_UNIT))
        if not units:
            file = find_compile_commands(folder)
            if file is None:
                return Failed(Stage.BUILD, NOTHING_MARKED)
            return self._compile_listed(file, folder, world, tree)
        return self._compile(units, skipped, world, tree)

    def _compile_listed(self, file: Path, folder: Path, world: SandboxView, tree: str) -> Bitcode | Failed:
        """The bitcode of all units that a file lists, taken for one program."""
        listed = from_compile_commands(file, folder, tree)
        if isinstance(listed, Failed):
            return listed
        name = file.relative_to(folder).as_posix() if file.is_relative_to(folder) else file.name
        return self._compile({name: listed.sources}, listed.skipped, world, tree)

    def _compile(
        self,
        units: Mapping[str, Sequence[SourceUnit]],
        skipped: Iterable[Skipped],
        world: SandboxView,
        tree: str,
    ) -> Bitcode | Failed:
        sources = list(dict.fromkeys(source for several in units.values() for source in several))
        new = self.folder / "new"
        new.mkdir()
        compiled = compile_units(self.settings, sources, world, tree, new, self.timeout_seconds)
        if isinstance(compiled, Failed):
            return compiled
        made = dict(zip(sources, compiled, strict=True))
        broken = [each for each in made.values() if isinstance(each, Skipped)]
        outputs = {name: _files(made[source] for source in several) for name, several in units.items()}
        outputs = {name: files for name, files in outputs.items() if files}
        if not outputs:
            if not broken:
                return Failed(Stage.BUILD, NOTHING_MARKED)
            first = broken[0]
            reason = f"clang compiles none of its {len(broken)} files. {first.source}: {first.reason}."
            return Failed(Stage.BUILD, reason, first.output)
        return Bitcode(outputs, tuple(dict.fromkeys([*skipped, *broken])))


def _files(made: Iterable[UnitFile | Skipped]) -> tuple[UnitFile, ...]:
    return tuple(dict.fromkeys(each for each in made if isinstance(each, UnitFile)))


@dataclass(frozen=True)
class MarkReader:
    """Finds out what the marks of an output mean."""

    calls: CompilerCalls
    tree: str  # where the build sees the work tree
    copies: str  # where it sees the sources that were copied
    seen_at: Mapping[str, Path]

    def sources_of(self, marks: Iterable[Mark]) -> tuple[list[SourceUnit], list[Skipped]]:
        """The units behind the marks of an output, and what cannot be compiled."""
        sources: list[SourceUnit] = []
        skipped: list[Skipped] = []
        for mark in marks:
            call = self.calls.compilers.get(mark.call)
            if call is None:
                skipped.append(Skipped(mark.source, NOT_NOTED))
                continue
            how = sort_words(expand(call, self.seen_at))
            for path, language in _marked(mark, call, how):
                reason = _obstacle(path, language)
                if reason:
                    skipped.append(Skipped(self._name(call, path), reason))
                else:
                    copy = f"{self.copies}/{mark.call}" if path == how.sources[-1][0] else ""
                    sources.append(
                        SourceUnit(path, language, call.folder, call.compiler, how, call.variables, copy)
                    )
        return list(dict.fromkeys(sources)), list(dict.fromkeys(skipped))

    def in_other_languages(self) -> list[Skipped]:
        """What other compilers were given, be it linked or not."""
        found: dict[Skipped, None] = {}
        for call in self.calls.others:
            for word in call.words:
                if not word.startswith("-") and PurePosixPath(word).suffix.lower() in _OTHER_SUFFIXES:
                    found[Skipped(self._name(call, word), OTHER_LANGUAGE.format(call.compiler))] = None
        return list(found)

    def _name(self, call: CompilerCall, path: str) -> str:
        return relative(normal(call.folder, path), self.tree)


def _marked(mark: Mark, call: CompilerCall, how: Compilation) -> Sequence[tuple[str, str]]:
    """The sources of a call that a mark may mean; compilers may have been told to shorten paths."""
    exact = [each for each in how.sources if normal(call.folder, each[0]) == normal(call.folder, mark.source)]
    name = PurePosixPath(mark.source).name
    return exact or [each for each in how.sources if PurePosixPath(each[0]).name == name] or how.sources


_OTHER_SUFFIXES = frozenset(
    (
        *(".f", ".for", ".f77", ".f90", ".f95", ".f03", ".f08", ".d", ".adb", ".ads", ".go", ".rs", ".hs"),
        *(".ml", ".pas", ".zig", ".asm", ".s", ".nasm", ".yasm"),
    )
)


def _obstacle(path: str, language: str) -> str:
    """Why a source cannot be compiled to bitcode; nothing if it can."""
    if path == "-":
        return STANDARD_INPUT
    if language.startswith("assembler") or (not language and is_assembler(path)):
        return ASSEMBLER
    if language_for_clang(language) is None or not (language or is_source(path)):
        return OTHER_LANGUAGE.format("another compiler")
    return ""
