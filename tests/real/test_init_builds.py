"""The guesses of `sonde init` build and run for real."""

import shlex
import subprocess

import pytest

from sonde.core.options import Configuration
from sonde.effects.project_file import load_project, starter_file
from sonde.space.words import Spelling, fill
from tests.effects.project_file.repositories import C_MAIN, write_repository


def build_and_run(folder):
    (folder / "sonde.toml").write_text(starter_file(folder), encoding="utf-8")
    subject = load_project(folder).subject
    subprocess.run(
        subject.build.commands[0].line or "true", shell=True, cwd=folder, check=True, capture_output=True
    )
    benchmark = subject.benchmarks[0]
    line = fill(benchmark.commands[0].line, str(folder), Spelling(), Configuration(()))
    ended = subprocess.run(shlex.split(line), cwd=folder, capture_output=True, text=True, check=False)

    assert all(list(folder.glob(output)) for output in subject.build.outputs)
    assert ended.returncode in benchmark.exit_codes
    return ended.stdout


@pytest.mark.needs("make", "cc")
@pytest.mark.parametrize("name", ["make", "make-below"])
def test_a_guessed_make_project_builds_and_runs(tmp_path, name):
    folder = tmp_path / "a folder"
    folder.mkdir()
    write_repository(folder, name)
    if name == "make-below":
        (folder / "lib" / "a.c").write_text("int a;\n")

    build_and_run(folder)


@pytest.mark.needs("cmake", "make", "cc")
def test_a_guessed_cmake_project_builds_and_runs(tmp_path):
    write_repository(tmp_path, "cmake")
    (tmp_path / "zip.c").write_text("int zip;\n")
    (tmp_path / "tools" / "helper.c").write_text(C_MAIN)

    assert build_and_run(tmp_path) == "--version\n"


@pytest.mark.needs("python3")
def test_a_guessed_python_package_runs(tmp_path):
    assert "usage" in build_and_run(write_repository(tmp_path, "python"))
