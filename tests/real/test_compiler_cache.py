"""What somebody proposes cannot write to the compiler cache of what was merged."""

from pathlib import Path

import pytest

from sonde.effects.git import open_repository
from sonde.effects.git.main_line import MainLine
from tests.real.checks import sonde_here, work
from tests.real.repositories import RepositoryMaker, git

pytestmark = pytest.mark.needs("git", "bwrap", "ccache", "cc")

FILE = """\
[build]
command = "sh build.sh"
outputs = ["work"]

[benchmarks.work]
command = "{build}/work"
metric = "printed"
pattern = "took ([0-9.]+)"
"""
BUILD = """\
set -e
echo "int one(void) { return 1; }" > one.c
cc -c one.c
echo forged > "$CCACHE_DIR/NAME" || true
cp work.sh work
chmod +x work
"""


@pytest.fixture
def subject(tmp_path: Path) -> Path:
    """A clone of a server, in which a revision is checked out that nobody has merged."""
    maker = RepositoryMaker()
    maker.revision({"work.sh": work(100), "build.sh": BUILD.replace("NAME", "of-base"), "sonde.toml": FILE})
    maker.revision({"work.sh": work(200), "build.sh": BUILD.replace("NAME", "of-head")})
    ids = maker.make(tmp_path / "server")
    git(tmp_path / "server", "update-ref", "refs/heads/main", ids[1])
    git(tmp_path / "server", "update-ref", "refs/heads/proposed", ids[2])
    git(tmp_path, "clone", "--quiet", str(tmp_path / "server"), "clone")
    git(tmp_path / "clone", "checkout", "--quiet", "--detach", "origin/proposed")
    return tmp_path / "clone"


def test_only_what_was_merged_writes_to_the_compiler_cache(subject):
    sonde_here(subject, "check", code=1)

    kept = {each.name for each in (subject / ".sonde" / "ccache").iterdir()}
    assert "of-base" in kept
    assert "of-head" not in kept


@pytest.mark.parametrize(
    ("prepare", "is_trusted"),
    [
        ("true", (True, False)),
        ("git symbolic-ref --delete refs/remotes/origin/HEAD", (True, False)),
        ("git checkout --quiet -b mine", (True, False)),
        ("git remote remove origin", (False, False)),  # detached, and nothing says what was merged
        ("git remote remove origin; git checkout --quiet -b mine", (True, True)),
    ],
)
def test_what_was_merged_is_what_the_server_has(subject, prepare, is_trusted):
    repository = open_repository(subject)
    base, head = repository.resolve("HEAD~1"), repository.resolve("HEAD")
    git(subject, "-c", f"alias.prepare=!{prepare}", "prepare")

    line = MainLine(repository.git)

    assert (line.holds(base), line.holds(head)) == is_trusted


def test_a_branch_that_is_named_is_what_was_merged(subject):
    repository = open_repository(subject)

    assert MainLine(repository.git, "origin/proposed").holds(repository.resolve("HEAD"))
    assert not MainLine(repository.git, "none").holds(repository.resolve("HEAD"))
