"""Histories, names and timelines of real repositories."""

import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from sonde.core.errors import MissingTool, RepositoryError, UnknownRevision, UsageError
from sonde.core.revisions import Span
from sonde.effects.git import open_repository
from tests.real.repositories import RepositoryMaker, git, linear, unpack

pytestmark = pytest.mark.needs("git")


@pytest.fixture(autouse=True)
def no_settings_of_the_user(monkeypatch):
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


@pytest.fixture
def merged(tmp_path):
    """1 - 2 ----- 5 - 6, where 2 - 3 - 4 is merged as 5: the tags are on 2 (v1), 4 (side) and 6 (v2)."""
    maker = RepositoryMaker()
    maker.revision({"a": "1"})
    maker.revision({"a": "2"})
    maker.revision({"b": "3"}, branch="side")
    maker.revision({"b": "4"}, branch="side")
    maker.revision({"b": "4"}, parents=[2, 4])
    maker.revision({"a": "6"})
    maker.tag("v1", 2)
    maker.tag("side", 4, annotated=True)
    maker.tag("v2", 6, annotated=True)
    ids = maker.make(tmp_path / "merged")
    return open_repository(tmp_path / "merged"), ids


def numbers(history, ids):
    known = {id: number for number, id in ids.items()}
    return [known[revision.id] for revision in history]


def test_a_history_follows_first_parents_unless_told_otherwise(merged):
    repository, ids = merged

    assert numbers(repository.read_history(), ids) == [1, 2, 5, 6]
    everything = numbers(repository.read_history("", first_parent=False), ids)
    assert sorted(everything) == [1, 2, 3, 4, 5, 6]
    assert all(
        everything.index(parent) < everything.index(child) for parent, child in [(2, 3), (4, 5), (2, 5)]
    )


def test_revisions_have_all_their_parents_even_in_a_first_parent_history(merged):
    repository, ids = merged

    assert repository.read_history()[2].parents == (ids[2], ids[4])


@pytest.mark.parametrize(
    ("range", "expected"),
    [
        ("v1..v2", [5, 6]),
        ("v1..", [5, 6]),
        ("v1", [1, 2]),
        ("HEAD~1..", [6]),
        ("side..v2", [5, 6]),
        ("v2 ^v1", [5, 6]),
        ("v2^!", [6]),
        ("HEAD~1", [1, 2, 5]),
    ],
)
def test_ranges_are_those_of_git(merged, range, expected):
    repository, ids = merged

    assert numbers(repository.read_history(range), ids) == expected


def test_a_range_that_is_left_open_ends_at_the_branch(merged):
    repository, ids = merged

    assert numbers(repository.read_history("v1..", branch="side"), ids) == [3, 4]
    assert numbers(repository.read_history("", branch="heads/side"), ids) == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("range", "error", "words"),
    [
        ("v3..v2", UnknownRevision, "finds no revision 'v3'. Did you mean 'v2' or 'v1'"),
        ("v1..nothing", UnknownRevision, "'nothing'"),
        ("v2..v1", UsageError, "Did you mean 'v1..v2'?"),
        ("v2..", UsageError, "contains no revision"),
        ("v1...v2", UsageError, "Write 'v1..v2'"),
        ("v1 v2", UsageError, "exactly one end"),
        ("--all", UsageError, "option of git"),
        ("HEAD~99", UnknownRevision, "HEAD~99"),
    ],
)
def test_a_range_that_is_wrong_says_what_to_write(merged, range, error, words):
    with pytest.raises(error) as caught:
        merged[0].read_history(range)

    assert words in str(caught.value)


def test_tags_are_revisions_whatever_their_kind(merged):
    repository, ids = merged
    git(repository.folder, "tag", "-a", "-m", "x", "outer", "v2")
    git(repository.folder, "tag", "blob", "v2:a")

    assert repository.tags() == {"v1": ids[2], "side": ids[4], "v2": ids[6], "outer": ids[6]}


