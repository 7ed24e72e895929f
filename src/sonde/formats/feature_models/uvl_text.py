"""The tree of a UVL text, by uvllang's parser in Python, and where in the text something stands.

The native parser of uvllang is not used: it crashes on some input and skips what it does not know.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from sonde.core.errors import MissingTool
from sonde.formats.feature_models.errors import ModelError, mistake

_MARKERS = re.compile(r"<(?:INDENT|DEDENT)>\s?")


def parse_uvl(text: str, file: str) -> Any:
    """The tree of uvllang's parser: nodes with `data` and `children`, and tokens, which are texts."""
    try:
        from lark.exceptions import LarkError, UnexpectedInput
        from uvllang.lark.uvl_lark_lexer import UVLIndentationLexer
    except ImportError:
        raise MissingTool(
            f"{file}: reading UVL needs the package uvllang. Install it with: pip install 'sonde[uvl]'"
        ) from None
    try:
        return _parser().parse(UVLIndentationLexer().process(text))
    except UnexpectedInput as error:
        raise _syntax_mistake(text, file, error) from None
    except LarkError as error:
        raise mistake(file, 0, f"this is not UVL: {_first_line(error)}.") from None


@cache
def _parser() -> Any:
    """Uvllang's parser without what it makes of the tree; 0.3 s to build, so it is kept."""
    from uvllang.lark.uvl_lark_parser import _load_lark_parser, load

    load()
    return _load_lark_parser()


def _syntax_mistake(text: str, file: str, error: Any) -> ModelError:
    # The parser sees no comments and no empty lines, so that its line numbers are not those of the file.
    context = getattr(error, "token", None) or getattr(error, "char", "")
    shown = _MARKERS.sub("", str(context)).strip()
    what = f"'{shown[:40]}' is not expected here" if shown else "something is missing, or indented wrongly"
    return mistake(file, line_of(text, shown), f"this is not UVL: {what}.")


def line_of(text: str, near: str) -> int:
    """The line that has `near`, whatever its spaces; 0 if it is not in exactly one."""
    wanted = re.sub(r"\s", "", near)
    lines = [number for number, line in enumerate(text.splitlines(), 1) if wanted in re.sub(r"\s", "", line)]
    return lines[0] if wanted and len(lines) == 1 else 0


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0][:80]
