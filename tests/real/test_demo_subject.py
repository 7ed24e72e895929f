"""The demo subject, written, built and measured for real."""

import json
import math
import re
import subprocess
from pathlib import Path

import pytest

from sonde.effects.demo_subject.configurations import valid_configurations, words
from sonde.effects.demo_subject.write import UNFINISHED, DemoSubject, FolderNotEmpty, write_demo
from sonde.effects.project_file import load_project
from tests.slow_cases import slow_except

pytestmark = pytest.mark.needs("git", "make", "cc", "valgrind")

# Whoever changes the plan changes this too; nothing else may.
LAST_REVISION = "bb0ab8fc0b56bd932759c6da0226eadd55bb8990"
BENCHMARKS = {
    "pack-text": ("corpus/text.txt",),
    "pack-image": ("corpus/image.bin",),
    "verify-log": ("--verify", "corpus/log.txt"),
}


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    return write_demo(tmp_path_factory.mktemp("demo") / "new")


@pytest.fixture(scope="module")
def program(demo, tmp_path_factory):
    """The program of a revision by position, or None where it does not build."""
    folder = tmp_path_factory.mktemp("builds")
    built: dict[int, Path | None] = {}

    def build(position: int) -> Path | None:
        if position not in built:
            sources = folder / str(position)
            git(demo, "worktree", "add", "--quiet", "--detach", str(sources), demo.revision_ids[position])
            made = subprocess.run(["make", "-s", "-j2"], cwd=sources, capture_output=True, check=False)
            built[position] = sources / "packer" if made.returncode == 0 else None
        return built[position]

    return build


def git(demo: DemoSubject, *arguments: str) -> str:
    done = subprocess.run(
        ["git", *arguments], cwd=demo.repository, capture_output=True, text=True, check=True
    )
    return done.stdout


def instructions(
    demo: DemoSubject, program: Path, options: tuple[str, ...], benchmark: str, scratch: Path
) -> int:
    profiler = ("valgrind", "--tool=callgrind", f"--callgrind-out-file={scratch}/profile")
    command = [*profiler, str(program), *options, *BENCHMARKS[benchmark], str(scratch / "out.pk")]
    done = subprocess.run(command, cwd=demo.folder, capture_output=True, text=True, check=True)
    found = re.search(r"Collected : (\d+)", done.stderr)
    assert found, done.stderr
    return int(found.group(1))


def truth(demo):
    return json.loads(demo.truth_file.read_text())


def test_revisions_are_the_same_whatever_git_was_told(demo, tmp_path, monkeypatch):
    home = tmp_path / "odd home"
    (home / "template" / "hooks").mkdir(parents=True)
    hook = home / "template" / "hooks" / "post-checkout"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    (home / ".gitconfig").write_text(
        f"[init]\n defaultBranch = trunk\n templateDir = {home}/template\n defaultObjectFormat = sha256\n"
        "[commit]\n gpgSign = true\n[i18n]\n commitEncoding = latin1\n[user]\n useConfigOnly = true\n"
        f"[core]\n autocrlf = true\n hooksPath = {home}/template/hooks\n"
    )
    for name, value in {
        "HOME": str(home),
        "GIT_DIR": str(tmp_path / "elsewhere"),
        "GIT_DEFAULT_HASH": "sha256",
        "GIT_AUTHOR_DATE": "2001-01-01T00:00:00",
        "TZ": "Asia/Tokyo",
    }.items():
        monkeypatch.setenv(name, value)

    again = write_demo(tmp_path / "again")

    assert again.revision_ids == demo.revision_ids
    assert again.truth_file.read_bytes() == demo.truth_file.read_bytes()
    assert b"\r" not in (again.repository / "src" / "main.c").read_bytes()
    for path in (demo.folder / "corpus").iterdir():
        assert (again.folder / "corpus" / path.name).read_bytes() == path.read_bytes()


def test_revisions_are_the_same_on_every_machine(demo):
    assert demo.revision_ids[-1] == LAST_REVISION