def test_names_resolve_to_revisions(merged):
    repository, ids = merged

    assert repository.resolve("v2") == repository.resolve("HEAD") == repository.resolve(ids[6][:9]) == ids[6]
    for name in ("", "v9", "-v", "v2:a", "v2^{tree}"):
        with pytest.raises(UnknownRevision):
            repository.resolve(name)


@pytest.mark.parametrize("name", ["^HEAD", "^v2", "^"])
def test_what_excludes_revisions_names_none(merged, name):
    with pytest.raises(UsageError, match="excludes revisions"):
        merged[0].resolve(name)


def test_the_branch_of_a_remote_is_suggested(merged, tmp_path):
    git(tmp_path, "clone", "--quiet", str(merged[0].folder), "clone")
    git(tmp_path / "clone", "checkout", "--quiet", "-B", "other", "origin/side")
    git(tmp_path / "clone", "branch", "-D", "main")

    with pytest.raises(UnknownRevision, match="'origin/main'"):
        open_repository(tmp_path / "clone").read_history("main")


def test_a_renamed_branch_is_known_by_its_new_name_only(merged):
    repository, ids = merged
    git(repository.folder, "branch", "-m", "main", "trunk")

    assert numbers(repository.read_history("trunk"), ids) == [1, 2, 5, 6]
    with pytest.raises(UnknownRevision, match="'main'"):
        repository.read_history("main")


def test_a_timeline_counts_what_descends_on_whatever_way(merged):
    repository, ids = merged
    history = repository.read_history()

    timeline = repository.timeline([Span("v1", "v2"), Span("side"), Span()], history)

    assert {
        name: sorted(numbers([history[history.positions[id]] for id in found], ids))
        for name, found in timeline.reached.items()
    } == {
        "v1": [2, 5, 6],
        "v2": [6],
        "side": [5, 6],
    }
    assert timeline.covers(Span("v1", "v2"), ids[5])
    assert not timeline.covers(Span("v1", "v2"), ids[6])


def test_a_boundary_on_a_branch_that_was_never_merged_stands_for_its_beginning(tmp_path):
    maker = linear(3)
    maker.tag("release", maker.revision({"file": "release"}, parents=[2], branch="release"))
    maker.tag("later", maker.revision({"file": "5"}, parents=[3]))
    ids = maker.make(tmp_path / "r")
    repository = open_repository(tmp_path / "r")

    reached = repository.timeline([Span("release"), Span("later")], repository.read_history("main~1")).reached

    assert reached == {"release": {ids[2], ids[3]}, "later": frozenset()}


def test_an_unknown_boundary_is_named(merged):
    repository, _ = merged

    with pytest.raises(UnknownRevision, match="'v7'"):
        repository.timeline([Span(until="v7")], repository.read_history())


def test_odd_names_subjects_and_empty_revisions_come_through(tmp_path):
    maker = RepositoryMaker()
    maker.revision({"a": "1"}, author="Zoë 🦊", subject="naïve\tsubject \u2028 \x1b[31m")
    maker.revision({}, author="", subject="")
    maker.revision({}, author=b"J\xf6rg", subject="first\nsecond line\n\nbody")
    maker.make(tmp_path / "r")

    history = open_repository(tmp_path / "r").read_history()

    assert [revision.author for revision in history] == ["Zoë 🦊", "", "J\ufffdrg"]
    assert [revision.subject for revision in history] == [
        "naïve\tsubject \u2028 \x1b[31m",
        "",
        "first second line",
    ]


def test_an_octopus_merge_has_all_its_parents(tmp_path):
    maker = linear(1)
    heads = [maker.revision({f"f{n}": "x"}, parents=[1], branch=f"b{n}") for n in range(3)]
    maker.revision({}, parents=[1, *heads])
    ids = maker.make(tmp_path / "r")

    history = open_repository(tmp_path / "r").read_history(first_parent=False)

    assert len(history) == 5
    assert history[-1].parents == (ids[1], *(ids[head] for head in heads))


