"""Small option models of five tools of GNU coreutils, and what they are run on."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from sonde.core.options import Option
from sonde.space.space import Space


@dataclass(frozen=True)
class Model:
    """The options of a tool; the words of each call come behind those of its configuration."""

    space: Space
    words: tuple[str, ...]
    lines: int  # of its input; 0: bytes instead
    size_bytes: int = 0


def _switch(name: str, words: str, *variables: str) -> Option:
    return Option(name, (False, True), False, words=words, variables=variables)


def _choice(name: str, words: str, values: tuple[str | int, ...], *variables: str) -> Option:
    return Option(name, values, values[0], words=words, variables=variables)


MODELS = {
    "wc": Model(
        Space.of(
            [
                _switch("lines", "-l", "print_lines"),
                _switch("words", "-w", "print_words"),
                _switch("chars", "-m", "print_chars"),
                _switch("bytes", "-c", "print_bytes"),
                _switch("longest", "-L", "print_linelength"),
            ]
        ),
        (),
        600,
    ),
    "sort": Model(
        Space.of(
            [
                _switch("numeric", "-n", "keyfield.numeric"),
                _switch("month", "-M", "keyfield.month"),
                _switch("reverse", "-r", "keyfield.reverse", "reverse"),
                _switch("unique", "-u", "unique"),
                _switch("fold", "-f", "keyfield.translate"),
            ],
            ["not (numeric and month)"],
        ),
        (),
        400,
    ),
    "uniq": Model(
        Space.of(
            [
                _switch("count", "-c", "countmode"),
                _switch("repeated", "-d", "output_unique"),
                _switch("unique", "-u", "output_first_repeated"),
                _switch("ignore_case", "-i", "ignore_case"),
                _choice("skip_fields", "-f {value}", (0, 1), "skip_fields"),
            ]
        ),
        (),
        600,
    ),
    "od": Model(
        Space.of(
            [
                _choice(
                    "address", "-A {value}", ("o", "n"), "format_address", "address_base", "address_pad_len"
                ),
                _choice(
                    "type",
                    "-t {value}",
                    ("o2", "x1", "c"),
                    "tspec.fmt",
                    "tspec.size",
                    "tspec.print_function",
                    "tspec.field_width",
                    "tspec.fmt_string",
                    "tspec.hexl_mode_trailer",
                ),
                _switch("every", "-v", "abbreviate_duplicate_blocks"),
                _choice("width", "-w{value}", (16, 32), "bytes_per_block"),
                _choice("skip", "-j {value}", (0, 512), "n_bytes_to_skip"),
            ]
        ),
        (),
        0,
        3000,
    ),
    "cksum": Model(
        Space.of(
            [
                _choice("algorithm", "-a {value}", ("crc", "bsd", "md5", "sha256"), "cksum_algorithm"),
                _switch("untagged", "--untagged", "main:prefix_tag"),
                _switch("zero", "-z", "digest_delim"),
                _switch("debug", "--debug", "cksum_debug"),
            ]
        ),
        (),
        0,
        20000,
    ),
}


def write_input(model: Model, file: Path) -> Path:
    """Lines of words, months and numbers, some of them twice; or bytes, some blocks of them twice."""
    rng = random.Random(f"{model.lines} {model.size_bytes}")
    if model.lines:
        file.write_text("".join(_lines(model.lines, rng)))
    else:
        block = rng.randbytes(64)
        file.write_bytes(
            b"".join(rng.choice((block, rng.randbytes(64))) for _ in range(model.size_bytes // 64))
        )
    return file


def _lines(count: int, rng: random.Random) -> list[str]:
    months = ("jan", "Feb", "MAR", "apr", "may", "Jun", "jul", "aug", "sep", "oct", "nov", "Dec")
    found: list[str] = []
    while len(found) < count:
        first = rng.choice((rng.choice(months), str(rng.randint(-500, 5000))))
        line = f"{first} {rng.choice(('Alpha', 'alpha', 'beta'))} {rng.randint(0, 99)}\n"
        found += [line] * rng.choice((1, 1, 2, 3))
    return found[:count]
