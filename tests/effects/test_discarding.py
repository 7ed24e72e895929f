"""Folders that a subject has written to can always be removed."""

from sonde.effects.discarding import discard


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
