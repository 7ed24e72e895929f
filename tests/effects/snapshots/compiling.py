"""Small programs that are compiled for a test, and what differs between two of them."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sonde.core.evidence import Function, Snapshot
from sonde.effects.snapshots.reading import UnreadableOutput, read_snapshot

PROGRAM = r"""
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define APART __attribute__((noipa))
struct pair { long left; const char *right; };

/* declarations */
static const int squares[] = {0, 1, 4, 9, 16, 25, 36, 49, 64, 81};
const char *const names[] = {"zero", "one", "two", "three"};
static struct pair pairs[] = {{1, "left"}, {2, "right"}};
static int counter = 7;
static int scratch[32];
__thread int of_thread = 5;
volatile int sink;
extern int twice(int x);
extern int thrice(int x);

APART int square(int i) { return squares[i % 10]; }
APART const char *name(int i) { return names[i & 3]; }
APART long pair(int i) { return pairs[i & 1].left + (long)strlen(pairs[i & 1].right); }
APART double scale(double x) { return x * 2.5 + 0.125; }
APART int count(void) { return ++counter; }
APART void scribble(int i) { scratch[i & 31] = i; sink = scratch[(i + 1) & 31]; }
APART void greet(int i) { printf("hello %d, %s\n", i, "world"); }
APART void lift(int i) { if (i > 100) { fprintf(stderr, "too much: %d\n", i); exit(2); } sink = i; }
APART int choose(int x) {
  switch (x) {
    case 0: return twice(x + 1);
    case 1: sink = 4; return x * 7;
    case 2: puts("two"); return 1;
    case 3: return thrice(x) - 5;
    case 4: sink = x; return square(x);
    case 5: counter = 2; return 17;
    case 6: abort();
    default: return x;
  }
}
APART int swapped(int x) { int a = twice(x); sink = a; return thrice(a) + a; }
APART int check(int x) { assert(x > 3 && "small"); return x * 3; }
static int (*const handlers[])(int) = {twice, thrice, square};
APART int handle(int i, int x) { return handlers[i % 3](x); }
APART int threads(int x) { of_thread += x; return of_thread; }
APART int twice(int x) { sink = x; return 2 * x; }
APART int thrice(int x) { sink = x + 1; return 3 * x; }
/* before main */
int main(int argc, char **argv) {
  greet(argc); lift(argc); scribble(argc);
  sink = choose(argc) + swapped(argc) + check(argc + 3) + handle(argc, 2);
  sink += count() + (int)scale(argc) + (int)pair(argc) + threads(argc) + (name(argc)[0] == argv[0][0]);
  return square(argc) > 100 + counter;
}
"""


def edited(source: str, *edits: tuple[str, str]) -> str:
    """The source with each first text, which must be there, replaced by the second."""
    for old, new in edits:
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    return source


def compiled(
    folder: Path, source: str, flags: Sequence[str] = ("-O2",), suffix: str = ".c", output: str = "program"
) -> Path:
    """Compile a source in a folder of its own; the folder."""
    folder.mkdir(parents=True)
    (folder / f"main{suffix}").write_text(source)
    compiler = "g++" if suffix == ".cc" else "gcc"
    words = [compiler, "-w", *flags, f"main{suffix}", "-o", output, "-lm"]
    subprocess.run(words, cwd=folder, check=True, capture_output=True)
    return folder


def snapshot(folder: Path, *outputs: str) -> Snapshot:
    """The snapshot of the outputs, which must be readable."""
    found = read_snapshot(folder, outputs or ("program",))
    assert not isinstance(found, UnreadableOutput), found
    return found


@dataclass(frozen=True)
class Changes:
    """Names of what differs between two snapshots."""

    code: frozenset[str]
    texts: frozenset[str]
    masked: frozenset[str]
    objects: frozenset[str]
    came: frozenset[str]
    went: frozenset[str]
    startup: frozenset[str]


NO_CHANGES = Changes(*(frozenset[str]() for _ in range(7)))


def changes(old: Snapshot, new: Snapshot) -> Changes:
    """What differs between two snapshots."""

    def differing(field: str) -> frozenset[str]:
        pairs = ((key, new.functions[key]) for key in old.functions if key in new.functions)
        return frozenset(
            key.name for key, after in pairs if getattr(old.functions[key], field) != getattr(after, field)
        )

    before = {*old.functions, *old.objects}
    after = {*new.functions, *new.objects}
    return Changes(
        code=differing("code"),
        texts=differing("texts"),
        masked=differing("masked"),
        objects=frozenset(
            key.name
            for key, item in old.objects.items()
            if key in new.objects and item.content != new.objects[key].content
        ),
        came=frozenset(key.name for key in after - before),
        went=frozenset(key.name for key in before - after),
        startup=frozenset(name for name in old.startup if old.startup[name] != new.startup.get(name)),
    )


def function(snapshot: Snapshot, name: str) -> Function:
    """The only function of a name."""
    (found,) = [each for key, each in snapshot.functions.items() if key.name == name]
    return found


def compare(folder: Path, old: str, new: str, flags: Sequence[str] = ("-O2",), suffix: str = ".c") -> Changes:
    """What differs between two sources, when both are compiled."""
    before = snapshot(compiled(folder / "old", old, flags, suffix))
    return changes(before, snapshot(compiled(folder / "new", new, flags, suffix)))
