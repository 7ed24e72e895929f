"""Text from outside on its way out: nothing in it steers a terminal, a log, or the eye of a reader."""

from __future__ import annotations

import re

# Control characters but line feed and tab; marks that turn the direction of writing, or that nobody sees.
_STEERING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e0fff]"
)
_COMMAND = re.compile(r"^(\s*):(?=:)|#(?=#\[)", re.MULTILINE)  # what logs of CI jobs obey


def harmless(text: str) -> str:
    """The text, in which each letter that could steer something is written by its number, as JSON does."""
    visible = _STEERING.sub(lambda found: _escaped(found[0]), text.replace("\r\n", "\n"))
    return _COMMAND.sub(lambda found: f"{found[1] or ''}{_escaped(found[0][-1])}", visible)


def _escaped(letter: str) -> str:
    units = letter.encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
