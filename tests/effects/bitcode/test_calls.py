import os
from pathlib import PurePosixPath

import pytest

from sonde.effects.bitcode.calls import CompilerCall, expand, located, read_calls


def note(folder, name: str, *parts: str) -> None:
    (folder / "calls").mkdir(exist_ok=True)
    (folder / "calls" / name).write_bytes(b"".join(part.encode() + b"\0" for part in parts))


def test_a_call_is_read_as_it_was_noted(tmp_path):
    note(tmp_path, "c1", "/work", "gcc", "inc", "", "", "-DX=a b", "line\nbreak.c", "")
    note(tmp_path, "other-2", "/work", "rustc", "", "", "", "main.rs")

    found = read_calls(tmp_path)

    words = ("-DX=a b", "line\nbreak.c", "")
    assert found.compilers == {"c1": CompilerCall("/work", "gcc", words, (("CPATH", "inc"),))}
    assert found.others == (CompilerCall("/work", "rustc", ("main.rs",)),)


def test_a_call_that_was_cut_off_is_left_out(tmp_path):
    note(tmp_path, "c1", "/work", "gcc")
    (tmp_path / "calls" / "c2").write_bytes(b"")

    assert read_calls(tmp_path).compilers == {}


def test_what_a_build_leaves_among_the_calls_is_not_followed_or_waited_for(tmp_path):
    note(tmp_path, "c1", "/work", "gcc", "", "", "", "a.c")
    note(tmp_path, "c2", *("x" * 2_000_000 for _ in range(10)))
    (tmp_path / "calls" / "c3").symlink_to("/dev/zero")
    (tmp_path / "calls" / "c4").mkdir()
    os.mkfifo(tmp_path / "calls" / "c5")

    assert set(read_calls(tmp_path).compilers) == {"c1"}


def test_words_from_files_take_the_place_of_their_names(tmp_path):
    (tmp_path / "words").write_text("-DX='a b' @more\n one.c")
    (tmp_path / "more").write_text("-O2")
    call = CompilerCall("/seen", "gcc", ("-c", "@words", "@absent"))

    assert expand(call, {"/seen": tmp_path}) == ("-c", "-DX=a b", "-O2", "one.c", "@absent")


def test_a_file_of_words_that_names_itself_ends(tmp_path):
    (tmp_path / "words").write_text("-c @words")

    assert expand(CompilerCall("/seen", "gcc", ("@words",)), {"/seen": tmp_path})[-1] == "@words"


def test_files_of_words_that_name_each_other_again_and_again_end(tmp_path):
    (tmp_path / "words").write_text("@words " * 100)

    assert len(expand(CompilerCall("/seen", "gcc", ("@words",)), {"/seen": tmp_path})) < 1_000_000


@pytest.mark.parametrize("name", ["circle", "a\0b", "n" * 5_000])
def test_a_name_that_means_no_file_stays_a_word(tmp_path, name):
    (tmp_path / "circle").symlink_to("circle")

    assert expand(CompilerCall("/seen", "gcc", (f"@{name}",)), {"/seen": tmp_path}) == (f"@{name}",)


def test_a_path_is_found_where_its_folder_lies_in_fact(tmp_path):
    assert located(PurePosixPath("/seen/a/b.c"), {"/seen": tmp_path}) == tmp_path / "a" / "b.c"
    assert located(PurePosixPath("/usr/b.c"), {"/seen": tmp_path}) is None


def test_a_link_does_not_lead_to_what_a_build_did_not_see(tmp_path):
    (tmp_path / "secret").write_text("-DX")
    (tmp_path / "tree").mkdir()
    (tmp_path / "tree" / "words").symlink_to(tmp_path / "secret")

    assert expand(CompilerCall("/seen", "gcc", ("@words",)), {"/seen": tmp_path / "tree"}) == ("@words",)
