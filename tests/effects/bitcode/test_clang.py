import pytest

from sonde.core.errors import MissingTool
from sonde.effects.bitcode.clang import find_clang


def pretend(folder, name: str, version: str, code: int = 0) -> None:
    program = folder / name
    program.write_text(f"#!/bin/sh\necho 'Debian clang version {version}'\nexit {code}\n")
    program.chmod(0o755)


def test_without_clang_it_is_said_what_to_install(tmp_path):
    with pytest.raises(MissingTool, match="apt-get install clang"):
        find_clang(str(tmp_path))


def test_the_newest_one_that_can_be_read_is_taken(tmp_path):
    for name, version in (("clang-15", "15.0.6"), ("clang-19", "19.1.7"), ("clang", "14.0.6")):
        pretend(tmp_path, name, version)

    found = find_clang(str(tmp_path))

    assert (found.program, found.version) == (str(tmp_path / "clang-19"), "Debian clang version 19.1.7")


def test_one_without_a_number_in_its_name_will_do(tmp_path):
    pretend(tmp_path, "clang", "16.0.0")

    assert find_clang(str(tmp_path)).program == str(tmp_path / "clang")


def test_one_that_cannot_be_read_is_named(tmp_path):
    pretend(tmp_path, "clang", "11.0.1")

    with pytest.raises(MissingTool, match="clang 11 is installed, but only"):
        find_clang(str(tmp_path))
