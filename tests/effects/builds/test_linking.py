"""Which library a program will run with."""

import struct

from sonde.effects.builds.linking import find_stray_library
from sonde.effects.builds.outputs import Outputs


def program(needed: str, search_path: str) -> bytes:
    """The least that the loader's table of a program can be."""
    texts = b"\0" + needed.encode() + b"\0" + search_path.encode() + b"\0"
    tags = [(1, 1), (29, 2 + len(needed)), (5, 240), (0, 0)]  # DT_NEEDED, DT_RUNPATH, DT_STRTAB
    header = b"\x7fELF\x02\x01" + bytes(26) + struct.pack("<Q", 64) + bytes(14) + struct.pack("<HH", 56, 2)
    size = 240 + len(texts)
    load = struct.pack("<IIQQQQQQ", 1, 0, 0, 0, 0, size, size, 0)
    dynamic = struct.pack("<IIQQQQQQ", 2, 0, 176, 176, 0, 64, 64, 0)
    content = (header.ljust(64, b"\0") + load + dynamic).ljust(176, b"\0")
    content += b"".join(struct.pack("<QQ", *tag) for tag in tags)
    return content.ljust(240, b"\0") + texts


def stray(tmp_path, search_path: str, *libraries: str) -> str | None:
    files = {"program": program("libx.so", search_path), **dict.fromkeys(libraries, b"")}
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return find_stray_library(tmp_path, Outputs(tuple(sorted(files))), "/build")


def test_a_library_that_the_search_path_leads_to_is_found(tmp_path):
    assert stray(tmp_path, "$ORIGIN/a", "a/libx.so") is None


def test_a_library_elsewhere_is_not_found(tmp_path):
    assert "cannot find it" in (stray(tmp_path, "$ORIGIN/c", "a/libx.so", "b/libx.so") or "")


def test_of_two_libraries_of_one_name_either_may_be_the_right_one(tmp_path):
    assert stray(tmp_path, "$ORIGIN/a", "a/libx.so", "b/libx.so") is None
    assert stray(tmp_path, "$ORIGIN/b", "a/libx.so", "b/libx.so") is None
