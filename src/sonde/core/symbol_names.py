"""Names of symbols that survive recompiling."""

from __future__ import annotations

import re
from functools import lru_cache

_COUNTERS = re.compile(r"\.\d+(?=\.|$)")


@lru_cache(maxsize=1 << 16)
def canonical_name(symbol: str) -> str:
    """A symbol without the numbers that a compiler counts up and without its default version.

    The kind of clone stays: `foo.constprop.0.isra.3` is `foo.constprop.isra`. The static variable
    `buffer.1234` of a function is `buffer`.
    """
    if "@" in symbol:
        symbol = symbol.partition("@@")[0] or symbol
    return (_COUNTERS.sub("", symbol) or symbol) if "." in symbol else symbol
