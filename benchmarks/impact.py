"""From stored bitcode to the answer of `sonde impact`.

Reading the bitcode of the old and the new program, and the whole answer: seconds of CPU, with those of the
processes that it starts. The programs are made up: C with structures on the heap, tables of functions,
callbacks and options, as large as bzip2, as grep and as git (about 300,000 lines), of which one constant
changes. As in the command, the garbage collector rests meanwhile. The rows of memory are the most that the
process needs. Real programs are timed as well if SONDE_IMPACT_PROGRAMS names a folder: in it,
`NAME/old/*.bc`, `NAME/new/*.bc`, and `NAME/hot` with the names of hot functions. The peer is SVF's
inclusion-based pointer analysis alone, through pysvf, on the linked program; its wheels need a newer glibc
than Debian 12 has, and there it counts as not installed.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.frame import Row
from benchmarks.peers import is_installed, seconds_of_peer

ROUNDS = 3
FLAGS = ("-g", "-O0", "-Xclang", "-disable-O0-optnone", "-fno-discard-value-names", "-emit-llvm", "-w", "-c")
# What is as large as it, files, functions of each, seconds at most.
SIZES = (("bzip2", 8, 40, 1.0), ("grep", 12, 40, 5.0))
HUGE = ("git", 300, 50, 90.0)
HUGE_MB = 4096

_OURS = """
import resource, sys, time
from pathlib import Path
from sonde.effects.bitcode.reading import read_units
from sonde.effects.collecting import without_collecting
from sonde.methods.impact.answer import Question, answer
from sonde.methods.impact.hot import Hotness
from sonde.methods.impact.option_variables import OptionInCode
folder = Path(sys.argv[1])
hot = tuple(map(Hotness, (folder / "hot").read_text().split()))
named = folder / "options"
options = tuple(OptionInCode(name, (name,)) for name in named.read_text().split()) if named.exists() else ()
begin = time.process_time()
old, new = (tuple(read_units(sorted((folder / side).glob("*.bc")), None)) for side in ("old", "new"))
with without_collecting():
    found = answer(Question(old, new, hot, options), time.perf_counter)
