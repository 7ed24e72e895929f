"""Folders that a subject has written to can always be removed, and nothing else is."""

from sonde.effects.subject_files import discard
from tests.effects.subject_files.deep_folders import dug


def test_a_folder_that_was_made_read_only_is_removed(tmp_path):
    deep = tmp_path / "folder" / "a" / "b"
    deep.mkdir(parents=True)
    (deep / "file").touch()
    (tmp_path / "outside").touch()
    (deep / "link").symlink_to(tmp_path)
    deep.chmod(0)
    deep.parent.chmod(0o500)

    discard(tmp_path / "folder")

    assert [path.name for path in tmp_path.iterdir()] == ["outside"]


def test_a_folder_that_is_not_there_is_no_error(tmp_path):
    discard(tmp_path / "missing")


def test_a_link_is_removed_and_not_what_it_leads_to(tmp_path):
    (tmp_path / "victim").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "victim")

    discard(tmp_path / "link")

    assert [path.name for path in tmp_path.iterdir()] == ["victim"]


def test_a_tree_deeper_than_paths_and_recursion_reach_is_removed(tmp_path):
    with dug(tmp_path / "folder", levels=3_000):
        discard(tmp_path / "folder")

        assert list(tmp_path.iterdir()) == []


def test_folders_named_like_those_that_are_moved_up_are_removed(tmp_path):
    for number in range(4):
        (tmp_path / "folder" / str(number) / str(number) / "2").mkdir(parents=True)
        (tmp_path / "folder" / str(number) / "file").touch()

    discard(tmp_path / "folder")

    assert list(tmp_path.iterdir()) == []
