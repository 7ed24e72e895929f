"""Programs that are compiled for real: what a change of their source changes in a snapshot."""

import re
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.core.evidence import Key, Snapshot
from sonde.effects.snapshots.reading import UnreadableOutput, read_snapshot
from tests.effects.snapshots import plus_plus
from tests.effects.snapshots.compiling import PROGRAM, changes, compare, compiled, edited, function, snapshot
from tests.slow_cases import slow_except

pytestmark = pytest.mark.needs("gcc")

KINDS = {
    "position-independent": ("-O2", "-g1"),
    "unoptimised": ("-O0",),
    "with sections for each": ("-O3", "-ffunction-sections", "-fdata-sections"),
    "link-time optimised": ("-O2", "-flto"),
    "at a fixed address": ("-O2", "-no-pie", "-fno-pie"),
    "at a fixed address, unoptimised": ("-O0", "-no-pie", "-fno-pie"),
    "static": ("-O2", "-static"),
    "static, position-independent": ("-O2", "-static-pie"),
    "a library": ("-O2", "-shared", "-fPIC"),
    "without stubs": ("-O2", "-fno-plt", "-Wl,-z,now"),
    "with landing marks": ("-O2", "-fcf-protection=full"),
    "with packed relocations": ("-O2", "-Wl,-z,pack-relative-relocs"),
}
FEW = ("position-independent", "unoptimised")
# In a static program: a number that looks like an address, and the place of a variable that is not there.
OF_THE_C_LIBRARY = {"get_common_cache_info.constprop", "_nl_locale_subfreeres"}
A_SHIFT = ("/* declarations */", "/* one */\n\n\n/* two */\n")
AN_ADDITION = """
static const char *more[] = {"an unrelated text", "and one more"};
static int unrelated_counter = 3;
static const double unrelated[] = {0.3, 4.5, 1e9};
APART double unrelated_function(int i) {
  puts(more[i & 1]);
  unrelated_counter++;
  return unrelated[i % 3] * 7.75;
}
"""
TWICE = "APART int twice(int x) { sink = x; return 2 * x; }\n"
THRICE = "APART int thrice(int x) { sink = x + 1; return 3 * x; }\n"
SQUARE = "APART int square(int i)"
A_REORDERING = ((TWICE + THRICE, ""), (SQUARE, THRICE + TWICE + SQUARE))
AN_ADDITION_IN_CPP = """
struct Other { virtual void say() { puts("something else"); } };
APART int other(Other *it) { try { it->say(); } catch (double &x) { return 3; } return 2; }
Other *an_other() { return new Other; }
"""


EDITS = {
    "a constant in a table": (("16, 25, 36", "16, 26, 36"), set(), set(), {"squares"}),
    "a text in a table": (('"one", "two"', '"one", "2"'), set(), set(), {"names"}),
    "a text of a variable": (('"left"', '"link"'), set(), set(), {"pairs"}),
    "an initial value": (("counter = 7", "counter = 8"), set(), set(), {"counter"}),
    "the size of an array": (("scratch[32];", "scratch[64];"), set(), set(), {"scratch"}),
    "a number": (("x * 2.5", "x * 2.75"), {"scale"}, set(), set()),
    "a text": (("too much", "too many"), set(), {"lift"}, set()),
    "an exchange of calls": (
        (
            "int a = twice(x); sink = a; return thrice(a) + a;",
            "int a = thrice(x); sink = a; return twice(a) + a;",
        ),
        {"swapped"},
        set(),
        set(),
    ),
    "an exchange of cases": (
        ("case 1: sink = 4; return x * 7;\n    case 2:", "case 2: sink = 4; return x * 7;\n    case 1:"),
        {"choose"},
        set(),
        set(),
    ),
    "a pointer to a function": (
        ("= {twice, thrice, square}", "= {twice, square, square}"),
        set(),
        set(),
        {"handlers"},
    ),
    "what is asserted": (("x > 3 &&", "x > 4 &&"), {"check"}, {"check"}, set()),
    "a variable": (("return ++counter;", "return ++scratch[0];"), {"count"}, set(), set()),
    "an offset in a variable": (
        ("sink = scratch[(i + 1) & 31];", "sink = scratch[7];"),
        {"scribble"},
        set(),
        set(),
    ),
}


@pytest.fixture(scope="module", params=slow_except(FEW, KINDS), ids=lambda kind: kind.replace(" ", "-"))
def flags(request):
    return KINDS[request.param]


