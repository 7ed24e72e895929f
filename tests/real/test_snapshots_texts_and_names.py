"""Programs with things that look alike: what tells them apart, and what of a text belongs to it."""

import subprocess
from pathlib import Path

import pytest

from sonde.core.evidence import Key, Snapshot
from tests.effects.snapshots.compiling import Changes, changes, snapshot

pytestmark = pytest.mark.needs("gcc")

HEAD = """
#include <stdio.h>
#include <uchar.h>
#include <wchar.h>
#define APART __attribute__((noipa))
static volatile unsigned sink;
"""


def built(folder: Path, files: dict[str, str], flags: str = "-O2", order: tuple[str, ...] = ()) -> Snapshot:
    """Compile sources into one program; `order` is that of linking."""
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(HEAD + text)
    words = ["gcc", "-w", *flags.split(), *(order or files), "-o", "program"]
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    return snapshot(folder)


def compared(folder: Path, old: dict[str, str], new: dict[str, str], flags: str = "-O2") -> Changes:
    return changes(built(folder / "old", old, flags), built(folder / "new", new, flags))


def one_of_two(first: str, second: str) -> dict[str, str]:
    """Two functions of one name in two files of one name, each with its own operand."""
    same = """
        void x(void), y(void);
        static APART void get(void) {{ {body} }}
        void use_{name}(void) {{ get(); }}"""
    return {
        "main.c": """
            APART void x(void) { sink = 1; }
            APART void y(void) { sink = 2; }
            void use_a(void); void use_b(void);
            int main(int n, char **v) { if (n > 5) use_b(); else use_a(); }""",
        "a/same.c": same.format(body=first, name="a"),
        "b/same.c": same.format(body=second, name="b"),
    }


@pytest.mark.parametrize("operands", [("x(); x();", "y(); y();"), ('puts("1");', 'puts("2");')])
def test_two_of_one_name_do_not_swap_unnoticed(tmp_path, operands):
    first, second = operands

    found = compared(tmp_path, one_of_two(first, second), one_of_two(second, first))

    assert "get" in found.code | found.texts


def test_statics_of_functions_do_not_swap_unnoticed(tmp_path):
    source = """
        static unsigned one = 10, two = 5000;
        APART unsigned f(void) {{ static unsigned *volatile at = &{}; return *at; }}
        APART unsigned g(void) {{ static unsigned *volatile at = &{}; return *at; }}
        int main(int n, char **v) {{ return n > 5 ? g() : f(); }}"""

    found = compared(
        tmp_path, {"main.c": source.format("one", "two")}, {"main.c": source.format("two", "one")}
    )

    assert found.objects == {"at"}


@pytest.mark.parametrize("variable", ["static int own[2] = {{0, {}}};", "int own_{}[2];"])
def test_the_order_of_equal_initialisers_counts(tmp_path, variable):
    def module(number: int) -> str:
        declared = variable.format(number)
        name = "own" if "static" in variable else f"own_{number}"
        init = f"static __attribute__((constructor)) void init(void) {{ add({name}); }}"
        return f"void add(int *); {declared} {init}"

    files = {
        "main.c": "static int *last; void add(int *at) { last = at; } int main() { return last[1]; }",
        "a/same.c": module(1),
        "b/same.c": module(2),
    }

    found = changes(
        built(tmp_path / "old", files),
        built(tmp_path / "new", files, order=("main.c", "b/same.c", "a/same.c")),
    )

    assert found.code | found.startup


BASE = """
static unsigned state = 4, empty;
static APART unsigned f(unsigned x) {
  static unsigned once;
  static unsigned more = 3;
  return state += x + once++ + more++ + empty++;
}
int main(int n, char **v) { return f(n); }"""


@pytest.mark.parametrize("flags", ["-O2", "-O0"])
def test_a_second_one_of_the_same_name_changes_nothing(tmp_path, flags):
    second = """
        static unsigned state = 9, empty;
        static APART unsigned f(unsigned x) { return x * state++ + empty++; }
        unsigned added(unsigned x) { return f(x); }"""
    third = "unsigned third(void) { static unsigned once; static unsigned more = 7; return once++ + more++; }"

    found = compared(tmp_path, {"main.c": BASE}, {"main.c": BASE + third, "other.c": second}, flags)

    assert not found.code | found.texts | found.objects | found.went


