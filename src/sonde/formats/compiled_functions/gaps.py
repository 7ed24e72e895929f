"""Code that no symbol covers is a function too: hand-written, or of a library that was stripped before."""

from __future__ import annotations

from sonde.core.evidence import Key
from sonde.formats.compiled_functions.stubs import STUBS
from sonde.formats.elf.extents import Extents
from sonde.formats.elf.image import Image
from sonde.formats.elf.padding import is_padding
from sonde.formats.elf.symbols import Named


def with_gaps(output: str, image: Image, functions: Named) -> Named:
    """The functions, and what lies between them unless it is padding; all gaps of a section share a name."""
    spans = list(zip(functions.extents.starts.tolist(), functions.extents.ends.tolist(), strict=True))
    gaps: list[tuple[int, int, str]] = []
    for section in image.sections:
        if not section.is_code or section.is_zero or section.name in STUBS:
            continue
        name = f"{section.name} (without symbol)"
        at = section.address
        inside = [span for span in spans if section.address <= span[0] < section.end]
        for start, end in [*inside, (section.end, section.end)]:
            if at < start and not is_padding(image.read(at, start - at)):
                gaps.append((at, start, name))
            at = max(at, end)
    if not gaps:
        return functions
    rows = [*zip(spans, functions.keys, functions.labels, strict=True)]
    rows += [((start, end), Key(output, "", name), name) for start, end, name in gaps]
    rows.sort(key=lambda row: row[0])
    return Named(
        Extents.of([span for span, _, _ in rows]),
        tuple([key for _, key, _ in rows]),
        tuple([label for _, _, label in rows]),
        functions.aliases,
    )
