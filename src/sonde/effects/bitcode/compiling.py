"""Units become bitcode, by clang, in the world in which they were built."""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from pydantic import TypeAdapter

from sonde.core.results import Failed, Stage
from sonde.effects.bitcode.arguments import OPENMP, Compilation, language_for_clang
from sonde.effects.bitcode.cache import BitcodeCache
from sonde.effects.bitcode.clang import Clang
from sonde.effects.bitcode.values import ROOT, Skipped, UnitFile
from sonde.effects.bitcode.wrappers import is_for_cplusplus
from sonde.effects.sandbox import Mount, Processes, Sandbox, SandboxView
from sonde.effects.sandbox.answers import Units
from sonde.effects.sandbox.processes import InsideProgram, Lost
from sonde.effects.subject_files import settle

UNITS_FORMAT = 1  # another one: units are compiled again
OUR_HEADERS = Path(__file__).with_name("headers")  # what clang may come without
COMPILE = InsideProgram("compile", Path(__file__).with_name("inside"), TypeAdapter(Units))
KNOWN, NEW, HEADERS = "/sonde/bitcode/known", "/sonde/bitcode/new", "/sonde/bitcode/headers"
SHOWN_ERRORS = 3

# As the source says it: nothing is optimised, and every value keeps its name. Before DWARF 5 there are no
# checksums of source files, so that comments make no difference.
EMITTING = (
    *(
        "-c",
        "-emit-llvm",
        "-O0",
        "-g",
        "-gdwarf-4",
        "-Xclang",
        "-disable-O0-optnone",
        "-fno-discard-value-names",
    ),
)
# What gcc takes without a word, or with a warning.
LENIENT = (
    *("implicit-function-declaration", "implicit-int", "int-conversion", "incompatible-pointer-types"),
    *("incompatible-function-pointer-types", "return-type", "return-mismatch", "c++11-narrowing", "register"),
    *(
        "reserved-user-defined-literal",
        "enum-constexpr-conversion",
        "non-pod-varargs",
        "invalid-source-encoding",
    ),
)
ALWAYS = ("-w", *(f"-Wno-error={name}" for name in LENIENT), "-U_FORTIFY_SOURCE", "-fno-caret-diagnostics")


@dataclass(frozen=True)
class SourceUnit:
    """A unit that is to be compiled. Paths are those that the build sees."""

    path: str  # as the compiler was given it
    language: str  # as `-x` named it; empty: the suffix decides
    folder: str
    compiler: str
    how: Compilation
    variables: tuple[tuple[str, str], ...]
    copy: str = ""  # of its file, as make removes what it has generated

    def name(self, tree: str) -> str:
        """Its path, relative to the root of the work tree if it lies below it."""
        return relative(normal(self.folder, self.path), tree)


@dataclass(frozen=True)
class CompilerSettings:
    """What units are compiled with."""

    clang: Clang
    sandbox: Sandbox
    processes: Processes
    cache: BitcodeCache
    lanes: int  # how many at a time
    apart: str = ""  # part of the names of new units, where they come from a revision that is not trusted
    turn: threading.Lock = field(default_factory=threading.Lock)  # so that builds share what is new to both


def compile_units(
    settings: CompilerSettings,
    sources: Sequence[SourceUnit],
    world: SandboxView,
    tree: str,
    new: Path,
    timeout_seconds: float,
) -> list[UnitFile | Skipped] | Failed:
    """What came of each source, in the same order; what is known already is not compiled again.

    `tree` is where the build sees the work tree, `new` an empty folder for what is made.
    """
    if not sources:
        return []
    with settings.turn:
        return _compile_units(settings, sources, world, tree, new, timeout_seconds)


