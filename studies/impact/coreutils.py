"""GNU coreutils, built once: how each file is compiled, and of which files a tool consists."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from sonde.core.code import Unit
from sonde.core.errors import UserError
from sonde.effects.bitcode.reading import read_units
from tests.programs.asking import FLAGS

TOOLS = ("wc", "sort", "uniq", "od", "cksum")
COMPILER = "clang-19"
FOR_RUNS = ("-O1", "-fno-inline")  # functions stay what they are in the source, so that profiles name them
FOR_BLOCKS = (*FOR_RUNS, "-fsanitize-coverage=trace-pc")
BLOCKS = Path(__file__).with_name("blocks.c")
_CHOICE = re.compile(r"`test -f '([^']*)' \|\| echo '([^']*)'`")
_MEMBER = re.compile(r"\(?lib\w+\.a\)?\(?([^()\s]+\.o)\)?")


@dataclass(frozen=True)
class Compilation:
    """How a file is compiled: the words without those for what comes out, and the file."""

    words: tuple[str, ...]
    source: Path


@dataclass(frozen=True)
class Tool:
    """A program: its compilations, the first of which are its own, and what it is linked with."""

    name: str
    parts: tuple[Compilation, ...]
    libraries: tuple[str, ...]


@dataclass(frozen=True)
class Coreutils:
    """The sources, and a folder in which they are configured and built."""

    source: Path
    build: Path
    objects: Path
    tools: Mapping[str, Tool]

    def units(self, parts: tuple[Compilation, ...]) -> tuple[Unit, ...]:
        """What the analysis sees of them."""
        files = [self._made(part, FLAGS[:-1], "bc") for part in parts]
        units = tuple(read_units(files, self.source))
        for unit in units:
            if not isinstance(unit, Unit):
                raise UserError(f"{unit.file}: {unit.reason}")
        return tuple(unit for unit in units if isinstance(unit, Unit))

    def program(self, tool: Tool, parts: tuple[Compilation, ...]) -> Path:
        """The tool, linked without a loader, which would execute more instructions than small inputs do."""
        return self._linked(tool, [self._made(part, FOR_RUNS, "o") for part in parts])

    def counting(self, tool: Tool, parts: tuple[Compilation, ...]) -> Path:
        """The tool, but it counts the blocks that it executes: `SONDE_BLOCKS` names the file for them."""
        counter = self._made(Compilation((), BLOCKS), ("-O1",), "o")
        return self._linked(tool, [counter, *(self._made(part, FOR_BLOCKS, "o") for part in parts)])

    def _linked(self, tool: Tool, objects: list[Path]) -> Path:
        files = [str(file) for file in objects]
        program = self.objects / f"{tool.name}-{_digest(files)}"
        if not program.exists():
            line = [COMPILER, "-static", *files, *tool.libraries, "-o", str(program)]
            subprocess.run(line, cwd=self.build, check=True, capture_output=True)
        return program

    def key(self, parts: tuple[Compilation, ...]) -> str:
        """The same for the same compilations of the same sources."""
        return _digest(str(self._name(part, FOR_BLOCKS, "o")) for part in parts)

    def _name(self, part: Compilation, flags: tuple[str, ...], ending: str) -> Path:
        told = [*part.words, *flags, str(part.source), part.source.read_text(errors="replace")]
        return self.objects / f"{part.source.stem}-{_digest(told)}.{ending}"

    def _made(self, part: Compilation, flags: tuple[str, ...], ending: str) -> Path:
        """An object or bitcode file; it is made once for each content of the source."""
        made = self._name(part, flags, ending)
        if not made.exists():
            begun = made.with_suffix(f".{os.getpid()}.{ending}")  # another study may make it, too
            line = [COMPILER, *part.words, *flags, "-w", "-c", str(part.source), "-o", str(begun)]
            ended = subprocess.run(line, cwd=self.build, capture_output=True, text=True, check=False)
            if ended.returncode:
                raise NotCompiled(ended.stderr)
            begun.rename(made)
        return made


def _digest(words: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(words).encode()).hexdigest()[:16]


class NotCompiled(Exception):
    """The compiler refuses a seeded source."""


def build_coreutils(source: Path, scratch: Path) -> Coreutils:
    """Configure and make the tools, unless that was done before."""
    source = source.resolve()
    if not (source / "configure").exists():
        raise UserError(f"{source}: there is no 'configure'. Give the unpacked source package of coreutils.")
    build = scratch / "coreutils"
    log = build / "made.log"
    if not log.exists():
        build.mkdir(parents=True, exist_ok=True)
        _make(source, build, log)
    objects = scratch / "objects"
    objects.mkdir(exist_ok=True)
    tools = {tool.name: tool for tool in _read_log(log.read_text(), build)}
    return Coreutils(source, build, objects, tools)


def _make(source: Path, build: Path, log: Path) -> None:
    environment = {**os.environ, "FORCE_UNSAFE_CONFIGURE": "1", "LC_ALL": "C"}
    words = [str(source / "configure"), "--quiet", "--disable-nls", "--disable-dependency-tracking"]
    words += [f"CC={COMPILER}", "CFLAGS=-O0 -w", "--without-libgmp", "--without-openssl"]
    _run(words, build, environment)
    (build / "built.mk").write_text("include Makefile\nbuilt: $(BUILT_SOURCES)\n")
    _run(["make", "-j2", "-f", "built.mk", "built"], build, environment)
    programs = [f"src/{tool}" for tool in TOOLS]
    told = _run(["make", "-j2", "V=1", *programs], build, environment)
    log.write_text(told)


def _run(words: list[str], folder: Path, environment: Mapping[str, str]) -> str:
    ended = subprocess.run(
        words, cwd=folder, env=environment, capture_output=True, text=True, errors="replace", check=False
    )
    if ended.returncode:
        raise UserError(f"'{words[0]}' failed for coreutils: {ended.stderr[-2000:]}")
    return ended.stdout


def _read_log(log: str, build: Path) -> Iterator[Tool]:
    """The tools, from what make has printed."""
    lines = [line for line in log.splitlines() if line.startswith(f"{COMPILER} ")]
    compilations = dict(_compilation(line, build) for line in lines if " -c -o " in line)
    by_name = {Path(name).name: name for name in compilations}
    for tool in TOOLS:
        words = shlex.split(next(line for line in lines if f" -o src/{tool} " in line))
        own = [word for word in words if word.endswith(".o")]
        pulled = [by_name[member] for member in _pulled(words, build) if member in by_name]
        parts = tuple(compilations[name] for name in dict.fromkeys([*own, *pulled]))
        yield Tool(tool, parts, tuple(word for word in words if word.startswith("-l")))


def _pulled(words: list[str], build: Path) -> list[str]:
    """The members of archives that the linker takes."""
    at = words.index("-o")
    line = [*words[:at], *words[at + 2 :], "-Wl,-t,-t", "-o", os.devnull]
    told = subprocess.run(line, cwd=build, capture_output=True, text=True, check=True).stdout
    return _MEMBER.findall(told)


def _compilation(line: str, build: Path) -> tuple[str, Compilation]:
    line = _CHOICE.sub(lambda found: "" if (build / found[1]).exists() else found[2], line)
    words = shlex.split(line)
    at = words.index("-o")
    made, source = words[at + 1], words[-1]
    kept = [word for word in words[1:-1] if word != "-c"]
    kept = [word for n, word in enumerate(kept) if word not in ("-o", made)]
    kept = [word for word in kept if not word.startswith("-O") and word not in ("-g", "-w")]
    return made, Compilation(tuple(kept), (build / source).resolve())
