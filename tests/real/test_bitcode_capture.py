"""Bitcode is taken from a program's own build, whatever that looks like, and only of what is new."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from sonde.core.events import BuildBegan, BuildEnded, Event
from sonde.core.points import Point
from sonde.core.results import Failed
from sonde.effects.bitcode.values import Bitcode
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.local import LocalExecutor
from sonde.workflows.bitcode import bitcodes_of
from sonde.workflows.project_tools import ProjectTools, open_tools
from sonde.workflows.projects import open_project
from sonde.workflows.prune import prune
from tests.real.repositories import RepositoryMaker, git
from tests.real.subjects import write_project

pytestmark = pytest.mark.needs("git", "bwrap", "cc", "c++", "make", "clang-19")

PROJECT = """\
repository = "subject"
branch = "main"

[build]
command = "{command}"
outputs = [{outputs}]

[benchmarks.work]
command = "{{build}}/prog"
metric = "cpu"
"""

MAKEFILE = """\
prog: main.o first.o second.o table.o fast.o libwork.a
\tcc -s -o $@ main.o first.o second.o table.o fast.o -L. -lwork
libwork.a: work.o unused.o
\tar rc $@ $^
first.o second.o: twice.c
\t$(CC) -O2 -flto -DNAME=$(basename $@) -c twice.c -o $@
%.c: %.list generator
\t./generator < $< > $@
generator: generator.c
\tgcc generator.c -o $@
"""

FILES = {
    "Makefile": MAKEFILE,
    "main.c": '#include "inc/work.h"\nint first(void), second(void), fast(void);\nextern int table[];\n'
    "int main(void) { return work(table[0]) + first() + second() + fast(); }\n",
    "inc/work.h": "int work(int);\n",
    "work.c": '#include "inc/work.h"\nint work(int n) { return n - 1; }\n',
    "unused.c": "int unused(void) { return 3; }\n",
    "twice.c": "int NAME(void) { return 0; }\n",
    "table.list": "1\n",
    "generator.c": "#include <stdio.h>\n"
    'int main(void) { int n; scanf("%d", &n); printf("int table[] = {%d};\\n", n); return 0; }\n',
    "fast.S": ".globl fast\nfast: xor %eax, %eax\nret\n.section .note.GNU-stack\n",
}


class Noted:
    def __init__(self) -> None:
        self.events: list[Event] = []

    def notice(self, event: Event) -> None:
        self.events.append(event)

    def count(self, kind: type[Event]) -> int:
        return sum(isinstance(event, kind) for event in self.events)


@pytest.fixture
def noted() -> Noted:
    return Noted()


def write(
    folder: Path, *revisions: Mapping[str, str | None], command: str = "make prog", outputs: str = "'prog'"
) -> None:
    maker = RepositoryMaker()
    for files in revisions:
        maker.revision(files)
    maker.make(folder / "subject")
    write_project(folder, PROJECT.format(command=command, outputs=outputs))


@contextmanager
def opened(
    folder: Path, noted: Noted, is_sandboxed: bool = True
) -> Iterator[tuple[ProjectTools, LocalExecutor]]:
    project = open_project(folder)
    with (
        open_tools(project, project.history(""), ["work"], is_sandboxed) as tools,
        tools.executor(noted) as executor,
    ):
        yield tools, executor


def blueprints(tools: ProjectTools) -> list[Blueprint]:
    default = tools.project.file.space.default
    drafts = [tools.drafter.draft(Point(one.id, default, "work")) for one in tools.history]
    return [draft for draft in drafts if isinstance(draft, Blueprint)]


def taken(
    folder: Path, noted: Noted, is_sandboxed: bool = True, number: int = -1, compile_commands: str = ""
) -> Bitcode | Failed:
    with opened(folder, noted, is_sandboxed) as (tools, executor):
        ((_, bitcode),) = bitcodes_of(tools, executor, [blueprints(tools)[number]], compile_commands)
        return bitcode


def sources(bitcode: Bitcode | Failed, output: str = "prog") -> list[str]:
    assert isinstance(bitcode, Bitcode), bitcode
    return sorted(unit.source for unit in bitcode.outputs[output])


WHOLE = ["main.c", "table.c", "twice.c", "twice.c", "work.c"]


@pytest.mark.parametrize("is_sandboxed", [True, False])
def test_a_program_has_the_units_that_it_was_linked_from(tmp_path, noted, is_sandboxed):
    write(tmp_path, FILES, command="make prog", outputs="'prog', 'libwork.a', 'table.list'")

    found = taken(tmp_path, noted, is_sandboxed)

    assert sources(found) == WHOLE
    assert sources(found, "libwork.a") == ["unused.c", "work.c"]
    assert isinstance(found, Bitcode)
    assert sorted(found.outputs) == ["libwork.a", "prog"]
    assert [(each.source, each.is_broken) for each in found.skipped] == [("fast.S", False)]
    assert len({unit.digest for unit in found.outputs["prog"]}) == len(WHOLE)
    assert all(unit.path.read_bytes().startswith(b"BC\xc0\xde") for unit in found.units)
    assert (noted.count(BuildBegan), noted.count(BuildEnded)) == (1, 1)


def test_what_a_proposed_revision_compiles_is_for_its_own_builds_only(tmp_path, noted):
    write(tmp_path, FILES, {**FILES, "work.c": "int work(int n) { return n - 2; }\n"})
    git(tmp_path / "subject", "branch", "proposed", "main")
    git(tmp_path / "subject", "update-ref", "refs/heads/main", "main~1")
    base = bitcode_at(tmp_path, noted, "main")

    proposed = bitcode_at(tmp_path, noted, "proposed")
    git(tmp_path / "subject", "update-ref", "refs/heads/main", "proposed")
    merged = bitcode_at(tmp_path, noted, "main")

    assert len(proposed & base) == len(WHOLE) - 1
    assert len(merged & base) == len(WHOLE) - 1
    assert merged - base != proposed - base
    assert bitcode_at(tmp_path, noted, "proposed") == merged


def bitcode_at(folder: Path, noted: Noted, branch: str) -> set[str]:
    """The digests of the units at the end of a branch."""
    project = open_project(folder)
    history = project.history(branch)
    with (
        open_tools(project, history, ["work"], True) as tools,
        tools.executor(noted) as executor,
    ):
        ((_, bitcode),) = bitcodes_of(tools, executor, blueprints(tools)[-1:])
    assert isinstance(bitcode, Bitcode), bitcode
    return {unit.digest for unit in bitcode.outputs["prog"]}


def test_it_does_not_matter_where_the_work_tree_lay(tmp_path, noted):
    absolute = {**FILES, "Makefile": MAKEFILE.replace("-c twice.c", "-I$(CURDIR) -c $(CURDIR)/twice.c")}
    for name in ("first", "second"):
        write(tmp_path / name, absolute)

    first, second = (taken(tmp_path / name, noted, name == "first") for name in ("first", "second"))

    assert isinstance(first, Bitcode)
    assert isinstance(second, Bitcode)
    assert sources(first) == WHOLE
    assert [unit.digest for unit in first.units] == [unit.digest for unit in second.units]
    for one, other in zip(first.units, second.units, strict=True):
        content = other.path.read_bytes()
        assert one.path.read_bytes() == content
        assert b"/sonde/build" in content
        assert str(tmp_path).encode() not in content


def test_the_next_revision_compiles_only_what_changed(tmp_path, noted):
    write(
        tmp_path,
        FILES,
        {"work.c": '#include "inc/work.h"\nint work(int n) { return n - 2; }\n'},
        {"inc/work.h": "int work(int); /* a comment */\n", "unused.c": "int unused(void) { return 4; }\n"},
    )

    with opened(tmp_path, noted) as (tools, executor):
        several = [found for _, found in bitcodes_of(tools, executor, blueprints(tools))]
        again = [found for _, found in bitcodes_of(tools, executor, blueprints(tools))]

    first, second, third = ({unit.digest: unit.source for unit in each.units} for each in several)  # type: ignore[union-attr]
    assert [source for digest, source in second.items() if digest not in first] == ["work.c"]
    assert third == second
    assert again == several
    assert noted.count(BuildBegan) == 3
    assert len(list((tmp_path / ".sonde" / "bitcode" / "units").glob("*/*.bc"))) == len(WHOLE) + 1
    assert not list((tmp_path / ".sonde" / "bitcode").glob("new-*"))


@pytest.mark.parametrize("compiler", ["cc", "gcc", "clang-19"])
def test_several_files_compiled_and_linked_at_once_are_units(tmp_path, noted, compiler):
    files = {"a.c": "int b(void);\nint main(void) { return b(); }\n", "b.c": "int b(void) { return 0; }\n"}
    write(tmp_path, files, command=f"{compiler} -O2 -Werror a.c b.c -o prog")

    assert sources(taken(tmp_path, noted)) == ["a.c", "b.c"]


def test_paths_that_compilers_shorten_are_understood(tmp_path, noted):
    files = {
        "src/a.c": "int b(void);\nint main(void) { return b(); }\n",
        "src/b.c": "int b(void) { return 0; }\n",
    }
    write(tmp_path, files, command="gcc -ffile-prefix-map=$PWD=/x $PWD/src/a.c $PWD/src/b.c -o prog")

    assert sources(taken(tmp_path, noted)) == ["src/a.c", "src/b.c"]


def test_cplusplus_is_compiled_as_such_even_if_the_name_says_c(tmp_path, noted):
    body = "std::vector<int> v(3); try { return v.at(1); } catch (...) { return 1; }"
    text = f"#include <vector>\nint main() {{ {body} }}\n"
    write(
        tmp_path, {"a.c": text, "b.cc": "namespace b { int c; }\n"}, command="c++ -std=c++17 a.c b.cc -o prog"
    )

    assert sources(taken(tmp_path, noted)) == ["a.c", "b.cc"]


def test_words_in_files_and_flags_that_only_gcc_knows_do_no_harm(tmp_path, noted):
    files = {
        "a.c": "#ifndef X\n#error no X\n#endif\nmain(n) { return late(n) * 0; }\nlate(n) {return n;}\n",
        "words": '-DX="a b" -maccumulate-outgoing-args -ftree-vectorize -fwhole-program -w',
    }
    write(tmp_path, files, command="gcc -std=gnu89 @words -fno-whole-program a.c -o prog")

    found = taken(tmp_path, noted)

    assert sources(found) == ["a.c"]
    assert isinstance(found, Bitcode)
    assert found.skipped == ()


NESTED = "int outer(int n) {\n  int inner(int m) { return n + m; }\n  return inner(1);\n}\n"


def test_a_file_that_refuses_to_be_compiled_without_optimisation_is_read(tmp_path, noted):
    files = {
        "a.c": "#ifndef __OPTIMIZE__\n#error needs -O\n#endif\nint late(int n) { return n; }\n",
        "main.c": "int late(int n);\nint main(int n) { return late(n) * 0; }\n",
    }
    write(tmp_path, files, command="cc -O2 a.c main.c -o prog")

    found = taken(tmp_path, noted)

    assert sources(found) == ["a.c", "main.c"]
    assert isinstance(found, Bitcode)
    assert found.skipped == ()


def test_a_file_that_clang_does_not_take_is_named_with_its_first_error(tmp_path, noted):
    files = {"main.c": "int outer(int);\nint main(void) { return outer(-1); }\n", "nested.c": NESTED}
    write(tmp_path, files, command="gcc main.c nested.c -o prog")

    found = taken(tmp_path, noted)

    assert sources(found) == ["main.c"]
    assert isinstance(found, Bitcode)
    (broken,) = found.skipped
    assert (broken.source, broken.is_broken) == ("nested.c", True)
    assert "nested.c:2:20: error: function definition is not allowed here" in broken.reason


def test_a_program_of_which_clang_takes_nothing_is_a_failure(tmp_path, noted):
    write(
        tmp_path,
        {"nested.c": NESTED + "int main(void) { return outer(-1); }\n"},
        command="gcc nested.c -o prog",
    )

    found = taken(tmp_path, noted)

    assert isinstance(found, Failed)
    assert found.reason.startswith("clang compiles none of its 1 files. nested.c: clang cannot compile it")


def test_a_build_that_fails_says_why(tmp_path, noted):
    write(tmp_path, {"a.c": "int main(void) { return nothing; }\n"}, command="cc a.c -o prog")

    found = taken(tmp_path, noted)

    assert isinstance(found, Failed)
    assert found.reason == "The build ended with exit code 1."
    assert "nothing" in found.output


ABSOLUTE = "int helped(void);\nint main(void) { return helped(); }\n"
LISTING = """\
set -e
/usr/bin/cc -DHELPED=0 -c src/help.c -o help.o
/usr/bin/cc main.c help.o -o prog
cat > compile_commands.json <<END
[{"directory": "$PWD", "file": "main.c", "command": "/usr/bin/cc -c main.c"},
 {"directory": "$PWD/src", "file": "$PWD/src/help.c",
  "arguments": ["cc", "-DHELPED=0", "-c", "$PWD/src/help.c"]}]
