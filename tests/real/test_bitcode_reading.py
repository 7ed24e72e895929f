"""Bitcode of real programs, compiled by clang, as units of code."""

import random
import subprocess
from pathlib import Path

import pytest
from llvmlite import binding

from sonde.core.code import Address, Assembly, Kind, Unit
from sonde.effects.bitcode.reading import UnreadableBitcode, read_unit, read_units
from sonde.effects.bitcode.reading.units import explained
from tests.effects.bitcode.reading.slow_twin import check_references, count_read, count_slowly

PROGRAMS = Path(__file__).parents[1] / "effects" / "bitcode" / "reading" / "programs"
FLAGS = ("-c", "-emit-llvm", "-w", "-Xclang", "-disable-O0-optnone", "-fno-discard-value-names")
needs_clang = pytest.mark.needs("clang-19", "clang++-19")


def compiled(folder: Path, source: Path | str, *flags: str) -> Path:
    """The bitcode of a source file, or of a text in C."""
    if isinstance(source, str):
        text, source = source, folder / "a.c"
        source.write_text(text)
    output = folder / f"{source.stem}{''.join(flags)}.bc"
    compiler = "clang++-19" if source.suffix == ".cpp" else "clang-19"
    subprocess.run([compiler, *FLAGS, *(flags or ("-O0", "-g")), source, "-o", output], check=True)
    return output


def unit(folder: Path, source: Path | str, *flags: str) -> Unit:
    found = read_unit(compiled(folder, source, *flags), folder)
    assert isinstance(found, Unit)
    return found


def routine(found: Unit, name: str):
    (one,) = [each for each in found.routines if name in (each.name, each.shown)]
    return one


@needs_clang
@pytest.mark.parametrize("source", ["many_features.c", "many_features.cpp"])
@pytest.mark.parametrize(
    "flags", [("-O0", "-g"), ("-O0",), ("-O1", "-g"), ("-O2", "-g"), ("-O3", "-ffast-math")]
)
def test_instructions_calls_and_edges_are_those_of_llvm(tmp_path, source, flags):
    path = compiled(tmp_path, PROGRAMS / source, *flags)

    found = read_unit(path, None)

    assert isinstance(found, Unit)
    check_references(found)
    module = binding.parse_bitcode(path.read_bytes(), binding.create_context())
    assert count_read(found) == count_slowly(module)
    assert found.has_places == ("-g" in flags)


@needs_clang
def test_what_c_has(tmp_path):
    found = unit(tmp_path, PROGRAMS / "many_features.c")

    assert found.startup == ("early", "late")
    assert found.aliases == {"alias_f": "real_f"}
    assert {"die", "exit", "longjmp"} <= found.never_return
    assert routine(found, "total").is_variadic
    (switch,) = [each for each in routine(found, "huge").instructions if each.kind is Kind.SWITCH]
    assert (len(switch.cases), min(switch.cases)) == (304, -5)
    assert any(isinstance(each, Assembly) for each in routine(found, "rotate").outside)
    (jump,) = [each for each in routine(found, "interpret").instructions if each.kind is Kind.SWITCH]
    assert len(jump.targets) == 3
    tables = {each.name: each for each in found.globals}
    assert {part.address for part in tables["ops"].parts if part.offset == 8} == {
        Address("add"),
        Address("sub"),
    }
    assert tables["inside"].parts[0].address == Address("global", 8)
    assert {each.name: each.bits for each in found.types["bits"]} == {
        "a": (0, 3), "b": (3, 13), "c": None, "d": (0, 1)
    }  # fmt: skip
    fields = [(each.type, each.offset) for each in routine(found, "access").instructions if each.type]
    assert ("outer", 4) in fields
    assert ("inner", 4) in fields


@needs_clang
def test_what_cplusplus_has(tmp_path):
    found = unit(tmp_path, PROGRAMS / "many_features.cpp")

    caught = routine(found, "caught")
    assert any(each.kind is Kind.CALL and len(each.targets) == 2 for each in caught.instructions)
    assert routine(found, "shapes::Holder::sum").place.line == 12
    assert routine(found, "shapes::Square<4>::area").variables[0].type == "shapes::Square"
    (table,) = [each for each in found.globals if each.name == "_ZTVN6shapes6SquareILi4EEE"]
    assert len({part.offset for part in table.parts}) == len(table.parts)
    assert found.startup


