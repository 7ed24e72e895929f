"""Programs that are compiled for real: what a change of their source changes in a snapshot."""

import pytest

from sonde.core.evidence import Key
from tests.effects.binaries.compiling import PROGRAM, changes, compare, compiled, edited, function, snapshot

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
# In a static program: a number that looks like an address, and the place of a variable that is not there.
OF_THE_C_LIBRARY = {"get_common_cache_info.constprop", "_nl_locale_subfreeres"}
A_SHIFT = ("/* declarations */", "/* one */\n\n\n/* two */\n")
AN_ADDITION = (
    "/* declarations */",
    'static const char *more[] = {"an unrelated text", "and one more"};\nstatic int unrelated_counter = 3;\n'
    "static const double unrelated[] = {0.3, 4.5, 1e9};\n"
    "APART double unrelated_function(int i) { puts(more[i & 1]); unrelated_counter++; "
    "return unrelated[i % 3] * 7.75; }\n",
)
A_REORDERING = (
    (
        "APART int twice(int x) { sink = x; return 2 * x; }\nAPART int thrice(int x) { sink = x + 1; return 3 * x; }\n",
        "",
    ),
    (
        "APART int square(int i)",
        "APART int thrice(int x) { sink = x + 1; return 3 * x; }\n"
        "APART int twice(int x) { sink = x; return 2 * x; }\nAPART int square(int i)",
    ),
)


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


@pytest.fixture(scope="module", params=KINDS, ids=lambda kind: kind.replace(" ", "-"))
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
    found = changes(original, snapshot(compiled(tmp_path / "new", edited(PROGRAM, AN_ADDITION), flags)))

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
    assert (found.texts, found.objects) == (texts, objects)
    assert not (found.came | found.went)
