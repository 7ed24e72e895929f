"""The input files of a base, whatever the head has made of them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sonde.core.errors import ProjectFileError
from sonde.effects.git import open_repository
from sonde.effects.git.tracked.inputs import KeptInputs, write_kept
from sonde.effects.runs.inputs import files_named
from tests.real.repositories import RepositoryMaker, git

pytestmark = pytest.mark.needs("git")

PATTERNS = ("corpus", "bench.sh")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    maker = RepositoryMaker()
    modes = {"bench.sh": "100755", "corpus/same": "120000"}
    files = {"corpus/a": "aaa\n", "corpus/same": "a", "bench.sh": "exec $1\n", "else": "other\n"}
    maker.revision(files, modes=modes, subject="Base")
    maker.revision({"src": "1"}, subject="Head")
    maker.make(tmp_path / "subject")
    git(tmp_path / "subject", "checkout", "--quiet", "main")
    return tmp_path / "subject"


def commit(folder: Path) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--amend", "--no-edit")


def taken(folder: Path) -> tuple[dict[str, str], tuple[str, ...]]:
    """What benchmarks would read, and what the head has changed."""
    repository = open_repository(folder)
    inputs = KeptInputs(repository, folder, folder, repository.resolve("HEAD~1"))
    chosen = inputs.choose(PATTERNS, files_named(folder, PATTERNS))
    (folder.parent / "written").mkdir()
    places = write_kept(inputs, chosen.kept, folder.parent / "written")
    places |= {name: folder / name for name in chosen.own}
    return {name: place.read_text() for name, place in places.items()}, chosen.changed


BASE = {"corpus/a": "aaa\n", "corpus/same": "aaa\n", "bench.sh": "exec $1\n"}


def test_equal_files_are_those_of_the_work_tree(folder):
    assert taken(folder) == (BASE, ())


def overwrite(folder: Path) -> None:
    (folder / "bench.sh").write_text("echo took 1\n")


def overwrite_what_a_link_leads_to(folder: Path) -> None:
    (folder / "corpus" / "a").write_text("a\n")


def remove(folder: Path) -> None:
    (folder / "bench.sh").unlink()


def add(folder: Path) -> None:
    (folder / "corpus" / "more").write_text("more\n")


def link_out(folder: Path) -> None:
    (folder.parent / "secret").write_text("secret\n")
    (folder / "bench.sh").unlink()
    (folder / "bench.sh").symlink_to(folder.parent / "secret")


def link_the_folder_out(folder: Path) -> None:
    git(folder, "rm", "-r", "--quiet", "corpus")
    (folder.parent / "secret").mkdir()
    for name in ("a", "same", "more"):
        (folder.parent / "secret" / name).write_text("secret\n")
    (folder / "corpus").symlink_to(folder.parent / "secret")


@pytest.mark.parametrize(
    ("change", "changed"),
    [
        (overwrite, {"bench.sh"}),
        (overwrite_what_a_link_leads_to, {"corpus/a", "corpus/same"}),
        (remove, {"bench.sh"}),
        (add, {"corpus/more"}),
        (link_out, {"bench.sh"}),
        (link_the_folder_out, {"corpus/a", "corpus/same", "corpus/more"}),
    ],
)
def test_what_the_head_has_changed_is_taken_from_the_base(
    folder: Path, change: Callable[[Path], None], changed: set[str]
):
    change(folder)
    commit(folder)

    found, named = taken(folder)

    assert found == BASE
    assert set(named) == changed


def test_the_right_to_be_run_is_that_of_the_base(folder):
    (folder / "bench.sh").chmod(0o644)
    commit(folder)

    assert taken(folder)[1] == ("bench.sh",)
    assert (folder.parent / "written" / "0").stat().st_mode & 0o100


@pytest.mark.parametrize("attribute", ["working-tree-encoding=UTF-16", "text eol=crlf"])
def test_attributes_of_the_head_do_not_change_what_is_read(folder, attribute):
    (folder / ".gitattributes").write_text(f"corpus/a {attribute}\n")
    git(folder, "add", ".gitattributes")
    git(folder, "commit", "--quiet", "--amend", "--no-edit")
    (folder / "corpus" / "a").unlink()
    git(folder, "checkout", "--quiet", "--", "corpus/a")
    assert (folder / "corpus" / "a").read_bytes() != b"aaa\n"

    assert taken(folder) == (BASE, ("corpus/a", "corpus/same"))


def test_what_the_user_has_written_counts(folder):
    (folder / "bench.sh").write_text("mine\n")
    (folder / "corpus" / "more").write_text("mine, too\n")

    assert taken(folder) == (BASE | {"bench.sh": "mine\n", "corpus/more": "mine, too\n"}, ())


def test_what_git_keeps_elsewhere_cannot_be_had(folder):
    git(folder, "checkout", "--quiet", "--detach", "HEAD~1")
    (folder / "bench.sh").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
    git(folder, "commit", "--quiet", "--all", "--message", "Pointer")
    (folder / "bench.sh").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 1\n")
    git(folder, "commit", "--quiet", "--all", "--message", "Another")

    with pytest.raises(ProjectFileError, match=r"--project-file HEAD:sonde\.toml"):
        taken(folder)
