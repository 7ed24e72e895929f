"""The programs that a build is made with, and their versions."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath
from tempfile import gettempdir

from sonde.core.digests import digest

ALWAYS = ("c++", "cc", "ld", "make")

_TIMEOUT_SECONDS = 5.0

# Only these are asked for their version: an unknown program might do something else.
_TOOLS = frozenset(
    re.findall(
        r"\S+",
        """
        ar as autoconf automake autoreconf bazel bison bmake c++ cabal cargo cc cl clang clang++ cmake
        cython dmd dotnet dune fasm flex g++ gawk gcc gdc gfortran ghc gmake gnat go gold gradle icc
        icpc icx jam java javac kotlinc ld ld.bfd ld.gold ld.lld ldc2 libtool lld llvm-ar m4 make meson
        mold mvn nasm ninja nim node npm ocaml ocamlopt opam patchelf perl pip pkg-config pkgconf
        protoc python python3 qmake re2c ruby rustc sbt scons stack swift swiftc tcc tsc uv valac yarn
        yasm zig
        """,
    )
)
_CROSS_TOOLS = frozenset(
    {"ar", "as", "c++", "cc", "clang", "g++", "gcc", "gfortran", "ld"}
)  # arm-linux-gnueabi-gcc
_QUESTIONS = {"go": "version", "zig": "version"}  # all others know --version
_WORD = re.compile(r"[\w.+/-]+")
_SUFFIX = re.compile(r"-?\d+(\.\d+)*$")  # gcc-12, python3.11


@dataclass(frozen=True)
class Toolchain:
    """The first line of what each program says of its version, by its name."""

    versions: tuple[tuple[str, str], ...]

    @cached_property
    def digest(self) -> str:
        """Equal for equal versions of equal programs."""
        return digest("toolchain", self.versions)

    def one_line(self) -> str:
        """The toolchain in words."""
        named = [
            version if _mentions(version, name) else f"{name}: {version}" for name, version in self.versions
        ]
        return "; ".join(named) or "no build tools"


def programs_named_in(lines: Iterable[str]) -> frozenset[str]:
    """The build tools that command lines name, as they name them: also in `CC=gcc-12`."""
    words = (word for line in lines for word in _WORD.findall(line))
    return frozenset(word for word in words if _is_tool(word))


def describe_toolchain(programs: Iterable[str] = (), path: str | None = None) -> Toolchain:
    """The versions of cc, c++, ld, make and of `programs`; those that are not on PATH are left out.

    Only build tools that we know are asked. `path` is the PATH of the build, if it is not ours.
    """
    return describe_programs((*ALWAYS, *programs), path)


def describe_programs(programs: Iterable[str], path: str | None = None) -> Toolchain:
    """The versions of `programs`, as far as they are tools that we know and are on PATH."""
    names = sorted({program for program in programs if _is_tool(program)})
    found = [(name, place) for name in names if (place := shutil.which(name, path=path))]
    with ThreadPoolExecutor(max_workers=8) as pool:
        versions = pool.map(lambda item: _version(*item), found)
    return Toolchain(tuple((name, version) for (name, _), version in zip(found, versions, strict=True)))


def _is_tool(word: str) -> bool:
    if "/" in word and not word.startswith("/"):  # a file of the subject, not of the toolchain
        return False
    name = PurePosixPath(word).name
    plain = _SUFFIX.sub("", name)
    return name in _TOOLS or plain in _TOOLS or plain.rpartition("-")[2] in _CROSS_TOOLS


def _version(name: str, place: str) -> str:
    question = _QUESTIONS.get(PurePosixPath(name).name, "--version")
    try:
        ended = subprocess.run(
            [place, question],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_TIMEOUT_SECONDS,
            check=False,
            cwd=gettempdir(),  # some tools read settings of the folder they are started in
        )
    except (OSError, subprocess.TimeoutExpired):
        return "does not tell its version"
    lines = (ended.stdout or ended.stderr).decode(errors="replace").strip().splitlines()
    return lines[0].strip() if lines and ended.returncode == 0 else "does not tell its version"


def _mentions(version: str, name: str) -> bool:
    return PurePosixPath(name).name.lower() in version.lower()
