"""Programs in C that are made up, where real ones cannot be had: as large as bzip2, sort, grep and git.

Structures on the heap, tables of functions, callbacks and options; one constant changes.
"""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

FLAGS = ("-g", "-O0", "-Xclang", "-disable-O0-optnone", "-fno-discard-value-names", "-emit-llvm", "-w", "-c")


def make_program(folder: Path, files: int, functions: int) -> None:
    """Sources, and the bitcode of the old and the new program; all but one file are the same."""
    for side in ("old", "new"):
        (folder / side).mkdir(parents=True)
    (folder / "hot").write_text("work_0_0\n")
    (folder / "options").write_text("-a option_0\n-b option_1\n")
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
