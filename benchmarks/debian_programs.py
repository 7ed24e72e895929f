"""Real programs: Debian's source packages as bitcode, before and after one small change.

The bitcode stays in `build/benchmarks`, so that a second run needs neither network nor compiler; `make clean`
removes it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.debian_sources import PLACE, Unavailable, fetch, last_line, unpack
from benchmarks.frame import tell

# Each object holds its bitcode as well, and a program that of all objects which it was linked of.
FLAGS = "-g -O0 -w -Xclang -disable-O0-optnone -fno-discard-value-names -fembed-bitcode=all"
# The archiver of binutils may take such objects for bitcode alone.
TOOLS = f"CC=clang-19 AR=llvm-ar-19 RANLIB=llvm-ranlib-19 CFLAGS='{FLAGS}'"
CONFIGURE = f"./configure --quiet --disable-nls --disable-dependency-tracking {TOOLS}"
BEGIN = b"BC\xc0\xde\x35\x14\x00\x00"  # of bitcode


@dataclass(frozen=True)
class DebianProgram:
    """A program, how it is built, a line of it that changes, and what is asked about it."""

    name: str
    package: str
    make: str
    output: str
    file: str
    line: tuple[str, str]  # as it is, and as it becomes
    hot: tuple[str, ...]
    options: Mapping[str, str] = field(default_factory=dict)  # the variable of each, by its word
    configure: str = "true"

    def folder(self) -> Path:
        """Where `old/*.bc` and `new/*.bc` lie, with the version in `done`; made if they are not there."""
        folder = PLACE / self.name
        if not (folder / "done").exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            source = folder / "source"
            package = fetch(self.package)
            unpack(package, source)
            tell(f"building {self.name} with clang, to get its bitcode")
            self._run(self.configure, source)
            self._build(source, folder / "old")
            file = source / self.file
            text = file.read_text()
            assert text.count(self.line[0]) == 1, f"{self.file}: not one '{self.line[0]}'"
            file.write_text(text.replace(*self.line))
            self._build(source, folder / "new")
            shutil.rmtree(source)
            (folder / "hot").write_text("\n".join(self.hot))
            options = [f"{word} {variable}\n" for word, variable in self.options.items()]
            (folder / "options").write_text("".join(options))
            (folder / "done").write_text(f"{package.name.split('_')[1].partition('.orig')[0]}\n")
        return folder

    def _build(self, source: Path, made: Path) -> None:
        """Make the program, and take the bitcode of its units from it."""
        self._run(f"make -j{os.cpu_count()} {self.make}", source)
        made.mkdir()
        words = ["llvm-objcopy-19", "--dump-section", f".llvmbc={made}/all", self.output, os.devnull]
        subprocess.run(words, cwd=source, check=True)
        _, *units = (made / "all").read_bytes().split(BEGIN)
        (made / "all").unlink()
        for number, unit in enumerate(units):
            (made / f"{number:04}.bc").write_bytes(BEGIN + unit)

    def _run(self, command: str, source: Path) -> None:
        environment = {**os.environ, "FORCE_UNSAFE_CONFIGURE": "1", "LC_ALL": "C"}
        ended = subprocess.run(
            ["sh", "-ec", command], cwd=source, env=environment, capture_output=True, text=True, check=False
        )
        if ended.returncode:
            raise Unavailable(f"{self.name} does not build: {last_line(ended.stderr)}")


BZIP2 = DebianProgram(
    "bzip2",
    "bzip2",
    f"bzip2 {TOOLS}",
    "bzip2",
    "bzip2.c",
    ("workFactor              = 30;", "workFactor              = 60;"),
    ("mainSort", "mainGtU", "fallbackSort", "generateMTFValues", "BZ2_decompress"),
    {
        "-d": "opMode",
        "-s": "smallMode",
        "-v": "verbosity",
        "-f": "forceOverwrite",
        "-k": "keepInputFiles",
        "-q": "noisy",
        "-c": "srcMode",
    },
)
SORT = DebianProgram(
    "sort",
    "coreutils",
    "src/sort",
    "src/sort",
    "src/sort.c",
    ("enum { DEFAULT_MAX_THREADS = 8 };", "enum { DEFAULT_MAX_THREADS = 4 };"),
    ("compare", "keycompare", "mergelines", "sequential_sort", "fillbuf", "numcompare", "getmonth"),
    {
        "-M": "keyfield.month",
        "-n": "keyfield.numeric",
        "-g": "keyfield.general_numeric",
        "-h": "keyfield.human_numeric",
        "-R": "keyfield.random",
        "-V": "keyfield.version",
        "-r": "keyfield.reverse",
        "-f": "keyfield.translate",
        "-u": "unique",
        "-s": "stable",
    },
    f"{CONFIGURE} --without-libgmp --without-openssl\n"
    "printf 'include Makefile\\nbuilt: $(BUILT_SOURCES)\\n' > built.mk\nmake -f built.mk built",
)
GREP = DebianProgram(
    "grep",
    "grep",
    "-C lib && make -C src grep",
    "src/grep",
    "src/grep.c",
    ("enum { INITIAL_BUFSIZE = 96 * 1024 };", "enum { INITIAL_BUFSIZE = 32 * 1024 };"),
    ("EGexecute", "kwsexec", "bmexec", "dfaexec_main", "grepbuf", "fillbuf"),
    {
        "-i": "match_icase",
        "-w": "match_words",
        "-x": "match_lines",
        "-v": "out_invert",
        "-c": "count_matches",
        "-o": "only_matching",
        "-n": "out_line",
        "-q": "exit_on_match",
    },
    f"{CONFIGURE} --disable-perl-regexp",
)
GIT = DebianProgram(
    "git",
    "git",
    f"git {TOOLS} NO_OPENSSL=1 NO_CURL=1 NO_EXPAT=1 NO_GETTEXT=1 NO_TCLTK=1 NO_PERL=1",
    "git",
    "xdiff/xdiffi.c",
    ("#define XDL_MAX_COST_MIN 256", "#define XDL_MAX_COST_MIN 512"),
    ("xdl_recmatch", "xdl_hash_record", "xdl_recs_cmp", "patch_delta", "unpack_entry", "lookup_object"),
    {"--quiet": "quiet", "--verbose": "verbose"},
)
