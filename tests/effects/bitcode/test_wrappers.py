import os
import subprocess
from pathlib import Path

import pytest

from sonde.effects.bitcode.calls import CompilerCall, CompilerCalls, read_calls
from sonde.effects.bitcode.wrappers import is_for_cplusplus, write_wrappers

ABSENT = ("x86_64-w64-mingw32-gcc", "gcc-ar", "clang-format", "c99", "ccache")
WATCHED = ("cc", "gcc", "gcc-12", "g++", "clang-19", "clang++", "x86_64-linux-gnu-gcc-12", "c++")


@pytest.fixture
def here(tmp_path) -> Path:
    """Compilers that only print what they are asked, and wrappers of them in a folder with a blank."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in (*WATCHED, *ABSENT, "rustc"):
        (programs / name).write_text('#!/bin/sh\necho "$PATH"\nprintf \'<%s>\' "$@"\n')
        (programs / name).chmod(0o755)
    folder: Path = tmp_path / "wrap pers"
    write_wrappers(folder, str(folder), "/mark.h", f"{programs}:/not/there")
    return folder


def call(here: Path, name: str, *words: str) -> tuple[str, str]:
    """The path that the compiler saw, and its words."""
    path = f"{here}/compilers:{here.parent / 'programs'}:{os.defpath}"
    (here.parent / "work").mkdir(exist_ok=True)
    ended = subprocess.run(
        [here / "compilers" / name, *words],
        cwd=here.parent / "work",
        env={"PATH": path},
        check=True,
        capture_output=True,
        text=True,
    )
    seen, _, printed = ended.stdout.partition("\n")
    return seen, printed


def calls(here: Path) -> CompilerCalls:
    return read_calls(here)


def test_compilers_that_are_there_are_wrapped_and_nothing_else(here):
    assert sorted(path.name for path in (here / "compilers").iterdir()) == sorted((*WATCHED, "rustc"))


def test_a_compilation_is_noted_and_marked(here):
    _, printed = call(here, "cc", "-c", "-DX=a b", "a.c")

    ((name, noted),) = calls(here).compilers.items()
    work = str(here.parent / "work")
    assert noted == CompilerCall(work, "cc", ("-c", "-DX=a b", "a.c"))
    assert printed == f"<-c><-DX=a b><a.c><-fno-lto><-DSONDE_CALL={name}><-include></mark.h>"


@pytest.mark.parametrize(
    "line",
    [
        *("-E a.c", "-M a.c", "-MM a.c", "-fsyntax-only a.c", "-### a.c", "--version", "-dumpversion"),
        *(
            "main.o -o prog.c",
            "-c pre.h",
            "-x c-header pre",
            "-xc++-header pre.hpp",
            "-Wl,--x.c main.o",
            "-Ia.c x.o",
        ),
    ],
)
def test_what_compiles_nothing_is_left_alone(here, line):
    _, printed = call(here, "cc", *line.split())

    assert printed == "".join(f"<{word}>" for word in line.split())
    assert calls(here).compilers == {}


@pytest.mark.parametrize(
    "line", ["a.cpp", "a.S", "-x c -", "-xc++ a", "@words", "-S a.c", "-o x -c a.C", "a.c a.o"]
)
def test_everything_that_may_compile_something_is_noted(here, line):
    call(here, "g++", *line.split())

    assert [each.words for each in calls(here).compilers.values()] == [tuple(line.split())]


def test_the_real_compiler_does_not_find_the_wrappers(here):
    seen, _ = call(here, "cc", "-c", "a.c")

    assert seen == f"{here.parent / 'programs'}:{os.defpath}"


def test_the_same_call_has_the_same_name(here):
    for _ in range(2):
        call(here, "cc", "-c", "a.c")
    call(here, "cc", "-c", "a.c", "-O2")
    call(here, "clang-19", "-c", "a.c")

    assert len(calls(here).compilers) == 3


def test_a_source_is_copied_as_it_may_be_removed(here):
    (here.parent / "work").mkdir()
    (here.parent / "work" / "a.c").write_text("int x;\n")

    call(here, "cc", "-c", "a.c")

    (name,) = calls(here).compilers
    assert (here / "sources" / name).read_text() == "int x;\n"


def test_compilers_of_other_languages_are_noted_only(here):
    _, printed = call(here, "rustc", "main.rs")

    assert printed == "<main.rs>"
    assert [(each.compiler, each.words) for each in calls(here).others] == [("rustc", ("main.rs",))]


def test_names_tell_who_takes_c_for_cplusplus():
    assert [is_for_cplusplus(name) for name in ("g++-12", "clang++", "c++", "gcc", "clang-19")] == [
        *(True, True, True, False, False)
    ]
