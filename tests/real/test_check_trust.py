"""A pull request does not choose the rules by which it is judged."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.real.checks import BUILDS, sonde_here, work
from tests.real.repositories import RepositoryMaker, git
from tests.slow_cases import slow_except

pytestmark = pytest.mark.needs("git", "bwrap")

FILE = """\
[build]
command = "sh src/build.sh"
outputs = ["work"]
inputs = ["src/**"]

[benchmarks.work]
command = "{build}/work"
metric = "printed"
pattern = "took ([0-9.]+)"
"""
SECOND = FILE[FILE.index("[benchmarks.work]") :].replace("benchmarks.work", "benchmarks.second")
FASTER = 'command = "echo took 1"'


def history(folder: Path, at_base: str | None, at_head: str | None, slower: bool = True) -> Path:
    """A repository of a base and a head with project files, checked out at the head."""
    maker = RepositoryMaker()
    base = {"src/work.sh": work(100), "src/build.sh": BUILDS, ".gitignore": ".sonde/\n"}
    maker.revision(base if at_base is None else base | {"sonde.toml": at_base}, subject="Base")
    head = {"src/work.sh": work(200 if slower else 100, "other")}
    maker.revision(head if at_head == at_base else head | {"sonde.toml": at_head}, subject="Head")
    maker.make(folder)
    git(folder, "checkout", "--quiet", "main")
    return folder


def check(folder: Path, *words: str, code: int = 0) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(sonde_here(folder, "check", "--json", *words, code=code).stdout)
    return found


def widened(more: str, home: Path) -> str:
    """The project file with more in it."""
    file = FILE.replace("[build]\n", more) if more.startswith("[build]") else f"{FILE}\n{more}"
    return file.replace("HOME", str(home))


def test_equal_files_are_nothing_to_speak_of(tmp_path):
    found = check(history(tmp_path, FILE, FILE), code=1)

    assert found["project_file"] is None


@pytest.mark.slow
def test_a_benchmark_that_the_head_removes_is_measured_and_named(tmp_path):
    folder = history(tmp_path, FILE + SECOND, FILE.replace("benchmarks.work", "benchmarks.second"))

    found = check(folder, code=1)

    assert {each["benchmark"] for each in found["compared"]} == {"work", "second"}
    assert "The head removes work from the project file." in found["headline"]
    assert found["project_file"]["head_would"] == [{"change": "benchmark removed", "name": "work"}]


def test_a_command_that_the_head_makes_cheap_does_not_count(tmp_path):
    folder = history(tmp_path, FILE, FILE.replace('command = "{build}/work"', FASTER))

    assert check(folder, code=1)["verdict"] == "slower"
    said = sonde_here(folder, "check", code=1).stdout
    assert "The one in the work tree would change: benchmark changed: work." in said.replace("\n", " ")


@pytest.mark.parametrize(
    ("more", "change"),
    [
        ("[environment]\nwritable = ['HOME']\n", "folder made writable"),
        ("[environment]\nreadable = ['HOME']\n", "folder made readable"),
        ("[build]\nnetwork = true\n", "network allowed"),
        ("[build]\nsees_git = true\n", "history shown"),
        ("[limits]\nprocesses = 99999\n", "limits changed"),
    ],
)
def test_rights_that_the_head_takes_are_not_given(tmp_path, more, change):
    home = tmp_path / "home"
    home.mkdir()
    wider = widened(more, home)
    stealing = work(100, "other", f"touch {home}/taken || true")
    folder = history(tmp_path / "subject", FILE, wider)
    (folder / "src" / "work.sh").write_text(stealing)
    git(folder, "commit", "--quiet", "--all", "--amend", "--no-edit")

    found = check(folder)

    assert change in [each["change"] for each in found["project_file"]["head_would"]]
    assert list(home.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize(
    ("more", "change"),
    [
        ("[environment]\nwritable = ['HOME']\n", "folder made writable"),
        ("[build]\nsees_git = true\n", "history shown"),
    ],
)
def test_a_new_file_may_not_widen_rights_unless_it_is_named(tmp_path, more, change):
    folder = history(tmp_path / "subject", None, widened(more, tmp_path))

    said = sonde_here(folder, "check", code=2).stderr

    assert change in said
    assert "--project-file HEAD:sonde.toml" in said
    assert check(folder, "--project-file", "HEAD:sonde.toml", code=1)["verdict"] == "slower"


@pytest.mark.slow
def test_a_new_file_that_widens_nothing_counts(tmp_path):
    assert check(history(tmp_path, None, FILE), code=1)["verdict"] == "slower"


def test_what_the_user_edited_counts(tmp_path):
    folder = history(tmp_path, FILE, FILE)
    (folder / "sonde.toml").write_text(FILE.replace("benchmarks.work", "benchmarks.mine"))

    assert {each["benchmark"] for each in check(folder, code=1)["compared"]} == {"mine"}


@pytest.mark.parametrize("attribute", slow_except(["ident"], ["ident", "text eol=crlf", "filter=lfs"]))
def test_a_file_that_git_writes_otherwise_is_not_taken_for_edited(tmp_path, attribute):
    folder = history(tmp_path, FILE, f"# $Id$\n{FILE.replace('benchmarks.work', 'benchmarks.other')}")
    (folder / ".gitattributes").write_text(f"sonde.toml {attribute}\n")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--amend", "--no-edit")
    (folder / "sonde.toml").unlink()
    git(folder, "checkout", "--quiet", "--", "sonde.toml")

    assert {each["benchmark"] for each in check(folder, code=1)["compared"]} == {"work"}


def cloned(folder: Path) -> Path:
    """A new clone, in which git has written all files at once."""
    clone = folder.with_name("clone")
    git(folder.parent, "clone", "--quiet", str(folder), str(clone))
    return clone


def amend(folder: Path, files: Mapping[str, str]) -> None:
    """Put files into the last revision."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text.encode())
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--amend", "--no-edit")


