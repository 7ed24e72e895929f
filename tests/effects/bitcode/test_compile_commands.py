import json
import os

import pytest

from sonde.core.results import Failed
from sonde.effects.bitcode.compile_commands import Listed, find_compile_commands, from_compile_commands

TREE = "/sonde/build"


def listed(folder, *entries: dict[str, object], root: str = "") -> Listed:
    file = folder / "compile_commands.json"
    file.write_text(json.dumps(entries))
    found = from_compile_commands(file, folder, TREE, root)
    assert isinstance(found, Listed)
    return found


def test_units_are_taken_from_lines_and_from_words(tmp_path):
    found = listed(
        tmp_path,
        {"directory": f"{TREE}/b", "file": "../a.c", "command": "/usr/bin/cc -DX='\"a b\"' -c ../a.c -o a.o"},
        {"directory": TREE, "file": f"{TREE}/b.cc", "arguments": ["ccache", "g++", "-std=c++17", "b.cc"]},
    )

    first, second = found.sources
    assert (first.compiler, first.name(TREE), first.how.reading) == ("cc", "a.c", ('-DX="a b"',))
    assert (second.compiler, second.name(TREE), second.how.shaping) == ("g++", "b.cc", ("-std=c++17",))


def test_a_file_that_was_written_elsewhere_is_moved_to_the_work_tree(tmp_path):
    home = "/home/ada/project"
    found = listed(
        tmp_path,
        {
            "directory": f"{home}/build",
            "file": f"{home}/src/a.c",
            "command": f"cc -I{home}/inc -c {home}/src/a.c",
        },
        {"directory": f"{home}/build", "file": "../src/b.c", "command": "cc -c ../src/b.c"},
        root=home,
    )

    assert [each.name(TREE) for each in found.sources] == ["src/a.c", "src/b.c"]
    assert found.sources[0].how.reading == (f"-I{TREE}/inc",)


def test_assembler_is_left_out_by_name(tmp_path):
    found = listed(tmp_path, {"directory": TREE, "file": "fast.S", "command": "cc -c fast.S"})

    assert found.sources == ()
    assert [each.source for each in found.skipped] == ["fast.S"]


@pytest.mark.parametrize(
    "text",
    [
        *("", "{}x", '{"a": 1}', '[{"file": "a.c"}]', "[3]", "[" * 100_000),
        *(f'[{{"directory": "/", "file": "a.c", {how}}}]' for how in ('"arguments": []', '"command": ""')),
    ],
)
def test_a_file_that_is_none_is_a_failure_in_words(tmp_path, text):
    file = tmp_path / "compile_commands.json"
    file.write_text(text)

    found = from_compile_commands(file, tmp_path, TREE)

    assert isinstance(found, Failed)
    assert found.reason.startswith("compile_commands.json cannot be read")


def test_a_file_that_leads_out_of_the_tree_or_is_none_is_not_read(tmp_path):
    tree = tmp_path / "tree"
    tree.mkdir()
    (tmp_path / "secret").write_text("[]")
    (tree / "link").symlink_to(tmp_path / "secret")
    os.mkfifo(tree / "pipe")

    for name in ("link", "pipe"):
        assert isinstance(from_compile_commands(tree / name, tree, TREE), Failed)


def test_the_file_nearest_to_the_root_is_found(tmp_path):
    assert find_compile_commands(tmp_path) is None
    for folder in ("b/deep", "a"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "compile_commands.json").write_text("[]")

    assert find_compile_commands(tmp_path) == tmp_path / "a" / "compile_commands.json"
