"""Runs one configuration and counts lines by function: `python3 tracing.py FOLDER START MOST RESULT [words]`.

It is no module of the study, but runs on its own. It ends with 3 where more than MOST lines are executed.
RESULT gets JSON: the number of lines of each function, those of its lambdas and comprehensions included.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

LINES: Counter[str] = Counter()
TOO_LONG = 3


def tracer(folder: str, most: int) -> Callable[..., Any]:
    """What the interpreter calls for each line."""
    left = [most]

    def trace(frame: FrameType, event: str, _: object) -> Any:
        if not frame.f_code.co_filename.startswith(folder):
            return None
        if event == "line":
            LINES[frame.f_code.co_qualname.split(".<locals>.<")[0]] += 1
            left[0] -= 1
            if left[0] < 0:
                os._exit(TOO_LONG)
        return trace

    return trace


def main() -> None:
    """The program, with its own words."""
    sys.dont_write_bytecode = True
    folder, start, most, result = sys.argv[1:5]
    sys.path[0] = folder
    sys.argv[:] = [f"{folder}/{start}", *sys.argv[5:]]
    sys.settrace(tracer(folder, int(most)))
    code: object = 0
    try:
        if start.endswith(".py"):
            runpy.run_path(sys.argv[0], run_name="__main__")
        else:
            runpy.run_module(start, run_name="__main__", alter_sys=True)
    except SystemExit as end:
        code = end.code
    sys.settrace(None)
    Path(result).write_text(json.dumps(LINES))
    sys.exit(1 if code else 0)


main()
