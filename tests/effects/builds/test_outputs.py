from __future__ import annotations

import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.effects.builds.outputs import NoOutputs, Outputs, copy_outputs, find_outputs, fingerprint_outputs
from tests.effects.subject_files.deep_folders import dug


@pytest.fixture
def tree(tmp_path):
    folder = tmp_path / "tree"
    (folder / "lib").mkdir(parents=True)
    (folder / "program").write_text("program")
    (folder / "program").chmod(0o755)
    (folder / "lib" / "one.so").write_text("one")
    (folder / "lib" / "two.so").write_text("two")
    return folder


def test_patterns_and_folders_name_files(tree):
    assert find_outputs(tree, ["program"]) == Outputs(("program",))
    assert find_outputs(tree, ["lib/*.so", "program"]) == Outputs(("lib/one.so", "lib/two.so", "program"))
    assert find_outputs(tree, ["lib"]) == Outputs(("lib/one.so", "lib/two.so"))


def test_a_missing_output_is_told_with_similar_names(tree):
    found = find_outputs(tree, ["program", "progam"])

    assert found == NoOutputs("no file matches the output 'progam' (did you mean 'program'?)")


def test_a_link_is_followed_inside_the_tree_and_refused_outside(tree):
    (tree / "inside").symlink_to("program")
    (tree / "outside").symlink_to("/etc/passwd")

    assert find_outputs(tree, ["inside"]) == Outputs(("inside",))
    assert isinstance(find_outputs(tree, ["outside"]), NoOutputs)


def test_a_fingerprint_knows_names_bytes_and_executable_bits_and_nothing_else(tree):
    whole = Outputs(("lib/one.so", "program"))
    before, size = fingerprint_outputs(tree, whole)

    os.utime(tree / "program", (1, 1))
    assert fingerprint_outputs(tree, whole) == (before, size)
    assert size == len("one") + len("program")

    seen = {before}
    (tree / "lib" / "one.so").chmod(0o755)
    seen.add(fingerprint_outputs(tree, whole)[0])
    (tree / "program").write_text("program!")
    seen.add(fingerprint_outputs(tree, whole)[0])
    (tree / "lib" / "one.so").rename(tree / "lib" / "three.so")
    seen.add(fingerprint_outputs(tree, Outputs(("lib/three.so", "program")))[0])
    assert len(seen) == 4


def test_a_copy_has_the_same_fingerprint_and_is_read_only(tree, tmp_path):
    outputs = find_outputs(tree, ["lib", "program"])
    assert isinstance(outputs, Outputs)

    copy_outputs(tree, outputs, tmp_path / "copy")

    assert fingerprint_outputs(tmp_path / "copy", outputs) == fingerprint_outputs(tree, outputs)
    assert (tmp_path / "copy" / "program").stat().st_mode & 0o777 == 0o555
    assert (tmp_path / "copy" / "lib" / "one.so").stat().st_mode & 0o777 == 0o444


@pytest.mark.parametrize("pattern", ["out", "out/*", "out/**/*.so", "*/lib", "**", "deep/out", "deep/**"])
def test_nothing_is_looked_at_behind_a_link_that_leads_out(tree, pattern):
    (tree / "out").symlink_to("/")
    (tree / "deep").mkdir()
    (tree / "deep" / "out").symlink_to("/proc")

    found = find_outputs(tree, [pattern])

    assert isinstance(found, NoOutputs)
    assert "points out of the work tree" in found.reason


@pytest.mark.parametrize("pattern", ["circle", "lib", "**"])
def test_links_that_lead_in_a_circle_are_no_files(tree, pattern):
    (tree / "lib" / "circle").symlink_to("../circle")
    (tree / "circle").symlink_to("lib/circle")

    found = find_outputs(tree, [pattern])

    assert isinstance(found, NoOutputs) == (pattern == "circle")


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read everything")
@pytest.mark.parametrize("name", ["program", "lib"])
def test_what_cannot_be_read_is_no_output(tree, name):
    (tree / name).chmod(0)

    found = find_outputs(tree, [name])

    (tree / name).chmod(0o755)
    assert isinstance(found, NoOutputs)


def test_where_there_are_many_files_no_similar_names_are_sought(tree):
    """To compare 100,000 long names takes minutes."""
    for number in range(2_100):
        (tree / f"progam{number}").touch()

    assert find_outputs(tree, ["progam"]) == NoOutputs("no file matches the output 'progam'")


@pytest.mark.parametrize("pattern", ["folder", "folder/**", "**/file"])
def test_paths_that_are_too_long_are_no_outputs(tree, pattern):
    with dug(tree / "folder", levels=30, name="deep" * 50):
        found = find_outputs(tree, [pattern])

    assert isinstance(found, NoOutputs)
    assert "cannot be searched for" in found.reason


@given(
    st.lists(st.sampled_from(["*", "**", "lib", "*.so", "o?e.so", "l[ab]b", "program", "none"]), min_size=1)
)
def test_patterns_mean_what_they_mean_for_glob(tmp_path_factory, parts):
    folder = tmp_path_factory.mktemp("tree")
    for name in ("program", "lib/one.so", "lib/lib/two.so", "lab/one.so", ".hidden/lib/x.so"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    pattern = "/".join(parts)
    wanted = {
        file.relative_to(folder).as_posix()
        for match in folder.glob(pattern)
        for file in (match.rglob("*") if match.is_dir() else [match])
        if file.is_file()
    }

    found = find_outputs(folder, [pattern])

    assert found == Outputs(tuple(sorted(wanted))) if wanted else isinstance(found, NoOutputs)
