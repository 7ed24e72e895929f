"""Runs a program in many configurations under one valgrind: `python3 forking.py PLAN RESULT`.

It is no module of the study, but runs on its own. PLAN is JSON: the folder and the start of the program,
words and variables of each case. For each case it forks two children: one ends at once, the other one runs
the program and ends. What the second one counts more than the first one belongs to the program. The first
case runs before all others in this process, so that children inherit the translated code, which takes most
of the time, and the modules of the library. RESULT gets a line for each case: both processes, and how the
second one ended.
"""

from __future__ import annotations

import gc
import json
import os
import runpy
import signal
import sys
from pathlib import Path
from typing import Any

TIMEOUT_SECONDS = 100

Case = dict[str, Any]


def run(case: Case) -> int:
    """The program from its beginning to its end, and the code with which it ends."""
    sys.path[0] = case["folder"]
    sys.argv[1:] = case["words"]
    try:
        if case["start"].endswith(".py"):
            sys.argv[0] = f"{case['folder']}/{case['start']}"
            code = compile(Path(sys.argv[0]).read_text(), sys.argv[0], "exec")
            exec(code, {"__name__": "__main__", "__builtins__": __builtins__})
        else:
            runpy.run_module(case["start"], run_name="__main__", alter_sys=True)
    except SystemExit as end:
        return 1 if end.code else 0
    return 0


def warm(case: Case) -> None:
    """Run it here, and forget the modules of the program, but not those of the library."""
    run(case)
    sys.stdout.flush()
    for name, module in list(sys.modules.items()):
        if (getattr(module, "__file__", None) or "").startswith(case["folder"]):
            del sys.modules[name]
    if "re" in sys.modules:
        sys.modules["re"].purge()  # a run on its own compiles its patterns
    gc.collect()


def fork(case: Case, is_run: bool) -> tuple[int, int]:
    """A child, and how it ended."""
    process = os.fork()
    if process:
        return process, os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    signal.alarm(TIMEOUT_SECONDS)
    os.environ.update(case["variables"])
    sys.exit(run(case) if is_run else 0)


def main() -> None:
    """All cases."""
    sys.dont_write_bytecode = True
    cases = json.loads(Path(sys.argv[1]).read_text())
    with Path(sys.argv[2]).open("w") as result:
        warm(cases[0])
        for case in cases:
            idle, _ = fork(case, is_run=False)
            busy, status = fork(case, is_run=True)
            result.write(f"{idle} {busy} {status}\n")
            result.flush()


main()
