"""Line numbers of programs as compilers write them, beside what readelf says."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.formats.damaged import Damaged
from sonde.formats.elf.file import Elf, read_elf
from sonde.formats.elf.lines import NO_FILE, CodeStretch, LineRows, read_line_rows
from tests.effects.snapshots.compiling import PROGRAM, compiled

FLAGS = {
    "DWARF 5": ("-O2", "-g"),
    "DWARF 4": ("-O1", "-g", "-gdwarf-4"),
    "DWARF 3": ("-O2", "-g", "-gdwarf-3"),
    "DWARF 2": ("-O3", "-g", "-gdwarf-2", "-gstrict-dwarf"),
    "lines only": ("-O2", "-g1"),
    "compressed": ("-O2", "-g", "-gz=zlib"),
    "link-time optimisation": ("-O2", "-g1", "-flto"),
    "sections": ("-Os", "-g", "-ffunction-sections", "-Wl,--gc-sections"),
    "fixed addresses": ("-O2", "-g", "-no-pie"),
}
_ROW = re.compile(r"^(?P<file>\S+)\s+(?P<line>\d+|-)\s+(?P<address>0x[0-9a-f]+|0)\b")


def elf_of(folder: Path) -> Elf:
    return read_elf((folder / "program").read_bytes())


def rows_by_readelf(program: Path) -> set[tuple[int, str, int]]:
    """Address, file without folders, and line of each row."""
    said = subprocess.run(
        ["readelf", "--debug-dump=decodedline", "--wide", program], capture_output=True, text=True, check=True
    )
    rows = filter(None, map(_ROW.match, said.stdout.splitlines()))
    return {(int(row["address"], 16), row["file"], int(row["line"])) for row in rows if row["line"] != "-"}


@pytest.mark.parametrize("flags", FLAGS.values(), ids=FLAGS)
def test_rows_are_those_of_readelf(tmp_path, flags):
    folder = compiled(tmp_path / "made", PROGRAM, flags)

    found = read_line_rows(elf_of(folder))

    assert found is not None
    ours = {
        (each.start, found.names[each.file].rpartition("/")[2], each.line)
        for each in found.stretches
        if each.file != NO_FILE
    }
    code = [section for section in elf_of(folder).sections if section.is_code]
    theirs = {
        row
        for row in rows_by_readelf(folder / "program")
        if any(section.address <= row[0] < section.end for section in code)
    }
    assert ours == theirs
    assert len(theirs) > 50


def test_a_program_without_debug_information_has_no_lines(tmp_path):
    assert read_line_rows(elf_of(compiled(tmp_path / "made", PROGRAM))) is None


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> bytes:
    folder = compiled(tmp_path_factory.mktemp("lines") / "made", PROGRAM, ("-O2", "-g"))
    return (folder / "program").read_bytes()


@given(data=st.data())
def test_damaged_line_numbers_are_none_or_some_but_no_crash(whole, data):
    section = read_elf(whole).named(".debug_line")
    assert section is not None
    content = bytearray(whole)
    places = st.integers(section.offset, section.offset + section.size - 1)
    for at, byte in data.draw(st.dictionaries(places, st.integers(0, 255), min_size=1, max_size=8)).items():
        content[at] = byte
    try:
        read_line_rows(read_elf(bytes(content)))
    except Damaged:
        pytest.fail("damage is no error here: there are no lines then")


stretches = st.lists(
    st.builds(CodeStretch, st.integers(0, 40), st.integers(-1, 2), st.integers(0, 9)), max_size=12
).map(lambda several: tuple(sorted(several, key=lambda each: each.start)))


@given(rows=stretches, begin=st.integers(0, 45), length=st.integers(1, 20))
def test_the_stretches_of_some_code_are_those_of_each_of_its_addresses(rows, begin, length):
    def last_before(several, address):
        return next((each[1:] for each in reversed(several) if each.start <= address), None)

    found = list(LineRows(rows, ("a", "b", "c")).between(begin, begin + length))

    assert all(begin <= each.start < begin + length for each in found)
    for address in range(begin, begin + length):
        assert last_before(found, address) == last_before(rows, address)