def test_bare_repositories_linked_work_trees_and_folders_below_work(merged, tmp_path):
    repository, ids = merged
    git(tmp_path, "clone", "--quiet", "--bare", str(repository.folder), "bare.git")
    git(repository.folder, "worktree", "add", "--quiet", "--detach", str(tmp_path / "linked"), "side^0")
    (tmp_path / "linked" / "below").mkdir()

    assert len(open_repository(tmp_path / "bare.git").read_history()) == 4
    assert len(open_repository(repository.folder / ".git").read_history()) == 4
    assert open_repository(tmp_path / "linked" / "below").read_history()[-1].id == ids[4]


def test_sha256_repositories_work(tmp_path):
    linear(3).make(tmp_path / "r", "--object-format=sha256")
    repository = open_repository(tmp_path / "r")
    history = repository.read_history()

    assert {len(revision.id) for revision in history} == {64}
    assert len(set(repository.input_digests(history.positions, ("fil*",)).values())) == 3


def test_variables_of_a_calling_hook_do_not_lead_elsewhere(merged, tmp_path, monkeypatch):
    linear(1).make(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other" / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "other" / ".git" / "index"))

    assert len(open_repository(merged[0].folder).read_history()) == 4


def test_settings_of_the_user_do_not_change_the_history(merged):
    repository, _ = merged
    before = repository.read_history()
    for key, value in {"log.showSignature": "true", "color.ui": "always", "format.pretty": "%b"}.items():
        git(repository.folder, "config", key, value)

    assert repository.read_history() == before


def test_a_shallow_clone_tells_how_to_complete_it(merged, tmp_path):
    git(tmp_path, "clone", "--quiet", "--depth=2", merged[0].folder.as_uri(), "shallow")
    repository = open_repository(tmp_path / "shallow")

    with pytest.raises(RepositoryError, match="fetch --unshallow"):
        repository.read_history()
    with pytest.raises(UnknownRevision, match="fetch --unshallow"):
        repository.read_history("v1..")
    assert len(repository.read_history("HEAD~1..")) == 1


def test_a_missing_or_damaged_revision_is_a_clear_error(tmp_path):
    ids = linear(4).make(tmp_path / "r")
    unpack(tmp_path / "r")
    repository = open_repository(tmp_path / "r")
    loose = repository.objects / ids[2][:2] / ids[2][2:]

    loose.chmod(0o644)
    loose.write_bytes(b"damaged")
    with pytest.raises(RepositoryError, match=r"missing or damaged.*fsck"):
        repository.read_history()
    loose.unlink()
    with pytest.raises(RepositoryError, match=r"missing or damaged.*fsck"):
        repository.read_history()
    assert len(repository.read_history(f"{ids[3]}..")) == 1


def test_a_folder_that_is_no_repository_says_what_to_do(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(RepositoryError, match="not a git repository"):
        open_repository(tmp_path)
    with pytest.raises(RepositoryError, match="this folder does not exist"):
        open_repository(tmp_path / "nothing")
    git(tmp_path, "init", "--quiet", "empty")
    with pytest.raises(RepositoryError, match="HEAD has no revision yet"):
        open_repository(tmp_path / "empty").read_history()


def test_a_missing_git_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingTool, match="install the Debian package git"):
        open_repository(tmp_path)


NOBODY = 65534


@pytest.fixture
def act_as_nobody():
    """Be the user `nobody`, as far as files and git are concerned."""
    if os.geteuid() != 0:
        pytest.skip("only root can act as another user (remedy: run the tests as root)")
    with TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        os.seteuid(NOBODY)
        try:
            yield Path(name)
        finally:
            os.seteuid(0)


@pytest.mark.parametrize(("owner", "is_trusted"), [(NOBODY, True), (0, True), (NOBODY - 1, False)])
def test_the_repository_of_another_user_is_refused_unless_it_is_root(act_as_nobody, owner, is_trusted):
    folder = act_as_nobody / "r"
    os.seteuid(0)
    linear(1).make(folder)
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, owner, owner)
    os.seteuid(NOBODY)

    if is_trusted:
        assert len(open_repository(folder).read_history()) == 1
    else:
        with pytest.raises(RepositoryError, match=f"safe.directory {folder}"):
            open_repository(folder)
