"""Work trees of real repositories, switched from revision to revision."""

import mmap
import os
import struct
import subprocess
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from sonde.core.errors import AnotherSonde, RepositoryError
from sonde.effects.fixed_time import FIXED_TIME_SECONDS
from sonde.effects.git import open_repository, open_worktree
from sonde.effects.git.patterns import Patterns
from tests.real.repositories import RepositoryMaker, git, linear, unpack

pytestmark = pytest.mark.needs("git")

# What files that are made in a folder may be, as `setfacl --default` sets it: user, group and others.
NOBODY_EXECUTES = struct.pack("<I", 2) + b"".join(
    struct.pack("<HHI", who, may, 0xFFFFFFFF) for who, may in ((1, 6), (4, 4), (32, 4))
)


@pytest.fixture(autouse=True)
def no_settings_of_the_user(monkeypatch):
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


@pytest.fixture
def subject(tmp_path):
    """A repository of four revisions, whose files, folders and links take each other's places."""
    maker = RepositoryMaker()
    maker.revision(
        {"a": "1", "x/b": "1", "run": "#!/bin/sh\n", ".gitignore": "*.o\n"}, modes={"run": "100755"}
    )
    maker.revision({"a": None, "a/c": "2", "x/b": None, "x": "a/c"}, modes={"x": "120000"})
    maker.revision({"a/c": "3", "schön\n": "3"})
    maker.revision({"a/c": None, "a": "4"})
    maker.tag("v1", 2, annotated=True)
    ids = maker.make(tmp_path / "subject")
    return open_repository(tmp_path / "subject"), ids


