"""Reading the functions of a program.

The program is made up: about 5,000 functions and 530,000 instructions of C, by `gcc -O2 -g1`. All figures are
seconds of CPU. pyelftools with capstone, and objdump with regular expressions, do the least that can tell a
changed function: they blank addresses and hash the rest. Ours also resolves what they stand for, and reads
data, texts, tables of jumps and of exceptions.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.frame import Row, medians_in_turn
from benchmarks.peers import is_installed, seconds_of_peer
from sonde.core.evidence import Snapshot
from sonde.effects.snapshots.reading import read_snapshot

ROUNDS = 5
COPIES, FUNCTIONS = 10, 500  # as many texts of assembler, which differ in names and texts; functions in each
_MARK = "copy00"

_CAPSTONE = """
import hashlib, re, sys, time
from capstone import CS_ARCH_X86, CS_MODE_64, Cs
from elftools.elf.elffile import ELFFile
begin = time.process_time()
address = re.compile(r"0x[0-9a-f]{3,}")
functions = {}
with open(sys.argv[1], "rb") as stream:
    elf = ELFFile(stream)
    text = elf.get_section_by_name(".text")
    content, start = text.data(), text["sh_addr"]
    decoder = Cs(CS_ARCH_X86, CS_MODE_64)
    for symbol in elf.get_section_by_name(".symtab").iter_symbols():
        at, size = symbol["st_value"], symbol["st_size"]
        if symbol["st_info"]["type"] != "STT_FUNC" or not size or not start <= at < start + len(content):
            continue
        own = decoder.disasm_lite(content[at - start : at - start + size], at)
        lines = "\\n".join([f"{word} {operands}" for _, _, word, operands in own])
        functions[symbol.name] = hashlib.blake2b(address.sub("", lines).encode()).digest()
print(time.process_time() - begin)
"""

_OBJDUMP = """
import hashlib, re, resource, subprocess, sys, time
begin = time.process_time()
words = ["objdump", "-d", "--no-show-raw-insn", sys.argv[1]]
text = subprocess.run(words, capture_output=True, text=True).stdout
address = re.compile(r"^ *[0-9a-f]+:\\t|(?:0x)?[0-9a-f]{3,}(?= <)|0x[0-9a-f]{3,}", re.MULTILINE)
functions = {}
for part in text.split("\\n\\n"):
    name, _, lines = part.partition(">:\\n")
    functions[name] = hashlib.blake2b(address.sub("", lines).encode()).digest()
children = resource.getrusage(resource.RUSAGE_CHILDREN)
print(time.process_time() - begin + children.ru_utime + children.ru_stime)
"""


def rows() -> Iterable[Row]:
    """CPU time of a snapshot, beside each peer."""
    if shutil.which("gcc") is None:
        return
    with TemporaryDirectory() as name:
        folder = Path(name)
        make_program(folder)
        found = read_snapshot(folder, ["program"])
        assert isinstance(found, Snapshot)
        instructions = sum(each.length for each in found.functions.values())
        measures: dict[str, Callable[[], float]] = {"ours": partial(_seconds, folder)}
        if is_installed("capstone") and is_installed("elftools"):
            measures["capstone"] = partial(seconds_of_peer, _CAPSTONE, str(folder / "program"))
        if shutil.which("objdump") is not None:
            measures["objdump"] = partial(_seconds_of_objdump, folder / "program")
        times = medians_in_turn(measures, ROUNDS)
        what = f"snapshot: {len(found.functions):,} functions, {instructions:,} instructions"
        yield Row(what, times["ours"], "s", 0.35, "pyelftools, capstone", times.get("capstone"))
        yield Row(what, times["ours"], "s", 0.35, "objdump, regular expressions", times.get("objdump"))


def _seconds(folder: Path) -> float:
    begin = time.process_time()
    read_snapshot(folder, ["program"])
    return time.process_time() - begin


def _seconds_of_objdump(program: Path) -> float:
    words = [sys.executable, "-c", _OBJDUMP, str(program)]
    return float(subprocess.run(words, capture_output=True, text=True, check=True).stdout)


def make_program(folder: Path) -> None:
    """Compile one source, and link as many copies of it under other names."""
    (folder / "part.c").write_text(_source(random.Random(1)))
    (folder / "main.c").write_text(_main())
    subprocess.run(["gcc", "-O2", "-g1", "-S", "part.c"], cwd=folder, check=True)
    assembler = (folder / "part.s").read_text()
    names = [f"part{copy}.s" for copy in range(COPIES)]
    for copy, name in enumerate(names):
        (folder / name).write_text(assembler.replace(_MARK, f"copy{copy:02}"))
    subprocess.run(["gcc", "-O2", "main.c", *names, "-o", "program"], cwd=folder, check=True)


def _main() -> str:
    copies = range(COPIES)
    declared = "\n".join(f"int copy{copy:02}_{FUNCTIONS - 1}(int, int);" for copy in copies)
    called = " + ".join(f"copy{copy:02}_{FUNCTIONS - 1}(count, 2)" for copy in copies)
    return f"{declared}\nint main(int count, char **words) {{ return {called}; }}\n"


def _source(rng: random.Random) -> str:
    parts = [
        "#include <stdio.h>\n#include <string.h>",
        f"volatile int {_MARK}_sink; static int counters[64]; int {_MARK}_totals[4096];",
        f'static const double weights[8] = {{1, 2, 3, 4.5, 5, 6, 7, 8}}; const char *{_MARK}_name = "x";',
    ]
    parts += [_function(rng, number) for number in range(FUNCTIONS)]
    return "\n".join(parts)


def _function(rng: random.Random, number: int) -> str:
    statements = "\n".join(_statement(rng, number) for _ in range(rng.randrange(5, 16)))
    return (
        f"__attribute__((noinline)) int {_MARK}_{number}(int x, int y) {{\n"
        f"  int a = x * {rng.randrange(3, 99)}, b = y ^ {rng.randrange(1 << 16)};\n{statements}\n"
        f"  return a + b;\n}}"
    )


def _statement(rng: random.Random, number: int) -> str:
    n, m = rng.randrange(3, 9999), rng.randrange(1, 20)
    cases = " ".join(f"case {case}: b += a * {case + n}; break;" for case in range(8))
    kinds = [
        f'if (a > {n}) {{ printf("{_MARK} step {n} %d\\n", a); b += a << {m}; }}',
        f"b += {_MARK}_{rng.randrange(number)}(a - {m}, b);" if number else "b += a;",
        f"for (int i = 0; i < (a & 15); i++) {_MARK}_totals[(i + {m}) & 4095] += b * i;",
        f"counters[a & 63] += {n}; b ^= counters[b & 63];",
        f"if (b & {1 << m}) a = (int)(weights[a & 7] * {n}.5 + b);",
        f'if (strcmp({_MARK}_name, "{_MARK} option {n}") == 0) a -= b / {n};',
        f"a = (a * {n}) ^ (b >> {m}); {_MARK}_sink = a;",
        f"while (a > {n}) {{ a -= b & 7; {_MARK}_sink += a; }}",
    ]
    if rng.random() < 0.01:
        return f"switch (a & 7) {{ {cases} default: {_MARK}_sink = {n}; }}"
    return f"  {rng.choice(kinds)}"
