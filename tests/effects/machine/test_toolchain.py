"""Which programs of a command line belong to the toolchain."""

from hypothesis import given
from hypothesis import strategies as st

from sonde.effects.machine.toolchain import Toolchain, describe_toolchain, programs_named_in


def test_build_tools_are_found_wherever_a_command_line_names_them():
    lines = [
        "CC=gcc-12 make -j4",
        "cmake -S . -B out && ninja -C out",
        "arm-linux-gnueabihf-g++ x.cc -std=c++17",
    ]

    named = {"gcc-12", "make", "cmake", "ninja", "arm-linux-gnueabihf-g++", "c++17"}
    assert programs_named_in(lines) == named


def test_programs_that_are_not_build_tools_are_never_asked():
    assert programs_named_in(["rm -rf / ; ./configure; bin/make; deploy-go"]) == frozenset()


@given(st.text())
def test_any_command_line_can_be_read(line):
    assert all(name in line for name in programs_named_in([line]))


def test_programs_that_are_not_on_the_path_are_left_out(tmp_path):
    assert describe_toolchain(["cmake", "cc"], path=str(tmp_path)) == Toolchain(())


def test_the_first_line_of_the_version_counts(tmp_path):
    for name, text in {
        "cc": "echo cc 12.2; echo Copyright",
        "make": "exit 1",
        "ld": "echo >&2 GNU ld 2.40",
    }.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / name).chmod(0o755)

    toolchain = describe_toolchain(path=str(tmp_path))

    assert toolchain.versions == (
        ("cc", "cc 12.2"),
        ("ld", "GNU ld 2.40"),
        ("make", "does not tell its version"),
    )
    assert toolchain.one_line() == "cc 12.2; GNU ld 2.40; make: does not tell its version"


def test_the_digest_follows_the_versions():
    assert Toolchain((("cc", "12"),)).digest == Toolchain((("cc", "12"),)).digest
    assert Toolchain((("cc", "12"),)).digest != Toolchain((("cc", "13"),)).digest