OTHER = FILE.replace("benchmarks.work", "benchmarks.other")


def measured(folder: Path, *words: str) -> set[str]:
    """The benchmarks that a check, which must find a regression, has compared."""
    return {each["benchmark"] for each in check(folder, *words, code=1)["compared"]}


@pytest.mark.slow
def test_line_ends_that_git_would_change_do_not_count_as_edited(tmp_path):
    folder = history(tmp_path / "subject", FILE, FILE)
    amend(folder, {"sonde.toml": OTHER.replace("\n", "\r\n")})
    amend(folder, {".gitattributes": "sonde.toml text\n"})  # the file keeps its ends until it is added again

    assert measured(cloned(folder)) == {"work"}


@pytest.mark.slow
def test_attributes_that_only_git_has_read_do_not_count_as_edited(tmp_path):
    folder = history(tmp_path / "subject", FILE, FILE)
    amend(folder, {"sonde.toml": f"# $Id$\n{OTHER}"})
    (folder / ".gitattributes").symlink_to("sonde.toml ident")
    amend(folder, {})

    assert measured(cloned(folder)) == {"work"}


@pytest.mark.slow
def test_a_link_to_another_file_of_the_head_does_not_count_as_edited(tmp_path):
    folder = history(tmp_path, FILE, FILE)
    (folder / "sonde.toml").unlink()
    (folder / "sonde.toml").symlink_to("other.toml")
    amend(folder, {"other.toml": OTHER})

    assert measured(folder) == {"work"}


@pytest.mark.slow
def test_a_file_that_the_head_puts_in_front_of_that_of_the_base_does_not_count(tmp_path):
    folder = history(tmp_path, FILE, FILE)
    amend(folder, {"bench/sonde.toml": f'repository = ".."\n{OTHER}', "bench/notes": ""})

    said = check(folder / "bench", code=1)

    assert {each["benchmark"] for each in said["compared"]} == {"work"}
    assert said["project_file"]["source"].endswith(":sonde.toml")


@pytest.mark.slow
def test_a_new_sonde_toml_does_not_count_where_the_base_has_a_pyproject_toml(tmp_path):
    folder = history(tmp_path, None, None)
    python_file = FILE.replace("[b", "[tool.sonde.b")
    git(folder, "checkout", "--quiet", "--detach", "HEAD~1")
    amend(folder, {"pyproject.toml": python_file})
    amended = git(folder, "rev-parse", "HEAD")
    git(folder, "rebase", "--quiet", "--onto", amended, "main~1", "main")
    amend(folder, {"sonde.toml": OTHER})

    assert measured(folder) == {"work"}