END
"""


@pytest.mark.parametrize("is_sandboxed", [True, False])
def test_a_compiler_that_cannot_be_watched_needs_a_list_of_units(tmp_path, noted, is_sandboxed):
    files = {"main.c": ABSOLUTE, "src/help.c": "int helped(void) { return HELPED; }\n", "build.sh": LISTING}
    write(tmp_path / "listed", files, command="sh build.sh")
    write(
        tmp_path / "not", {**files, "build.sh": LISTING + "rm compile_commands.json"}, command="sh build.sh"
    )

    found, failed = (taken(tmp_path / name, noted, is_sandboxed) for name in ("listed", "not"))

    assert sources(found, "compile_commands.json") == ["main.c", "src/help.c"]
    assert isinstance(failed, Failed)
    assert "Does the build call `cc`" in failed.reason


def test_a_list_of_units_can_be_named(tmp_path, noted):
    write(
        tmp_path,
        {"main.c": "int main(void) { return 0; }\n", "more.c": "int x;\n"},
        command="cc main.c -o prog",
    )
    elsewhere = tmp_path / "list.json"
    elsewhere.write_text(
        '[{"directory": "/home/ada/x", "file": "main.c", "command": "cc -c main.c"},'
        ' {"directory": "/home/ada/x", "file": "more.c", "command": "cc -c more.c"}]'
    )

    found = taken(tmp_path, noted, compile_commands=str(elsewhere))
    missing = taken(tmp_path, noted, compile_commands="absent.json")

    assert sources(found, "list.json") == ["main.c", "more.c"]
    assert isinstance(missing, Failed)
    assert "absent.json cannot be read" in missing.reason


def test_what_is_pruned_is_taken_again(tmp_path, noted):
    write(tmp_path, FILES)
    first = taken(tmp_path, noted)

    pruned = prune(open_project(tmp_path), "0")

    assert pruned.kept_bytes == 0
    assert pruned.freed_bytes > 1000
    assert taken(tmp_path, noted) == first
    assert noted.count(BuildBegan) == 2


def test_what_runs_in_several_threads_by_pragmas_is_compiled_as_it_stands(tmp_path, noted):
    text = """
    #include <omp.h>
    #ifndef _OPENMP
    #error not for several threads
    #endif
    int main(void)
    {
        int sum = 0;
        #pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < 10; i++)
            sum += i - i + omp_in_parallel() * 0;
        return sum;
    }
    """
    write(tmp_path, {"a.c": text}, command="gcc -fopenmp a.c -o prog")

    found = taken(tmp_path, noted)

    assert sources(found) == ["a.c"]
    assert isinstance(found, Bitcode)
    assert b"__kmpc_fork_call" not in found.units[0].path.read_bytes()