@pytest.fixture(scope="module")
def original(flags, tmp_path_factory):
    return snapshot(compiled(tmp_path_factory.mktemp("original") / "program", PROGRAM, flags))


def test_comments_and_blank_lines_change_no_more_than_line_numbers(tmp_path, flags, original):
    found = changes(original, snapshot(compiled(tmp_path / "new", edited(PROGRAM, A_SHIFT), flags)))

    assert found.code == {"check"}
    assert not (found.masked | found.texts | found.objects | found.came | found.went | found.startup)


def test_an_addition_elsewhere_changes_no_other_function(tmp_path, flags, original):
    found = changes(
        original,
        snapshot(compiled(tmp_path / "new", edited(PROGRAM, ("/* declarations */", AN_ADDITION)), flags)),
    )

    assert not (found.masked | found.texts | found.objects | found.went) - OF_THE_C_LIBRARY


def test_the_order_of_functions_does_not_matter(tmp_path, flags, original):
    found = changes(original, snapshot(compiled(tmp_path / "new", edited(PROGRAM, *A_REORDERING), flags)))

    assert not (found.masked | found.texts | found.objects | found.came | found.went)


def test_many_changes_are_seen_where_they_are_and_nowhere_else(tmp_path, flags, original):
    source = edited(PROGRAM, *(change for change, *_ in EDITS.values()))

    found = changes(original, snapshot(compiled(tmp_path / "new", source, flags)))

    expected = {name for _, code, _, _ in EDITS.values() for name in code}
    assert {name.removesuffix(".cold") for name in found.code} == expected
    assert found.texts == {name for _, _, texts, _ in EDITS.values() for name in texts}
    assert found.objects == {name for _, _, _, objects in EDITS.values() for name in objects}
    assert not (found.came | found.went)


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: edit.replace(" ", "-"))
def test_a_change_is_seen_where_it_is_and_nowhere_else(tmp_path, edit):
    change, code, texts, objects = EDITS[edit]

    found = compare(tmp_path, PROGRAM, edited(PROGRAM, change))

    assert {name.removesuffix(".cold") for name in found.code} == code
    assert set(found.texts) == texts
    assert set(found.objects) == objects
    assert not (found.came | found.went)


PLUS_PLUS_EDITS = {
    "a type that is caught": (("catch (Small &error)", "catch (Large &error)"), {"_Z6caughti"}, set()),
    "that anything is caught": (("catch (...)", "catch (Small &)"), {"_Z10caught_anyi"}, set()),
    "a virtual function": (("int edges() override { return 5; }", ""), set(), {"_ZTV6Square"}),
    "a template": (
        ("return x + x;", "return x + x + 1;"),
        {"_Z7doubledIiET_S0_", "_Z7doubledIdET_S0_"},
        set(),
    ),
}


@pytest.mark.needs("g++")
@pytest.mark.parametrize("edit", PLUS_PLUS_EDITS, ids=lambda edit: edit.replace(" ", "-"))
@pytest.mark.parametrize(
    "flags",
    [
        pytest.param(("-O2",), id="pie"),
        pytest.param(("-O1", "-no-pie", "-fno-pie"), id="no-pie", marks=pytest.mark.slow),
    ],
)
def test_a_change_in_cpp_is_seen_where_it_is_and_nowhere_else(tmp_path, edit, flags):
    change, code, objects = PLUS_PLUS_EDITS[edit]

    found = compare(tmp_path, plus_plus.PROGRAM, edited(plus_plus.PROGRAM, change), flags, ".cc")

    assert {name.removesuffix(".cold") for name in found.code} - {"main"} == code
    assert set(found.objects) == objects
    assert not found.startup


@pytest.mark.needs("g++")
def test_an_addition_in_cpp_changes_no_other_function(tmp_path):
    addition = ("volatile int sink;", f"volatile int sink;{AN_ADDITION_IN_CPP}")

    found = compare(tmp_path, plus_plus.PROGRAM, edited(plus_plus.PROGRAM, addition), suffix=".cc")

    assert not (found.code | found.texts | found.objects | found.went | found.startup)


@pytest.mark.needs("g++")
def test_the_order_of_initialisers_is_seen(tmp_path):
    change = ("First first;\nSecond second;\n", "Second second;\nFirst first;\n")

    found = compare(tmp_path, plus_plus.PROGRAM, edited(plus_plus.PROGRAM, change), suffix=".cc")

    assert "_GLOBAL__sub_I_sink" in found.code