@pytest.mark.slow
@pytest.mark.parametrize("is_link", [False, True])
def test_a_folder_that_hides_the_project_file_from_git_hides_nothing(tmp_path, is_link):
    folder = history(tmp_path / "subject", None, None)
    git(folder, "checkout", "--quiet", "--detach", "HEAD~1")
    amend(folder, {"bench/sonde.toml": f'repository = ".."\n{FILE}'})
    git(folder, "rebase", "--quiet", "--onto", git(folder, "rev-parse", "HEAD"), "main~1", "main")
    hidden = f'repository = ".."\n{OTHER}'
    if is_link:
        git(folder, "mv", "bench", "elsewhere")
        (folder / "bench").symlink_to("elsewhere")
        amend(folder, {"elsewhere/sonde.toml": hidden})
    else:  # git takes it for a repository of its own
        looks = {"bench/HEAD": "ref: refs/heads/main\n", "bench/objects/x": "", "bench/refs/x": ""}
        amend(folder, {"bench/sonde.toml": hidden, "bench/config": "", **looks})

    assert measured(folder / "bench", "--state", str(tmp_path / "state")) == {"work"}


def test_a_submodule_in_the_place_of_the_project_file_hides_nothing(tmp_path):
    folder = history(tmp_path / "subject", None, None)
    git(folder, "checkout", "--quiet", "--detach", "HEAD~1")
    amend(folder, {"bench/sonde.toml": f'repository = ".."\n{FILE}'})
    git(folder, "rebase", "--quiet", "--onto", git(folder, "rev-parse", "HEAD"), "main~1", "main")
    hostile = history(tmp_path / "hostile", f'repository = ".."\n{OTHER}', None)
    git(folder, "rm", "--quiet", "-r", "bench")
    git(folder, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(hostile), "bench")
    git(folder / "bench", "checkout", "--quiet", "HEAD~1")
    amend(folder, {})

    assert measured(folder / "bench", "--state", str(tmp_path / "state")) == {"work"}


@pytest.mark.slow
def test_an_input_that_the_head_makes_cheap_does_not_count(tmp_path):
    file = f"""{FILE.replace('"{build}/work"', '"sh bench.sh {build}/work"')}inputs = ["bench.sh"]\n"""
    folder = history(tmp_path, None, None)
    git(folder, "checkout", "--quiet", "--detach", "HEAD~1")
    amend(folder, {"sonde.toml": file, "bench.sh": "exec $1\n"})
    git(folder, "rebase", "--quiet", "--onto", git(folder, "rev-parse", "HEAD"), "main~1", "main")
    amend(folder, {"bench.sh": "echo took 1\n"})

    found = check(folder, code=1)

    assert found["verdict"] == "slower"
    assert found["project_file"]["head_would"] == [{"change": "input changed", "name": "bench.sh"}]
    assert "inputs come from" in sonde_here(folder, "check", code=1).stdout.replace("\n", " ")


def test_the_head_cannot_name_the_branch_that_is_checked(tmp_path):
    folder = history(tmp_path, FILE, FILE)
    git(folder, "branch", "calm", "HEAD~1")
    git(folder, "checkout", "--quiet", "--detach")
    amend(folder, {"sonde.toml": f'branch = "calm"\n{OTHER}'})

    assert measured(folder) == {"work"}


@pytest.mark.slow
def test_the_head_cannot_hide_behind_another_repository(tmp_path):
    other = history(tmp_path / "other", FILE, FILE, slower=False)
    elsewhere = f'repository = "{other}"\n{FILE}'

    found = check(history(tmp_path / "subject", FILE, elsewhere), "HEAD~1..HEAD", code=1)

    assert found["verdict"] == "slower"


@pytest.mark.slow
def test_a_file_that_was_named_and_is_not_there_is_a_mistake(tmp_path):
    folder = history(tmp_path, FILE, FILE)

    assert "has no file" in sonde_here(folder, "check", "--project-file", "HEAD:none", code=2).stderr
    assert "REVISION:PATH" in sonde_here(folder, "check", "--project-file", "none", code=2).stderr