def _compile_units(
    settings: CompilerSettings,
    sources: Sequence[SourceUnit],
    world: SandboxView,
    tree: str,
    new: Path,
    timeout_seconds: float,
) -> list[UnitFile | Skipped] | Failed:
    settings.cache.units.mkdir(parents=True, exist_ok=True)
    mounts = (Mount(settings.cache.units, KNOWN), Mount(new, NEW, writable=True), Mount(OUR_HEADERS, HEADERS))
    world = replace(world, mounts=(*world.mounts, *mounts))
    place = settings.sandbox.place
    prefix = (f"-ffile-prefix-map={tree}={ROOT}",) if tree != str(ROOT) else ()
    order = {
        "clang": [settings.clang.program],
        "version": f"{UNITS_FORMAT} {settings.clang.version}",
        "jobs": [_job(source, tree, place(world, HEADERS)) for source in sources],
        "always": [*ALWAYS, *prefix],
        "emitting": list(EMITTING),
        "variables": {name: place(world, value) for name, value in world.variables},
        "known": place(world, KNOWN),
        "new": place(world, NEW),
        "apart": settings.apart,
        "tree": tree,
        "root": str(ROOT),
        "lanes": settings.lanes,
    }
    report = settings.processes.converse(COMPILE, order, settings.sandbox, world, timeout_seconds)
    if isinstance(report, Lost):
        reason = (
            f"clang did not compile its {len(sources)} files within {timeout_seconds:g} s, or was killed."
        )
        return Failed(Stage.BUILD, reason, report.complaint, is_lasting=False)
    settle(new)
    found: list[UnitFile | Skipped] = []
    for source, unit in zip(sources, report["units"], strict=True):
        name = source.name(tree)
        if not unit["is_lasting"]:
            reason = f"clang could not compile {name}, for a reason outside of the file."
            return Failed(Stage.BUILD, reason, unit["output"], is_lasting=False)
        if unit["digest"]:
            found.append(UnitFile(name, unit["digest"], settings.cache.take(unit["digest"], new)))
        else:
            found.append(
                Skipped(name, f"clang cannot compile it: {first_error(unit['output'])}", True, unit["output"])
            )
    return found


def _job(source: SourceUnit, tree: str, headers: str) -> dict[str, object]:
    language = language_for_clang(source.language) or ""
    path = source.path
    if path.startswith(f"{tree}/"):  # the name goes into the bitcode, which must not know where the tree lay
        path = _from(source.folder, path)
    if path.startswith(("-", "@")):  # clang would take it for an option, or for a file of options
        path = f"./{path}"
    return {
        "folder": source.folder,
        "folder_name": relative(source.folder, tree),
        "language": f"{language} {is_for_cplusplus(source.compiler)}",
        "mode": ["--driver-mode=g++"] if is_for_cplusplus(source.compiler) else [],
        "reading": [*source.how.reading, *(["-idirafter", headers] if OPENMP in source.how.reading else [])],
        "shaping": list(source.how.shaping),
        "path": path,
        "copy": source.copy,
        "source": [*(["-x", language] if language else []), path],
        "variables": dict(source.variables),
    }


def first_error(output: str) -> str:
    """What is wrong, in the words of a compiler that prints a lot."""
    lines = output.strip().splitlines()
    errors = [line for line in lines if re.search(r"\berror:", line)] or lines
    return "; ".join(re.sub(r"^clang[^:]*: ", "", line.strip()) for line in errors[:SHOWN_ERRORS])


def normal(folder: str, path: str) -> str:
    """The path without `.` and `..`."""
    parts: list[str] = []
    for part in PurePosixPath(folder, path).parts:
        if part == ".." and len(parts) > 1:
            parts.pop()
        elif part != "..":
            parts.append(part)
    return str(PurePosixPath(*parts))


def relative(path: str, tree: str) -> str:
    """A path relative to the tree, if it lies below it."""
    whole = PurePosixPath(path)
    return str(whole.relative_to(tree)) if whole.is_relative_to(tree) else path


def _from(folder: str, path: str) -> str:
    """The way from a folder to a path."""
    here, there = PurePosixPath(normal(folder, ".")).parts, PurePosixPath(normal(folder, path)).parts
    common = 0
    while common < min(len(here), len(there) - 1) and here[common] == there[common]:
        common += 1
    return str(PurePosixPath(*[".."] * (len(here) - common), *there[common:]))


def seen_at(world: SandboxView, sandbox: Sandbox) -> Mapping[str, Path]:
    """Where the folders that a world shows lie in fact; the innermost first."""
    if not sandbox.is_isolated:
        return {"/": Path("/")}
    return {mount.target: mount.source for mount in reversed(world.mounts)}
