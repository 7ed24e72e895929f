"""Input files, known by their content."""

import os

import pytest

from sonde.core.errors import ProjectFileError
from sonde.effects.fixed_time import FIXED_TIME_SECONDS
from sonde.effects.runs import stage_inputs
from sonde.effects.runs.inputs import MOST_MOUNTS, lay_out, mount_inputs


@pytest.fixture
def root(tmp_path):
    (tmp_path / "root" / "deep").mkdir(parents=True)
    (tmp_path / "root" / "deep" / "corpus").write_text("content")
    (tmp_path / "root" / "script").write_text("#!/bin/sh\n")
    (tmp_path / "root" / "script").chmod(0o755)
    return tmp_path / "root"


def test_files_are_copied_with_fixed_times_and_rights(root, tmp_path):
    staged = stage_inputs(root, ["deep/corpus", "script"], tmp_path / "state")

    assert staged.path == tmp_path / "state" / "inputs" / staged.digest
    assert (staged.path / "deep" / "corpus").read_text() == "content"
    assert (staged.path / "deep" / "corpus").stat().st_mode & 0o777 == 0o444
    assert (staged.path / "script").stat().st_mode & 0o777 == 0o555
    assert {path.stat().st_mtime for path in staged.path.rglob("*")} == {FIXED_TIME_SECONDS}


def test_equal_contents_are_staged_once_whatever_the_order_and_the_time(root, tmp_path):
    first = stage_inputs(root, ["deep/corpus", "script"], tmp_path / "state")
    os.utime(root / "script", (5, 5))
    second = stage_inputs(root, ["script", "deep/corpus", "script"], tmp_path / "state")

    assert first == second
    assert [path.name for path in (tmp_path / "state" / "inputs").iterdir()] == [first.digest]


@pytest.mark.parametrize("change", ["content", "name", "right"])
def test_what_a_benchmark_can_see_changes_the_digest(root, tmp_path, change):
    before = stage_inputs(root, ["script"], tmp_path / "state").digest
    if change == "content":
        (root / "script").write_text("#!/bin/dash\n")
    if change == "right":
        (root / "script").chmod(0o644)
    if change == "name":
        (root / "script").rename(root / "program")

    assert (
        stage_inputs(root, ["program" if change == "name" else "script"], tmp_path / "state").digest != before
    )


def test_no_files_are_an_empty_folder(root, tmp_path):
    assert list(stage_inputs(root, [], tmp_path / "state").path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("missing", "cannot be read: No such file or directory"),
        ("deep", "cannot be read: Is a directory"),
        ("../secret", "is outside of"),
        ("/etc/passwd", "is outside of"),
    ],
)
def test_files_that_cannot_be_staged_are_named(root, tmp_path, name, message):
    with pytest.raises(ProjectFileError, match=message):
        stage_inputs(root, [name], tmp_path / "state")


def test_files_are_laid_out_with_their_times(root, tmp_path):
    staged = stage_inputs(root, ["deep/corpus", "script"], tmp_path / "state")
    (tmp_path / "scratch").mkdir()

    lay_out(staged.path, tmp_path / "scratch")

    assert (tmp_path / "scratch" / "deep" / "corpus").read_text() == "content"
    assert (tmp_path / "scratch" / "script").stat().st_mtime == FIXED_TIME_SECONDS


def test_in_a_sandbox_the_folders_of_few_inputs_are_made_and_their_files_are_mounted(root, tmp_path):
    staged = stage_inputs(root, ["deep/corpus", "script"], tmp_path / "state")
    scratch = tmp_path / "scratch"
    scratch.mkdir()

    mounts = mount_inputs(staged.path, scratch)

    assert [mount.target for mount in mounts] == ["/sonde/scratch/deep/corpus", "/sonde/scratch/script"]
    assert not any(mount.writable for mount in mounts)
    assert (scratch / "deep").stat().st_mtime == FIXED_TIME_SECONDS


def test_in_a_sandbox_the_folders_of_many_inputs_are_mounted(root, tmp_path):
    names = [f"deep/{number}" for number in range(MOST_MOUNTS)]
    for name in names:
        (root / name).touch()
    staged = stage_inputs(root, ["script", *names], tmp_path / "state")

    mounts = mount_inputs(staged.path, tmp_path / "scratch")

    assert [mount.target for mount in mounts] == ["/sonde/scratch/deep", "/sonde/scratch/script"]
