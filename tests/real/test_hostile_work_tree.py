"""Work trees of revisions that bring files and links to where Sonde keeps, reads or writes its own."""

from pathlib import Path

import pytest

from sonde.core.errors import UsageError
from sonde.effects.runs.gauging import SOURCE, gauge_name
from sonde.workflows.init import write_project_file
from tests.real.checks import sonde_here
from tests.real.repositories import git
from tests.real.test_check_trust import FILE, history

pytestmark = pytest.mark.needs("git", "bwrap")


@pytest.fixture
def subject(tmp_path: Path) -> Path:
    return history(tmp_path / "subject", FILE, FILE, slower=False)


def amend(folder: Path) -> None:
    """Make what lies in the work tree a part of the head."""
    git(folder, "add", "--all", "--force")
    git(folder, "commit", "--quiet", "--amend", "--no-edit")


def test_a_program_in_the_state_folder_is_not_run(subject, tmp_path):
    gauge = subject / ".sonde" / "tools" / gauge_name(SOURCE)
    gauge.parent.mkdir(parents=True)
    gauge.write_text(f"#!/bin/sh\ntouch {tmp_path}/reached\nexit 2\n")
    gauge.chmod(0o755)
    amend(subject)

    said = sonde_here(subject, "check", code=2).stderr

    assert ".sonde/tools/gauge" in said
    assert not (tmp_path / "reached").exists()


@pytest.mark.parametrize("name", ["lock", "store.sqlite", "scratch", ".gitignore"])
def test_a_link_in_the_state_folder_is_not_followed(subject, tmp_path, name):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (subject / ".sonde").mkdir()
    (subject / ".sonde" / name).symlink_to(victim)
    amend(subject)

    assert "--state" in sonde_here(subject, "check", code=2).stderr
    assert "--state" in sonde_here(subject, "show", code=2).stderr
    assert victim.read_text() == "precious"


def test_a_state_folder_that_is_a_link_of_the_revision_is_refused(subject, tmp_path):
    precious = tmp_path / "home" / "scratch" / "precious"
    precious.mkdir(parents=True)
    (subject / ".sonde").symlink_to(tmp_path / "home")
    amend(subject)

    assert "'.sonde'" in sonde_here(subject, "check", code=2).stderr
    assert precious.exists()


def test_a_state_folder_that_is_named_is_looked_at_as_well(subject):
    (subject / "kept").mkdir()
    (subject / "kept" / "lock").write_text("")
    amend(subject)

    assert "'kept/lock'" in sonde_here(subject, "show", "--state", str(subject / "kept"), code=2).stderr


def test_a_folder_that_looks_like_a_repository_hides_nothing(subject, tmp_path):
    bench = subject / "bench"
    for name, text in (("HEAD", "ref: refs/heads/main\n"), ("objects/x", ""), ("refs/x", ""), ("config", "")):
        (bench / name).parent.mkdir(parents=True, exist_ok=True)
        (bench / name).write_text(text)
    (bench / "sonde.toml").write_text(f'repository = ".."\n{FILE}')
    (bench / ".sonde").symlink_to(tmp_path)
    amend(subject)

    assert "'bench/.sonde'" in sonde_here(bench, "show", code=2).stderr


def test_a_link_that_is_the_users_own_is_followed(subject, tmp_path):
    (tmp_path / "large").mkdir()
    (subject / ".sonde").symlink_to(tmp_path / "large")

    sonde_here(subject, "check")

    assert (tmp_path / "large" / "store.sqlite").exists()


def test_an_answer_is_not_written_through_a_link_of_the_revision(subject, tmp_path):
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (subject / "answer").symlink_to(victim)
    amend(subject)

    said = sonde_here(subject, "check", "--markdown", str(subject / "answer"), code=2).stderr

    assert "'answer'" in said
    assert victim.read_text() == "precious"


def test_a_project_file_that_leads_out_is_not_quoted(subject, tmp_path):
    (tmp_path / "secret").write_text("password = hunter2\n")
    (subject / "sonde.toml").unlink()
    (subject / "sonde.toml").symlink_to(tmp_path / "secret")
    amend(subject)

    for words in (("check",), ("space",), ("doctor", "--seconds", "0.5")):
        said = sonde_here(subject, *words, code=0 if words[0] == "doctor" else 2)
        assert "hunter2" not in said.stdout + said.stderr
        assert "points out of the work tree" in (said.stdout + said.stderr).replace("\n", " ")


def test_init_writes_through_no_link(tmp_path):
    folder = history(tmp_path / "subject", None, None)
    (folder / "sonde.toml").symlink_to(tmp_path / "new")

    with pytest.raises(UsageError, match="is a symbolic link"):
        write_project_file(folder, force=True)
    assert not (tmp_path / "new").exists()