def test_another_initialiser_is_part_of_the_start(tmp_path):
    change = ("/* before main */", "__attribute__((constructor)) static void begin(void) { sink = 2; }")

    found = compare(tmp_path, PROGRAM, edited(PROGRAM, change))

    assert found.startup == {"program"}
    assert found.came == {"begin"}


def test_another_place_of_a_variable_of_threads_is_part_of_the_start(tmp_path):
    change = ("__thread int of_thread = 5;", "__thread int of_thread = 6;")

    assert compare(tmp_path, PROGRAM, edited(PROGRAM, change)).startup == {"program"}


def test_a_line_number_is_masked_for_the_function_that_gets_it(tmp_path):
    check = function(snapshot(compiled(tmp_path / "new", PROGRAM)), "check")

    assert check.masked_for == {"plt:__assert_fail"}
    assert check.masked != check.code


def test_a_number_that_is_used_otherwise_is_not_masked(tmp_path):
    source = """
    extern int note(int number, const char *file); volatile int sink;
    __attribute__((noipa)) int handed(int x) { return note(NUMBER, "main.c"); }
    __attribute__((noipa)) int used(int x) { int n = NUMBER; if (x) sink = n; return note(n + x, "main.c"); }
    __attribute__((noipa)) int note(int number, const char *file) { sink = number; return file[0]; }
    int main(int argc, char **argv) { return handed(argc) + used(argc); }
    """

    found = compare(tmp_path, source.replace("NUMBER", "77"), source.replace("NUMBER", "88"))

    assert found.code == {"handed", "used"}
    assert found.masked == {"used"}


def test_functions_of_one_name_are_told_apart_by_their_sources(tmp_path):
    folder = tmp_path / "two"
    folder.mkdir()
    for name, number in (("one", 1), ("two", 2)):
        text = f"static __attribute__((noipa)) int same(int x) {{ return x * {number}; }}\n"
        (folder / f"{name}.c").write_text(text + f"int {name}(int x) {{ return same(x); }}\n")
    (folder / "main.c").write_text(
        "int one(int); int two(int);\nint main(int n, char **v) { return one(n) + two(n); }\n"
    )
    subprocess.run(["gcc", "-O2", "main.c", "one.c", "two.c", "-o", "program"], cwd=folder, check=True)

    found = snapshot(folder)

    assert {Key("program", "one.c", "same"), Key("program", "two.c", "same")} <= found.functions.keys()
    assert found.functions[Key("program", "", "one")].calls == {"one.c:same"}


def test_an_alias_leads_to_its_function(tmp_path):
    source = """
    int plain(int x) { return x; }
    int other(int x) __attribute__((alias("plain")));
    int main(void) { return 0; }
    """

    found = snapshot(compiled(tmp_path / "new", source))

    assert found.aliases[Key("program", "", "plain")] == Key("program", "", "other")


def test_a_call_that_goes_to_another_clone_is_seen(tmp_path):
    source = """
    volatile int sink;
    static int work(int x, int mode) {
      for (int i = 0; i < x; i++) sink += mode == 1 ? i * 3 : i / 7;
      return x;
    }
    int one(int x) { return WORK(x, 1) + work(x + 1, 1); }
    int two(int x) { return work(x, 2) + work(x + 1, 2); }
    int main(int n, char **v) { return one(n) + two(n); }
    """
    flags = (
        "-O2",
        "-fno-inline",
        "-fno-partial-inlining",
        "-fipa-cp-clone",
        "--param=ipa-cp-eval-threshold=1",
    )
    old = snapshot(compiled(tmp_path / "old", source.replace("WORK(x, 1)", "work(x, 1)"), flags))
    new = snapshot(compiled(tmp_path / "new", source.replace("WORK(x, 1)", "work(x, 2)"), flags))

    assert "one" in changes(old, new).code