def test_a_folder_with_files_is_refused(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")

    with pytest.raises(FolderNotEmpty, match="needs an empty folder"):
        write_demo(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_demo_whose_writing_was_cut_off_is_written_again(tmp_path):
    (tmp_path / UNFINISHED / "packer").mkdir(parents=True)

    written = write_demo(tmp_path)

    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "corpus",
        "packer",
        "sonde.toml",
        "truth.json",
    ]
    assert written.revision_ids[-1] == LAST_REVISION


def test_the_work_tree_is_clean_and_all_objects_are_sound(demo):
    assert git(demo, "status", "--porcelain") == ""
    assert git(demo, "branch", "--format=%(refname:short)").split() == ["main"]
    git(demo, "fsck", "--strict")


def test_first_parents_are_fewer_than_all_revisions(demo):
    assert len(git(demo, "rev-list", "main").split()) == len(demo.revision_ids) + 6


def test_the_project_file_is_valid_and_has_the_same_configurations(demo):
    project = load_project(demo.folder)

    assert {benchmark.name for benchmark in project.subject.benchmarks} == set(BENCHMARKS)
    assert {option.name for option in project.subject.options} == set(next(valid_configurations()))


@pytest.mark.parametrize("position", slow_except([0], [0, 58, 149]))
def test_unpacking_gives_what_was_packed(demo, program, tmp_path, position):
    packer = program(position)
    inputs = [*(demo.folder / "corpus").iterdir(), tmp_path / "nothing"]
    (tmp_path / "nothing").write_bytes(b"")
    for configuration in list(valid_configurations())[::5]:
        if configuration["dictionary"] and position < 58:
            continue
        for path in inputs:
            for command in ((*words(configuration), path, "packed"), ("--unpack", "packed", "unpacked")):
                subprocess.run([packer, *command], cwd=tmp_path, capture_output=True, check=True)
            assert (tmp_path / "unpacked").read_bytes() == path.read_bytes(), (configuration, path)


def test_revisions_that_should_not_build_do_not(demo, program):
    positions = truth(demo)["does_not_build"]

    assert [program(position) for position in positions] == [None] * len(positions)
    assert program(positions[-1] + 1) is not None


def test_the_revision_that_should_crash_does_where_it_should(demo, program, tmp_path):
    (crash,) = truth(demo)["crashes"]
    assert crash["where"] == ["verbose"]

    def ends_with(position: int, *options: str) -> int:
        command = [program(position), *options, demo.folder / "corpus" / "text.txt", tmp_path / "out.pk"]
        return subprocess.run(command, capture_output=True, check=False).returncode

    assert ends_with(crash["position"], "--verbose") < 0
    assert ends_with(crash["position"]) == 0
    assert ends_with(crash["position"] + 1, "--verbose") == 0


def test_comments_do_not_change_the_build(demo, program):
    position = truth(demo)["quiet"]["comments"][0]

    assert program(position).read_bytes() == program(position - 1).read_bytes()


@pytest.mark.parametrize(
    ("kind", "options", "other_options"),
    slow_except(
        ["interaction"],
        [
            ("core", ("--lz", "--level=5"), None),
            ("option off", ("--rle",), ("--rle", "--checksum")),
            ("interaction", ("--huffman", "--filter"), ("--huffman",)),
            ("deletion", ("--huffman", "--checksum"), ("--rle", "--checksum")),
            ("constant table", ("--lz", "--level=9"), ("--lz", "--level=5")),
        ],
    ),
)
def test_planted_changes_move_instructions_as_told(demo, program, tmp_path, kind, options, other_options):
    (point,) = (point for point in truth(demo)["change_points"] if point["kind"] == kind)

    def step(options: tuple[str, ...], benchmark: str) -> float:
        before, after = (
            instructions(demo, program(position), options, benchmark, tmp_path)
            for position in (point["revision"] - 1, point["revision"])
        )
        return math.log(after / before)

    weakest, strongest = sorted(point["steps"]["pack-image"])
    # Another compiler counts other instructions.
    assert weakest - 0.05 <= step(options, "pack-image") <= strongest + 0.05
    if other_options:
        assert abs(step(other_options, "pack-image")) < 0.005
