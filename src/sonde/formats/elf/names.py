"""Names of symbols and source files, as far as they survive recompiling."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

_OF_LINK_TIME = re.compile(r"<.*|.*\.ltrans.*|cc\w{6}\.o")  # made up anew each time


def unversioned(name: str) -> str:
    """The name of a symbol of another file, whichever version of it is meant."""
    return name.partition("@")[0] or name


def source_name(text: str) -> str:
    """The own name of a source file; empty for files that a link-time optimiser makes up."""
    name = PurePosixPath(text).name
    return "" if _OF_LINK_TIME.fullmatch(name) else name
