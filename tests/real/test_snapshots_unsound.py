"""What a function may notice although it is neither in its code nor in a data object that it names."""

import subprocess

import pytest

from sonde.core.evidence import Key, Snapshot
from tests.effects.snapshots.compiling import changes, compare, compiled, function, snapshot

pytestmark = pytest.mark.needs("gcc")

AT_A_FIXED_ADDRESS = ("-O2", "-no-pie", "-fno-pie")
IN_CODE = r"""
unsigned pick(unsigned long);
__asm__(".text\n.globl pick\n.type pick, @function\npick:\n %s\n ret\n.size pick, . - pick\n"
        ".balign 16\n%s: .long 1, NUMBER, 3, 4\n");
volatile unsigned sink;
int main(int count, char **words) { sink = pick(count); }
"""
TAKEN = "lea %s(%%rip), %%rax\n mov (%%rax, %%rdi, 4), %%eax"
READ = "mov %s+4(%%rip), %%eax"
OF_A_LIBRARY = r"""
unsigned one(void) { return 10; }
unsigned two(void) { return 5000; }
__asm__(".symver one, get@FIRST\n.symver two, get@SECOND");
"""
MAP = "V1 { global: get; one; two; }; V2 { global: get; } V1;\n"
GOING_THROUGH = r"""
%s
extern char __data_start, _end;
volatile unsigned sink;
int main(void) { for (volatile char *at = &__data_start; at < &_end; at++) sink += *at; }
"""
FAR = r"""
static const unsigned before[3000] = {1, 2, 3};
static const unsigned days[200] = {[5] = NUMBER, [9] = 4};
%s
unsigned other(unsigned i) { return before[i]; }
volatile unsigned sink;
int main(int count, char **words) { sink = get(count + 1904, count + 1909); }
"""
ONE = "__attribute__((noipa)) unsigned get(long year, long last) { return days[year - 1900]; }"
MANY = """
__attribute__((noipa)) unsigned get(long year, long last) {
  unsigned sum = 0;
  for (; year < last; year++) sum += days[year - 1900];
  return sum;
}
"""


def all_that_it_refers_to(snapshot: Snapshot, name: str) -> set[str]:
    """The names of all objects that a function refers to, also through others."""
    found: set[Key] = set()
    more = set(function(snapshot, name).refers_to)
    while more:
        found |= more
        more = {other for key in more for other in snapshot.objects[key].refers_to} - found
    return {key.name for key in found}


@pytest.mark.parametrize("label", ["TABLE", ".LTABLE"])
@pytest.mark.parametrize("how", [TAKEN, READ], ids=["taken", "read"])
def test_a_table_between_functions_belongs_to_what_reads_it(tmp_path, how, label):
    source = IN_CODE % ((how % label).replace("\n", r"\n"), label)

    found = compare(tmp_path, source.replace("NUMBER", "10"), source.replace("NUMBER", "5000"))

    assert "pick" in found.code
    assert "main" not in found.code


def test_an_array_in_a_code_section_belongs_to_what_reads_it(tmp_path):
    source = r"""
        __attribute__((section(".text.numbers,\"ax\",@progbits#"))) static const unsigned numbers[4] = {%s};
        __attribute__((noipa)) unsigned get(int i) { return numbers[i]; }
        int main(int count, char **words) { return get(count); }
    """

    found = compare(tmp_path, source % 10, source % 5000)

    assert "get" in found.code
    assert "main" not in found.code


def test_a_pointer_to_a_function_is_not_its_code(tmp_path):
    source = """
        __attribute__((noipa)) int each(int x) { return x * %s; }
        __attribute__((noipa)) int call(int (*it)(int), int x) { return it(x) + 1; }
        int main(int count, char **words) { return call(each, count); }
    """

    assert compare(tmp_path, source % 3, source % 7).code == {"each"}


@pytest.mark.parametrize("what", ["-e", "-init", "-fini"])
def test_where_a_process_begins_and_ends_is_how_it_starts_up(tmp_path, what):
    source = """
        void _exit(int);
        void one(void) { _exit(1); }
        void two(void) { _exit(2); }
        int main(void) { return 0; }
    """
    found = [
        snapshot(compiled(tmp_path / name, source, ("-O2", f"-Wl,{what},{name}"))) for name in ("one", "two")
    ]

    assert changes(*found).startup == {"program"}


def test_the_version_of_a_symbol_tells_which_function_is_called(tmp_path):
    def built(name: str, library: str) -> Snapshot:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "versions").write_text(MAP)
        (folder / "library.c").write_text(library)
        (folder / "main.c").write_text("unsigned get(void); int main(void) { return get(); }")
        options = ["-shared", "-fPIC", "-Wl,--version-script=versions", "-Wl,-soname,libx.so"]
        subprocess.run(["gcc", *options, "library.c", "-o", "libx.so"], cwd=folder, check=True)
        subprocess.run(["gcc", "main.c", "-o", "program", "-L.", "-lx"], cwd=folder, check=True)
        return snapshot(folder, "program", "libx.so")

    old = OF_A_LIBRARY.replace("@FIRST", "@@V1").replace("@SECOND", "@V2")
    new = OF_A_LIBRARY.replace("@FIRST", "@V1").replace("@SECOND", "@@V2")
    found = changes(built("old", old), built("new", new))

    assert "main" in found.code
    assert found.startup == {"libx.so"}


@pytest.mark.parametrize("flags", [("-O2",), AT_A_FIXED_ADDRESS], ids=["moved", "fixed"])
def test_code_that_goes_through_all_data_refers_to_data_that_nobody_names(tmp_path, flags):
    more = "static char big[40000]; char *get(void) { return big; }"

    found = compare(tmp_path, GOING_THROUGH % "", GOING_THROUGH % more, flags)

    assert found.code == {"main"}


@pytest.mark.parametrize("get", [ONE, MANY], ids=["once", "in a loop"])
def test_an_index_that_is_folded_into_an_address_may_lead_far(tmp_path, get):
    source = (FAR % get).replace("NUMBER", "10")

    found = snapshot(compiled(tmp_path / "program", source, AT_A_FIXED_ADDRESS))

    assert "days" in all_that_it_refers_to(found, "get")


def test_an_address_outside_of_all_sections_may_lead_into_one(tmp_path):
    source = (FAR % ONE).replace("NUMBER", "10").replace("before[3000] = {1, 2, 3}", "before[1] = {0}")

    found = snapshot(compiled(tmp_path / "program", source, AT_A_FIXED_ADDRESS))

    assert "days" in all_that_it_refers_to(found, "get")


def test_an_address_that_the_loader_writes_into_code_is_a_reference(tmp_path):
    source = r"""
        unsigned one = 10, two = 20;
        unsigned pick(void);
        __asm__(".text\n.globl pick\n.type pick, @function\npick:\n movabs $%s, %%rax\n mov (%%rax), %%eax\n"
                " ret\n.size pick, . - pick\n");
        int main(void) { return pick(); }
    """
    flags = ("-O2", "-Wl,-z,notext")
    old, new = (
        snapshot(compiled(tmp_path / name, source.replace("%s", name).replace("%%", "%"), flags))
        for name in ("one", "two")
    )

    assert "one" in all_that_it_refers_to(old, "pick")
    assert changes(old, new).code == {"pick"}