BEFORE = """
#include <stdio.h>
struct opts { int level; int quiet; };
int run(struct opts *o, int n) {
  int t = 3; for (int i = 0; i < n; i++) t += o->quiet; puts("done"); return t; }
"""
COSMETIC = """
#include <stdio.h>
/* more
   lines */
const char *unused(void) { return "another text"; }
struct opts { int level; int quiet; };
int run(struct opts *options, int count)
{
    int total = 3;
    for (int k = 0; k < count; k++)
        total += options->quiet;
    puts("done");
    return total;
}
"""


def comparable(found: Unit):
    one = routine(found, "run")
    return [
        (each.kind, each.shape, [o if o >= 0 else one.outside[~o] for o in each.operands], each.targets)
        for each in one.instructions
    ]


@needs_clang
def test_names_lines_and_other_texts_change_no_shape(tmp_path):
    assert comparable(unit(tmp_path, BEFORE)) == comparable(unit(tmp_path, COSMETIC))


@needs_clang
def test_a_new_member_changes_no_code_that_uses_others(tmp_path):
    grown = BEFORE.replace("int level;", "int level; long more[3];")

    assert comparable(unit(tmp_path, BEFORE)) == comparable(unit(tmp_path, grown))


@needs_clang
@pytest.mark.parametrize(
    ("old", "new"), [("t = 3", "t = 4"), ("o->quiet", "o->level"), ("i < n", "i <= n"), ("done", "gone")]
)
def test_a_change_of_meaning_shows(tmp_path, old, new):
    assert comparable(unit(tmp_path, BEFORE)) != comparable(unit(tmp_path, BEFORE.replace(old, new)))


def bitcode(folder: Path) -> Path:
    """A good file, without a compiler."""
    text = "define i32 @f(i32 %x) {\n  %a = add i32 %x, 1\n  ret i32 %a\n}\n@g = global i32 5\n"
    path = folder / "good.bc"
    path.write_bytes(binding.parse_assembly(text, binding.create_context()).as_bitcode())
    return path


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"\x7fELF\x02\x01\x01", "is not bitcode"),
        (b"BC\xc0\xde", "is damaged"),
    ],
)
def test_what_is_no_bitcode_is_named_with_a_remedy(tmp_path, content, words):
    path = tmp_path / "a.bc"
    path.write_bytes(content)

    found = read_unit(path, None)

    assert isinstance(found, UnreadableBitcode)
    assert words in found.reason
    assert "a.bc" in found.reason


def test_a_file_that_is_not_there_is_named(tmp_path):
    found = read_unit(tmp_path / "none.bc", None)

    assert isinstance(found, UnreadableBitcode)
    assert "No such file" in found.reason


def test_damaged_files_never_end_us_and_the_next_one_is_read(tmp_path):
    good = bitcode(tmp_path)
    content = good.read_bytes()
    rng = random.Random(3)
    paths = []
    for number in range(24):
        damaged = bytearray(content[: rng.randrange(5, len(content))] if number % 4 == 0 else content)
        for _ in range(0 if number % 4 == 0 else rng.choice([1, 3, 20])):
            damaged[rng.randrange(4, len(damaged))] ^= 1 << rng.randrange(8)
        path = tmp_path / f"{number}.bc"
        path.write_bytes(damaged)
        paths += [path, good]

    answers = list(read_units(paths, None))

    assert len(answers) == len(paths)
    assert all(isinstance(each, Unit | UnreadableBitcode) for each in answers)
    assert all(each == answers[1] and isinstance(each, Unit) for each in answers[1::2])
    assert any(isinstance(each, UnreadableBitcode) for each in answers)


def test_a_newer_compiler_is_named():
    said = "LLVM bitcode parsing error\nUnknown kind (116) (Producer: 'LLVM31.0.1' Reader: 'LLVM 22.1.0')"

    assert explained(Path("a.bc"), said) == (
        "'a.bc' was written by clang 31, and llvmlite reads only up to 22. "
        "Update it (pip install -U llvmlite), or install clang-22 or older."
    )
    assert explained(Path("a.bc"), said.replace("31", "19")) == (
        "'a.bc' is damaged: Unknown kind (116). Delete it, so that it is compiled again."
    )