def test_locals_are_known_by_their_source_and_statics_of_functions_by_their_function(tmp_path):
    found = built(tmp_path, {"main.c": BASE})

    assert Key("program", "main.c", "f") in found.functions
    assert Key("program", "", "main") in found.functions
    assert {Key("program", "main.c", "state"), Key("program", "main.c:f", "once")} <= found.objects.keys()


LISTS = {
    "a list": (r'"10\0" "20\0" "{}\0"', r'"10\0" "20\0" "{}\0" + 3', "char"),
    "a list, referred to twice": (
        r'"10\0" "20\0" "30\0" "{}\0"',
        r'"10\0" "20\0" "30\0" "{0}\0" + 3); take("10\0" "20\0" "30\0" "{0}\0" + 6',
        "char",
    ),
    "wide characters": ('L"x{}"', 'L"{}"', "wchar_t"),
    "a wide character": ('L"x{:.1}"', 'L"{:.1}"', "wchar_t"),
    "characters of 16 bits": ('u"x{}"', 'u"{}"', "char16_t"),
    "a shared tail behind no text": (r'"\xe9{}"', '"{}"', "char"),
}


@pytest.mark.parametrize("flags", ["-O2", "-O0"])
@pytest.mark.parametrize("kind", LISTS)
def test_a_text_goes_on_where_others_refer_into_it(tmp_path, kind, flags):
    whole, part, character = LISTS[kind]

    def source(word: str) -> dict[str, str]:
        text = f"""
            APART void take(const void *at) {{ sink = *(volatile {character} *)at; }}
            void unreached(void) {{ take({part.format(word)}); }}
            int main(void) {{ take({whole.format(word)}); }}"""
        return {"main.c": text}

    found = compared(tmp_path, source("30"), source("99"), flags)

    assert "main" in found.texts | found.code


@pytest.mark.parametrize("flags", ["-O2 -Wl,-x", "-O2 -no-pie -fno-pie -Wl,-x", "-O2"])
def test_constants_without_names_are_followed_to_the_end(tmp_path, flags):
    source = """
        static const unsigned leaf[3] = {{{}, 1, 2}};
        static const unsigned *low[2] = {{leaf, leaf + 1}};
        static const unsigned **const middle[2] = {{low, low}};
        static const unsigned **const *high[2] = {{middle, middle}};
        const unsigned **const **top[2] = {{high, high}};
        int main(int n, char **v) {{ return ****top[n - 1]; }}"""

    found = compared(tmp_path, {"main.c": source.format(10)}, {"main.c": source.format(5000)}, flags)

    assert found.objects & {"top", "leaf"} or "main" in found.code


def test_padding_behind_a_function_without_a_size_does_not_count(tmp_path):
    assembly = '__asm__(".text\\n.globl bare\\nbare: mov $1, %eax\\n ret\\n .p2align 2\\n"); int bare(void);'
    main = 'int main(void) {{ return bare(); }} __asm__(".text\\n.p2align {}\\n");'
    more = "APART int more(void) { return 3; }"

    found = compared(
        tmp_path, {"main.c": assembly + main.format(1) + more}, {"main.c": assembly + main.format(5) + more}
    )

    assert not found.code


@pytest.mark.parametrize(
    "addition",
    ['void added(void) { puts("something else"); }', "const int zzz = 1; const long more[9] = {1};"],
)
def test_strings_of_one_character_are_no_wide_text(tmp_path, addition):
    source = """
        {}
        static const char *const names[] = {{"a", "b"}};
        int main(int n, char **v) {{ puts(names[n]); }}"""

    found = compared(tmp_path, {"main.c": source.format("")}, {"main.c": source.format(addition)})

    assert not found.code | found.texts | found.objects