children = resource.getrusage(resource.RUSAGE_CHILDREN)
seconds = time.process_time() - begin + children.ru_utime + children.ru_stime
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(seconds, peak, found.analysis.instructions, found.is_relevant, found.analysis.points_to, sep="\\t")
"""
_SVF = """
import sys, time
import pysvf
begin = time.process_time()
pysvf.buildSVFModule([sys.argv[1]])
pag = pysvf.getPAG()
pysvf.AndersenWaveDiff(pag)
print(time.process_time() - begin)
"""


def rows() -> Iterable[Row]:
    """Seconds from bitcode to answer, beside SVF."""
    if shutil.which("clang-19") is None:
        return
    with TemporaryDirectory() as name:
        for size, files, functions, target in SIZES:
            folder = Path(name) / size
            make_program(folder, files, functions)
            yield from _timed(f"a program as large as {size}", folder, target, ROUNDS)
        for folder in _given():
            yield from _timed(folder.name, folder, None, ROUNDS)
        size, files, functions, target = HUGE
        folder = Path(name) / size
        make_program(folder, files, functions)
        yield from _timed(f"a program as large as {size}", folder, target, 1, HUGE_MB)


def _given() -> Iterator[Path]:
    """Real programs, by path."""
    where = os.environ.get("SONDE_IMPACT_PROGRAMS")
    if where:
        yield from sorted(each.parent for each in Path(where).glob("*/hot"))


def _timed(
    what: str, folder: Path, target: float | None, rounds: int, most_mb: float | None = None
) -> Iterator[Row]:
    told = [_run(folder) for _ in range(rounds)]
    _, _, instructions, is_relevant, points_to = told[0]
    assert is_relevant == "True"
    seconds = median(float(each[0]) for each in told)
    peer = _seconds_of_svf(folder) if is_installed("pysvf") else None
    text = f"{what}: {int(instructions):,} instructions of IR, {points_to}"
    yield Row(text, seconds, "s", target, "SVF, pointers alone", peer)
    yield Row(f"{what}: memory", max(float(each[1]) for each in told), "MB", most_mb)


def _run(folder: Path) -> list[str]:
    """In a process of its own, so that its memory is that of one answer."""
    words = [sys.executable, "-c", _OURS, str(folder)]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip().split("\t")


def _seconds_of_svf(folder: Path) -> float:
    linked = folder / "linked.bc"
    files = [str(each) for each in sorted((folder / "new").glob("*.bc"))]
    subprocess.run(["llvm-link-19", *files, "-o", str(linked)], check=True)
    return seconds_of_peer(_SVF, str(linked))


def make_program(folder: Path, files: int, functions: int) -> None:
    """Sources, and the bitcode of the old and the new program; all but one file are the same."""
    for side in ("old", "new"):
        (folder / side).mkdir(parents=True)
    (folder / "hot").write_text("work_0_0\n")
    (folder / "options").write_text("option_0\noption_1\noption_2\n")
    (folder / "common.h").write_text(_HEADER)
    for number in range(files):
        source = folder / f"part{number}.c"
        source.write_text(_part(number, files, functions))
        _compile(folder, source, folder / "old" / f"part{number}.bc")
        if number:
            (folder / "new" / f"part{number}.bc").hardlink_to(folder / "old" / f"part{number}.bc")
    first = folder / "part0.c"
    first.write_text(first.read_text().replace("long bound = 100;", "long bound = 300;"))
    _compile(folder, first, folder / "new" / "part0.bc")


def _compile(folder: Path, source: Path, made: Path) -> None:
    subprocess.run(["clang-19", *FLAGS, source.name, "-o", str(made)], cwd=folder, check=True)


def _part(number: int, files: int, functions: int) -> str:
    """A file; the first one has main and the options."""
    rng = random.Random(number)
    lines = ['#include "common.h"', ""]
    lines += [f"long work_{number}_{at}(struct item *item, long n);" for at in range(functions)]
    others = [(rng.randrange(files), rng.randrange(functions)) for _ in range(3 * functions)]
    lines += [f"long work_{file}_{at}(struct item *item, long n);" for file, at in sorted(set(others))]
    lines += [f"static int option_{number % 3}_seen;" if number else "int option_0, option_1, option_2;"]
    lines += [f"static const struct kind kinds_{number}[] = {{"]
    lines += [f'    {{"k{at}", work_{number}_{at}, {at * 7}}},' for at in range(0, functions, 8)]
    lines += ["};", f"static struct item *list_{number};", ""]
    for at in range(functions):
        lines += _function(number, at, functions, others, rng)
    lines += _MAIN.splitlines() if number == 0 else []
    return "\n".join(lines) + "\n"


def _function(
    number: int, at: int, functions: int, others: list[tuple[int, int]], rng: random.Random
) -> list[str]:
    """A loop, a list on the heap, a table of functions, and a call of another function further on."""
    file, other = others[at]
    call = f"work_{file}_{other}(item, n - 1)" if (file, other) > (number, at) else "n"
    kinds = (functions + 7) // 8
    return [
        f"long work_{number}_{at}(struct item *item, long n)",
        "{",
        "    long sum = 0;",
        "    for (long i = 0; i < n; ++i)",
        f"        sum += item->value * {rng.randrange(9)} + i;",
        f"    if (option_{rng.randrange(3)} && sum > {rng.randrange(99)})",
        f"        sum += kinds_{number}[n % {kinds}].weight;",
        "    struct item *fresh = make_item(sum);",
        f"    fresh->next = list_{number};",
        f"    list_{number} = fresh;",
        f"    sum += {call};",
        f"    if (n > {rng.randrange(50, 99)})",
        f"        sum += kinds_{number}[sum % {kinds}].act(fresh, n - 2);",
        "    return sum;",
        "}",
        "",
    ]


_HEADER = """#include <stdlib.h>
#include <string.h>

struct item {
    struct item *next;
    long value;
    char text[16];
};

struct kind {
    const char *name;
    long (*act)(struct item *item, long n);
    long weight;
};

extern int option_0, option_1, option_2;

static struct item *make_item(long value)
{
    struct item *item = calloc(1, sizeof *item);
    if (item == NULL)
        exit(1);
    item->value = value;
    return item;
}
"""
_MAIN = """
int main(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i) {
        if (strcmp(argv[i], "-a") == 0)
            option_0 = 1;
        else if (strcmp(argv[i], "-b") == 0)
            option_1 = 1;
        else
            option_2 = atoi(argv[i]);
    }
    long bound = 100;
    if (option_0)
        bound *= 2;
    return (int)(work_0_0(make_item(argc), bound) & 1);
}
"""