def content(folder):
    """What lies below `folder`: links, modes and texts."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = f"-> {path.readlink()}"
        elif path.is_file():
            found[name] = f"{path.stat().st_mode & 0o777:o} {path.read_text()}"
    return found


def expected(folder, revision, tmp_path):
    """The files of a revision, as `git archive` packs them."""
    target = tmp_path / f"expected-{revision}"
    target.mkdir(exist_ok=True)
    packed = subprocess.run(
        ["git", "-c", "tar.umask=0022", "archive", revision], cwd=folder, check=True, capture_output=True
    )
    subprocess.run(["tar", "-x", "-p"], cwd=target, input=packed.stdout, check=True)
    return content(target)


def test_the_tree_holds_the_files_of_the_revision_and_nothing_else(subject, tmp_path):
    repository, ids = subject
    with open_worktree(repository, tmp_path / "slot") as worktree:
        for number in (1, 2, 3, 4, 2, 1, 3):
            checkout = worktree.switch(ids[number])
            assert content(checkout.tree) == expected(repository.folder, ids[number], tmp_path)
            (worktree.tree / "left.o").write_text("ignored")
            (worktree.tree / "new").mkdir()
            git(worktree.tree / "new", "init", "--quiet")
            (worktree.tree / "run").write_text("changed")
    assert not (worktree.tree / ".git").exists()


def test_the_users_repository_stays_as_it_is(subject, tmp_path):
    repository, ids = subject
    before = {path: path.stat().st_mtime_ns for path in [repository.git_dir, *repository.git_dir.rglob("*")]}

    with open_worktree(repository, tmp_path / "slot", sees_git=True) as worktree:
        for revision in ids.values():
            worktree.switch(revision)

    after = {path: path.stat().st_mtime_ns for path in [repository.git_dir, *repository.git_dir.rglob("*")]}
    assert after == before


def test_all_files_are_equally_old(subject, tmp_path):
    repository, ids = subject
    with open_worktree(repository, tmp_path / "slot") as worktree:
        for number in (1, 2, 3):
            tree = worktree.switch(ids[number]).tree
            assert {path.lstat().st_mtime for path in [tree, *tree.rglob("*")]} == {FIXED_TIME_SECONDS}


def test_a_change_that_hides_behind_size_and_time_is_undone(subject, tmp_path):
    repository, ids = subject
    with open_worktree(repository, tmp_path / "slot") as worktree:
        worktree.switch(ids[1])
        (worktree.tree / "a").write_text("X")
        os.utime(worktree.tree / "a", (FIXED_TIME_SECONDS, FIXED_TIME_SECONDS))

        assert (worktree.switch(ids[1]).tree / "a").read_text() == "1"


@pytest.mark.parametrize("place", ["/dev/shm", ""])
def test_a_change_through_memory_is_undone(subject, tmp_path, place):
    """A file system in memory does not notice it."""
    repository, ids = subject
    with (
        TemporaryDirectory(dir=place or tmp_path) as folder,
        open_worktree(repository, Path(folder)) as worktree,
    ):
        worktree.switch(ids[1])
        with (worktree.tree / "a").open("r+b") as file, mmap.mmap(file.fileno(), 0) as text:
            assert text[:] == b"1"
            text[0] = ord("X")

        assert (worktree.switch(ids[1]).tree / "a").read_text() == "1"


def test_a_clock_that_is_set_back_hides_no_change(subject, tmp_path):
    repository, ids = subject
    with open_worktree(repository, tmp_path / "slot") as worktree:
        worktree.switch(ids[1])
        (worktree.tree / "a").write_text("X")
        os.utime(worktree.tree / "a", (FIXED_TIME_SECONDS, FIXED_TIME_SECONDS))
        an_hour_later = time.time() + 3600
        os.utime(worktree.slot.git_dir / "finished", (an_hour_later, an_hour_later))

        assert (worktree.switch(ids[1]).tree / "a").read_text() == "1"


def test_permissions_of_folders_are_undone_with_those_that_files_in_them_would_get(tmp_path):
    maker = RepositoryMaker()
    maker.revision({"x/one": "1"})
    maker.revision({"x/run": "#!/bin/sh\n", "run": "#!/bin/sh\n"}, modes={"x/run": "100755", "run": "100755"})
    ids = maker.make(tmp_path / "subject")
    with open_worktree(open_repository(tmp_path / "subject"), tmp_path / "slot") as worktree:
        tree = worktree.switch(ids[1]).tree
        for folder in (tree, tree / "x"):
            folder.chmod(0o2777)
            os.setxattr(folder, "user.mark", b"1")
            os.setxattr(folder, "system.posix_acl_default", NOBODY_EXECUTES)

        worktree.switch(ids[2])

        assert content(tree) == expected(tmp_path / "subject", ids[2], tmp_path)
        for folder in (tree, tree / "x"):
            assert folder.stat().st_mode & 0o7777 == 0o755
            assert not {"user.mark", "system.posix_acl_default"} & set(os.listxattr(folder))


@pytest.mark.parametrize("patterns", [("**",), ("a", "x/**"), ("**", "!a/c"), ("*c",), ("nothing",)])
def test_files_that_are_no_inputs_are_hidden_until_the_next_switch(subject, tmp_path, patterns):
    repository, ids = subject
    with open_worktree(repository, tmp_path / "slot", sees_git=True) as worktree:
        for number in (1, 2, 3):
            worktree.switch(ids[number])
            (worktree.tree / ".git").unlink()  # so that `content` does not see it
            everything = expected(repository.folder, ids[number], tmp_path)
            assert content(worktree.tree) == everything
            worktree.hide_all_but(patterns)
            chosen = {path: text for path, text in everything.items() if Patterns(patterns).choose_path(path)}
            assert content(worktree.tree) == chosen
            assert all(any(folder.iterdir()) for folder in worktree.tree.rglob("*") if folder.is_dir())
            assert {path.lstat().st_mtime for path in worktree.tree.rglob("*")} <= {FIXED_TIME_SECONDS}


def test_no_hook_of_the_user_runs(subject, tmp_path, monkeypatch):
    repository, ids = subject
    hooks = tmp_path / "hooks"
    settings = tmp_path / "settings"
    for folder in (hooks, repository.git_dir / "hooks"):
        folder.mkdir(exist_ok=True)
        (folder / "post-checkout").write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
        (folder / "post-checkout").chmod(0o755)
    settings.write_text(
        f"[core]\n\thooksPath = {hooks}\n\tautocrlf = true\n[init]\n\ttemplateDir = {hooks}\n"
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))

    with open_worktree(repository, tmp_path / "slot") as worktree:
        assert (worktree.switch(ids[1]).tree / "run").read_bytes() == b"#!/bin/sh\n"

    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "damage",
    [
        "touch git/index.lock git/HEAD.lock",
        "echo rubbish > git/index",
        "echo rubbish > git/HEAD",
        "echo rubbish > git/config",
        "rm -r git",
        "rm -r tree",
        "rm -r tree; echo rubbish > tree",
        "rm git/HEAD git/objects/info/alternates",
        "rm -r git/objects",
        "rm -r tree/x; ln -s /etc tree/x",
        "rm -r tree; mkdir tree; mkdir tree/.git; touch tree/.git/HEAD",
    ],
)
def test_a_damaged_slot_is_mended(subject, tmp_path, damage):
    repository, ids = subject
    for number in (1, 3):  # within one process, and by the next one
        with open_worktree(repository, tmp_path / "slot") as worktree:
            worktree.switch(ids[1])
            subprocess.run(["sh", "-c", damage], cwd=tmp_path / "slot", check=True)
            if number == 1:
                worktree.switch(ids[3])
                assert content(worktree.tree) == expected(repository.folder, ids[3], tmp_path)
        with open_worktree(repository, tmp_path / "slot") as worktree:
            worktree.switch(ids[4])
            assert content(worktree.tree) == expected(repository.folder, ids[4], tmp_path)


def test_a_slot_belongs_to_one_at_a_time(subject, tmp_path):
    repository, _ = subject
    with (
        open_worktree(repository, tmp_path / "slot"),
        pytest.raises(AnotherSonde, match="is working here"),
        open_worktree(repository, tmp_path / "slot", wait_seconds=0),
    ):
        pass


def test_a_build_that_may_see_git_finds_the_history_and_the_tags(subject, tmp_path):
    repository, ids = subject
    with open_worktree(repository, tmp_path / "slot", sees_git=True) as worktree:
        worktree.switch(ids[1])
        tree = worktree.switch(ids[3]).tree
        assert git(tree, "describe", "--dirty") == f"v1-1-g{ids[3][:7]}"
        assert git(tree, "rev-parse", "HEAD") == ids[3]
        assert git(tree, "status", "--porcelain") == ""
        assert worktree.git_places == (tmp_path / "slot" / "git", repository.objects)
    with open_worktree(repository, tmp_path / "slot") as worktree:
        assert not (worktree.switch(ids[3]).tree / ".git").exists()
        assert worktree.git_places == ()


def test_a_shared_clone_tells_where_its_objects_lie(subject, tmp_path):
    repository, ids = subject
    git(tmp_path, "clone", "--quiet", "--shared", str(repository.folder), "shared")
    shared = open_repository(tmp_path / "shared")
    with open_worktree(shared, tmp_path / "slot", sees_git=True) as worktree:
        assert git(worktree.switch(ids[3]).tree, "describe") == f"v1-1-g{ids[3][:7]}"
        assert worktree.git_places == (tmp_path / "slot" / "git", shared.objects, repository.objects)


def test_repacking_and_moving_the_repository_do_no_harm(subject, tmp_path):
    repository, ids = subject
    with open_worktree(repository, tmp_path / "slot") as worktree:
        worktree.switch(ids[1])
        git(repository.folder, "gc", "--quiet", "--prune=now")
        worktree.switch(ids[2])
    repository.folder.rename(tmp_path / "moved")
    with open_worktree(open_repository(tmp_path / "moved"), tmp_path / "slot") as worktree:
        worktree.switch(ids[3])
        assert (worktree.tree / "a/c").read_text() == "3"


@pytest.mark.parametrize("words", [(), ("--object-format=sha256",)])
def test_a_missing_object_is_a_clear_error_and_harms_no_other_revision(tmp_path, words):
    ids = linear(3).make(tmp_path / "r", *words)
    unpack(tmp_path / "r")
    repository = open_repository(tmp_path / "r")
    blob = git(tmp_path / "r", "rev-parse", "HEAD~1:file")
    (repository.objects / blob[:2] / blob[2:]).unlink()

    with open_worktree(repository, tmp_path / "slot") as worktree:
        worktree.switch(ids[1])
        with pytest.raises(RepositoryError, match=rf"check out {ids[2][:8]}.*missing or damaged.*fsck"):
            worktree.switch(ids[2])
        assert (worktree.switch(ids[3]).tree / "file").read_text() == "3\n"


def test_a_partial_clone_tells_how_to_complete_it(subject, tmp_path):
    repository, ids = subject
    git(repository.folder, "config", "uploadpack.allowFilter", "true")
    uri = repository.folder.as_uri()
    git(tmp_path, "clone", "--quiet", "--no-checkout", "--filter=blob:none", uri, "partial")

    with (
        open_worktree(open_repository(tmp_path / "partial"), tmp_path / "slot") as worktree,
        pytest.raises(RepositoryError, match=r"partial clone.*fetch --refetch --no-filter"),
    ):
        worktree.switch(ids[1])


def test_a_shallow_clone_can_be_checked_out(subject, tmp_path):
    repository, ids = subject
    git(tmp_path, "clone", "--quiet", "--depth=1", repository.folder.as_uri(), "shallow")
    with open_worktree(open_repository(tmp_path / "shallow"), tmp_path / "slot", sees_git=True) as worktree:
        assert git(worktree.switch(ids[4]).tree, "log", "--format=%H") == ids[4]


def test_no_filter_of_the_user_runs_whatever_a_revision_selects(tmp_path, monkeypatch):
    maker = RepositoryMaker()
    maker.revision(
        {".gitattributes": "*.up filter=up\n*.bin filter=lfs\n", "a.up": "text", "a.bin": "pointer"}
    )
    ids = maker.make(tmp_path / "r")
    (tmp_path / "settings").write_text(f'[filter "lfs"]\n\tsmudge = "touch {tmp_path}/ran; cat"\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "settings"))
    git(tmp_path / "r", "config", "filter.up.smudge", f"touch {tmp_path}/ran; tr a-z A-Z")

    with open_worktree(open_repository(tmp_path / "r"), tmp_path / "slot") as worktree:
        tree = worktree.switch(ids[1]).tree
        assert ((tree / "a.up").read_text(), (tree / "a.bin").read_text()) == ("text", "pointer")

    assert not (tmp_path / "ran").exists()


def test_submodules_are_filled_if_they_were_fetched(tmp_path):
    inner_ids = linear(2).make(tmp_path / "inner")
    maker = RepositoryMaker()
    modules = f'[submodule "one"]\n\tpath = lib\n\turl = {tmp_path}/inner\n'
    link = {"lib": "160000", "lost": "160000"}
    maker.revision({"a": "1"})
    maker.revision({".gitmodules": modules, "lib": inner_ids[1]}, modes=link)
    maker.revision({"lib": inner_ids[2], "lost": inner_ids[2]}, modes=link)
    maker.revision({".gitmodules": None, "lib": None, "lost": None, "lib/own": "4"})
    ids = maker.make(tmp_path / "outer")
    git(tmp_path / "outer", "checkout", "--quiet", ids[2])
    git(tmp_path / "outer", "-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init")
    git(tmp_path / "outer" / ".git" / "modules" / "one", "fetch", "--quiet", f"{tmp_path}/inner", "main")

    with open_worktree(open_repository(tmp_path / "outer"), tmp_path / "slot") as worktree:
        for _ in range(2):
            assert "lib/file" not in content(worktree.switch(ids[1]).tree)
            assert (worktree.switch(ids[2]).tree / "lib/file").read_text() == "1\n"
            (worktree.tree / "lib/left.o").write_text("x")
            checkout = worktree.switch(ids[3])
            assert checkout.absent_submodules == ("lost",)
            assert content(worktree.tree / "lib") == {"file": "644 2\n"}
            assert list((worktree.tree / "lost").iterdir()) == []
            assert content(worktree.switch(ids[4]).tree / "lib") == {"own": "644 4"}


@pytest.mark.parametrize("is_invented", [True, False])
def test_a_link_in_the_place_of_a_folder_is_never_followed(tmp_path, is_invented):
    """What `rm -rf vendor; ln -s /victim vendor` in a build leads the next checkout to."""
    inner_ids = linear(2).make(tmp_path / "inner")
    maker = RepositoryMaker()
    modules = f'[submodule "one"]\n\tpath = vendor/lib\n\turl = {tmp_path}/inner\n'
    modes = {"vendor/lib": "160000"}
    maker.revision({".gitmodules": modules, "vendor/lib": inner_ids[1], "vendor/own": "1"}, modes=modes)
    maker.revision({"a": "2"})
    ids = maker.make(tmp_path / "outer")
    if not is_invented:
        allowed = ("-c", "protocol.file.allow=always")
        git(tmp_path / "outer", *allowed, "submodule", "--quiet", "update", "--init")
    victim = tmp_path / "victim"
    (victim / "lib").mkdir(parents=True)
    (victim / "lib" / "precious").touch()
    (victim / "own").write_text("precious")
    times = {path: path.stat().st_mtime_ns for path in victim.rglob("*")}

    with open_worktree(open_repository(tmp_path / "outer"), tmp_path / "slot") as worktree:
        for number in (1, 2, 1):
            tree = worktree.switch(ids[number]).tree
            assert (tree / "vendor" / "own").read_text() == "1"
            subprocess.run(["rm", "-rf", tree / "vendor"], check=True)
            (tree / "vendor").symlink_to(victim)

    assert {path: path.stat().st_mtime_ns for path in victim.rglob("*")} == times


@pytest.mark.slow
def test_a_path_that_is_too_long_for_the_kernel_is_cleaned_away(subject, tmp_path):
    repository, ids = subject
    with open_worktree(repository, tmp_path / "slot") as worktree:
        dig = (
            f"cd {worktree.switch(ids[1]).tree}; for i in $(seq 600); do mkdir deep-down; cd deep-down; done"
        )
        subprocess.run(["bash", "-c", f"{dig}; echo > file"], check=True)

        assert content(worktree.switch(ids[2]).tree) == expected(repository.folder, ids[2], tmp_path)
