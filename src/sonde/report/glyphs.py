"""The characters that plots are made of: one set for terminals with Unicode, one for those without."""

from __future__ import annotations

from dataclasses import dataclass
from unicodedata import combining, normalize

# The dots of a Braille character, row by row.
_BRAILLE = (0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80)


@dataclass(frozen=True)
class Glyphs:
    """A set of characters, each one column wide.

    A cell of a plot has `across` x `down` dots, numbered row by row from the upper left; `dots` holds the
    character for each set of them, at the sum of 2 ** number.
    """

    across: int
    down: int
    dots: tuple[str, ...]
    mark: str  # a measured revision
    band: str  # an end of the 90 % band, as the legend shows it
    faint: str  # a dot of the lighter kind; empty: one in every other column of dots
    guide: str  # from a jump down to its number
    side: str
    label: str  # a side with a label
    corner: str
    axis: str
    change: str
    doubt: str  # an axis where a change can lie
    failed: str
    plus_minus: str
    arrow: str
    levels: str  # of a sparkline, the lowest first
    is_ascii: bool = False

    def written(self, text: str) -> str:
        """`text` in characters that the terminal has; it does not become wider."""
        return "".join(map(_in_ascii, text)) if self.is_ascii else text


def _in_ascii(letter: str) -> str:
    if letter.isascii() or combining(letter):
        return "" if combining(letter) else letter
    bare = normalize("NFD", letter)[0]
    return bare if bare.isascii() else {"µ": "u", "…": "~"}.get(letter, "?")


UNICODE = Glyphs(
    across=2,
    down=4,
    dots=tuple(
        chr(0x2800 + sum(dot for number, dot in enumerate(_BRAILLE) if mask >> number & 1))
        for mask in range(256)
    ),
    mark="●",
    band="⠂⠂",
    faint="",
    guide="┊",
    side="│",
    label="┤",
    corner="└",
    axis="─",
    change="┴",
    doubt="━",
    failed="×",
    plus_minus="±",
    arrow="→",
    levels="▁▂▃▄▅▆▇█",
)

ASCII = Glyphs(
    across=1,
    down=3,
    dots=(" ", "'", "-", "|", "_", "|", "|", "|"),
    mark="o",
    band=".",
    faint=".",
    guide=":",
    side="|",
    label="+",
    corner="+",
    axis="-",
    change="^",
    doubt="=",
    failed="x",
    plus_minus="+-",
    arrow="->",
    levels="_.-^",
    is_ascii=True,
)
