"""Runs the benchmarks, all or those named: `python -m benchmarks [--write] [NAME...]`.

The tables go to stdout; `--write` also puts them into docs/benchmarks.md, each in a section of its own.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import re
import time
from pathlib import Path

import benchmarks
from benchmarks.frame import table, tell
from sonde.effects.machine import describe_machine, measure_noise

_PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
_FRAME = {"__main__", "frame", "peers", "svf", "impact_answering"}
_FRAME |= {"debian_programs", "debian_sources", "made_programs"}
_BEGINNING = """\
# Benchmarks

Written by `make bench ARGS=--write`. Figures are medians; they depend on the machine and its load, which each
section names. Ours and the peer's are taken in turn, in one run, so that load changes their ratio
(ours / the peer's) less.
"""


def main() -> None:
    known = [module.name for module in pkgutil.iter_modules(benchmarks.__path__) if module.name not in _FRAME]
    arguments = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    arguments.add_argument(
        "names", nargs="*", metavar="NAME", help=f"one of {', '.join(known)}; default: all"
    )
    arguments.add_argument("--write", action="store_true", help="also write docs/benchmarks.md")
    chosen = arguments.parse_args()
    unknown = set(chosen.names) - set(known)
    if unknown:
        arguments.error(f"unknown: {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    names = chosen.names or known
    begin = time.monotonic()
    for name in names:
        began = time.monotonic()
        text = section(name)
        print(text, flush=True)
        if chosen.write:
            write_section(name, text)
        tell(f"{name} took {time.monotonic() - began:,.0f} s")
    tell(f"all of it took {(time.monotonic() - begin) / 60:,.1f} min")


def section(name: str) -> str:
    """A benchmark's heading, what it does, its machine and its table."""
    module = importlib.import_module(f"benchmarks.{name}")
    title, _, prose = (module.__doc__ or name).strip().partition("\n")
    noise = measure_noise(1.0)
    rows = list(module.rows())
    machine = f"{describe_machine().one_line()}; {noise.verdict}."
    return "\n\n".join(filter(None, (f"## {title.rstrip('.')}", prose.strip(), machine, table(rows)))) + "\n"


def write_section(name: str, text: str) -> None:
    """Put a section into the page, in the place of its former self."""
    _, mark, rest = _PAGE.read_text().partition("<!-- ") if _PAGE.exists() else ("", "", "")
    page = f"{_BEGINNING}\n{mark}{rest}" if mark else _BEGINNING
    marked = f"<!-- {name} -->\n{text}<!-- end of {name} -->\n"
    former = re.compile(rf"<!-- {name} -->\n.*?<!-- end of {name} -->\n", re.DOTALL)
    page = former.sub(lambda _: marked, page) if former.search(page) else f"{page}\n{marked}"
    _PAGE.write_text(page)


if __name__ == "__main__":
    main()
