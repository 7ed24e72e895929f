"""Exit codes as `git bisect run` understands them: whatever is no verdict must not look like one."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

WORD = "--git-bisect"
VERDICTS = (0, 1)
CANNOT_SAY = 125
LEAST_ABORTING = 128  # from here on git gives up the search, as it should when the user interrupts it


@contextmanager
def only_verdicts() -> Iterator[None]:
    """Leave with 125 for every other exit code, and where we crash: git would call the revision bad."""
    try:
        yield
    except SystemExit as leaving:
        code = leaving.code or 0
        if isinstance(code, int) and (code in VERDICTS or code >= LEAST_ABORTING):
            raise
        raise SystemExit(CANNOT_SAY) from None
    finally:
        if isinstance(sys.exception(), Exception):
            traceback.print_exc()
            raise SystemExit(CANNOT_SAY)
