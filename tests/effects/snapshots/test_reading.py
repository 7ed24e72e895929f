"""Files that are no programs, or none that can be read; and how parts are combined."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.evidence import Function, Key, Snapshot
from sonde.effects.snapshots.reading import UnreadableOutput, read_snapshot
from sonde.formats.compiled_functions.combining import combine_functions
from sonde.formats.elf.names import source_name
from tests.effects.snapshots.compiling import snapshot

KEY = Key("program", "", "work")


def header(*, kind=3, machine=62, wide=2, order=1, sections_at=0) -> bytes:
    """The beginning of an ELF file."""
    start = b"\x7fELF" + bytes([wide, order, 1]) + bytes(9)
    return start + struct.pack("<HHIQQQIHHHHHH", kind, machine, 1, 0, 64, sections_at, 0, 64, 56, 0, 64, 0, 0)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (header()[:30], "it is truncated: its header is not complete"),
        (header(wide=1), "it is 32-bit or big-endian; only 64-bit x86 can be read"),
        (header(machine=183), "it is for another processor (ELF machine 183); only 64-bit x86 can be read"),
        (
            header(),
            "it has no section headers, as packed programs do; build without a packer such as UPX",
        ),
        (header(sections_at=64), "its section headers are damaged or cut off; build it anew"),
    ],
    ids=["truncated", "32-bit", "another processor", "packed", "cut off"],
)
def test_a_program_that_cannot_be_read_says_why(tmp_path, content, reason):
    (tmp_path / "program").write_bytes(content)

    assert read_snapshot(tmp_path, ["program"]) == UnreadableOutput(
        "program", f"'program' cannot be read: {reason}."
    )


@given(content=st.binary(max_size=400), kind=st.sampled_from((2, 3)), at=st.integers(0, 500))
def test_any_bytes_behind_the_header_are_read_or_refused(tmp_path_factory, content, kind, at):
    folder = tmp_path_factory.mktemp("any")
    (folder / "program").write_bytes(header(kind=kind, sections_at=at) + content)

    assert isinstance(read_snapshot(folder, ["program"]), Snapshot | UnreadableOutput)


def test_other_files_count_by_their_bytes(tmp_path):
    (tmp_path / "object.o").write_bytes(header(kind=1))
    (tmp_path / "core").write_bytes(header(kind=4))
    (tmp_path / "words.txt").write_text("words\n")

    found = snapshot(tmp_path, "object.o", "core", "words.txt")

    assert found.files.keys() == {"object.o", "core", "words.txt"}
    assert not found.languages


digests = st.integers(0, (1 << 128) - 1).map(lambda number: f"{number:032x}")
functions = st.builds(
    Function,
    code=digests,
    masked=digests,
    masked_for=st.just(frozenset[str]()),
    raw=digests,
    texts=digests,
    length=st.integers(0, 9),
)


@given(parts=st.lists(functions, min_size=1, max_size=5), data=st.data())
def test_functions_of_one_key_combine_in_any_order(parts, data):
    shuffled = data.draw(st.permutations(parts))

    assert combine_functions((KEY, each) for each in parts) == combine_functions(
        (KEY, each) for each in shuffled
    )


@given(part=functions)
def test_two_equal_functions_are_not_none(part):
    both = combine_functions([(KEY, part), (KEY, part)])[KEY]

    assert both.length == 2 * part.length
    assert both.code == f"{2 * int(part.code, 16) % (1 << 128):032x}"


def test_sources_are_known_by_their_own_name():
    assert source_name("lib/lz4.c") == "lz4.c"
    assert source_name("<artificial>") == source_name("cc7HkW2x.ltrans0.o") == ""