def test_data_of_a_library_belongs_to_the_program_that_reads_it(tmp_path):
    (tmp_path / "table.c").write_text("int table[] = {1, 2, 3};\n")
    (tmp_path / "main.c").write_text("extern int table[];\nint main(int n, char **v) { return table[n]; }\n")
    library = ["gcc", "-shared", "-fPIC", "-O2", "table.c", "-o", "libtable.so"]
    subprocess.run(library, cwd=tmp_path, check=True)
    subprocess.run(["gcc", "-O2", "main.c", "./libtable.so", "-o", "program"], cwd=tmp_path, check=True)

    found = snapshot(tmp_path, "program", "libtable.so")

    reached = set(function(found, "main").refers_to)
    reached |= {key for item in reached for key in found.objects[item].refers_to}
    assert Key("libtable.so", "", "table") in reached
    assert found.libraries["program"] == {"./libtable.so", "libc.so.6"}


def test_a_table_is_seen_behind_an_address_before_it(tmp_path):
    source = """
    double before[10] = {1}, weights[64] = {2, 3};
    __attribute__((noipa)) double sum(int n) {
      double t = 0; for (int i = 10; i < n; i++) t += weights[i - 10] * i; return t;
    }
    int main(int n, char **v) { before[n] = 3; return sum(n) + weights[n]; }
    """

    found = snapshot(compiled(tmp_path / "new", source))

    assert Key("program", "", "weights") in function(found, "sum").refers_to


def test_a_stripped_program_says_what_to_do(tmp_path):
    compiled(tmp_path / "new", PROGRAM, ("-O2", "-s"))

    assert read_snapshot(tmp_path / "new", ["program"]) == UnreadableOutput(
        "program",
        "'program' cannot be read: it has no symbols; build without `strip` and `-s`, or with `-g`.",
    )


def test_objects_archives_and_other_files_count_by_their_bytes(tmp_path):
    folder = compiled(tmp_path / "new", PROGRAM, ("-O2", "-c"), output="program.o")
    (folder / "data.txt").write_text("a few words\n")

    found = snapshot(folder, "program.o", "data.txt")

    assert found.files.keys() == {"program.o", "data.txt"}
    assert not found.functions


@pytest.mark.needs("objdump", "readelf")
def test_objdump_finds_the_same_functions_and_instructions(tmp_path):
    folder = compiled(tmp_path / "new", PROGRAM, ("-O2", "-fcf-protection=full"))
    symbols = subprocess.run(
        ["readelf", "-sW", "program"], cwd=folder, capture_output=True, text=True, check=True
    )
    spans = {
        fields[7]: (int(fields[1], 16), int(fields[1], 16) + int(fields[2]))
        for fields in map(str.split, symbols.stdout.splitlines())
        if len(fields) == 8 and fields[3] == "FUNC" and fields[6] != "UND" and fields[2] != "0"
    }
    text = subprocess.run(
        ["objdump", "-d", "program"], cwd=folder, capture_output=True, text=True, check=True
    )
    addresses = [int(at, 16) for at in re.findall(r"^ +([0-9a-f]+):\t[^\t\n]+\t", text.stdout, re.MULTILINE)]
    theirs = {name: sum(start <= at < end for at in addresses) for name, (start, end) in spans.items()}

    found = snapshot(folder)

    ours = {key.name: each.length for key, each in found.functions.items()}
    assert len(theirs) > 15
    assert {name: ours[name] for name in theirs} == theirs


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """A folder with two small files that are whole."""
    folder = tmp_path_factory.mktemp("programs")
    compiled(folder / "False", PROGRAM, ("-O2", "-no-pie", "-fno-pie"))
    compiled(folder / "True", PROGRAM, ("-O2",))
    return folder


places = st.integers(0, 1 << 20)


@given(
    which=st.booleans(),
    flips=st.lists(st.tuples(places, st.integers(0, 7)), max_size=30),
    patches=st.lists(st.tuples(places, st.sampled_from((0, 1, 1 << 40, (1 << 64) - 1))), max_size=4),
    cut=st.none() | places,
)
@settings(deadline=None, max_examples=150)
def test_a_damaged_program_is_read_or_refused(programs, which, flips, patches, cut):
    content = bytearray((programs / str(which) / "program").read_bytes())
    headers = int.from_bytes(content[40:48], "little")
    for place, bit in flips:
        content[place % len(content)] ^= 1 << bit
    for place, number in patches:
        at = headers + place % (len(content) - headers - 8)
        content[at : at + 8] = number.to_bytes(8, "little")
    if cut is not None:
        del content[cut % len(content) :]
    (programs / "damaged").write_bytes(content)

    assert isinstance(read_snapshot(programs, ["damaged"]), Snapshot | UnreadableOutput)
