"""Functions of C libraries that go through texts many characters at a time.

They must not read beyond a page, so near its end they take another way: how many instructions they execute
depends on where a text lies. That of what copies and fills memory hardly does.
"""

from __future__ import annotations

import re

NAMELESS = ""  # stands for functions whose names are not known

_PLAIN = re.compile(r"_*(?:GI_+)?([a-z]+)(?=$|[_.@])")  # within `__strlen_avx2`
_COMPARING = re.compile(r"(?:str|wcs)(?:n?(?:case)?cmp|coll|(?:case)?str)|strverscmp")
_SEARCHING = re.compile(
    r"(?:str|wcs)(?:n?len|r?chr|chrnul|c?spn|pbrk|sep|tok|n?dup|[nl]?cpy|[nl]?cat)"
    r"|(?:stp|wcp)n?cpy|(?:mem|rawmem|wmem)r?chr|w?memcmp|memcmpeq|bcmp|memccpy|r?index"
)


def text_function(symbol: str) -> str | None:
    """The plain name of such a function, as `strlen` for `__strlen_avx2`; None for any other function."""
    found = _PLAIN.match(symbol)
    if found and (_SEARCHING.fullmatch(found[1]) or is_comparing(found[1])):
        return found[1]
    return None


def is_comparing(name: str) -> bool:
    """Whether it goes through two texts at a time."""
    return _COMPARING.fullmatch(name) is not None
