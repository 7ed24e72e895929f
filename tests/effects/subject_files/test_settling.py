"""A folder that a subject has written to is safe to read after it was settled."""

import os
import socket

from sonde.effects.subject_files import settle
from tests.effects.subject_files.deep_folders import dug


def test_plain_files_and_folders_stay(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "file").write_text("1")
    (tmp_path / "a" / "empty").mkdir()

    settle(tmp_path)

    assert (tmp_path / "a" / "b" / "file").read_text() == "1"
    assert (tmp_path / "a" / "empty").is_dir()


def test_links_pipes_and_sockets_are_removed(tmp_path):
    outside, folder = tmp_path / "outside", tmp_path / "folder"
    outside.mkdir()
    (outside / "file").touch()
    (folder / "a").mkdir(parents=True)
    (folder / "a" / "link").symlink_to(outside)
    (folder / "to-file").symlink_to(outside / "file")
    os.mkfifo(folder / "pipe")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / "socket"))

    settle(folder)

    assert [path.name for path in folder.rglob("*")] == ["a"]
    assert (outside / "file").exists()


def test_what_lies_too_deep_is_removed(tmp_path):
    with dug(tmp_path / "folder", levels=1_500):
        settle(tmp_path / "folder")

        assert not list((tmp_path / "folder").rglob("file"))
