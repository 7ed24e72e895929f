"""The data objects of an image, by what they hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sonde.core.evidence import DataObject, Key
from sonde.formats.compiled_functions.startup import INITIALISERS
from sonde.formats.elf.image import Image
from sonde.formats.elf.symbols import Named
from sonde.formats.machine_code.meanings import Meanings, short_digest

# Where any other section begins and ends, the linker tells, so that code can go through all that it holds.
_PLAIN = (".rodata", ".data", ".bss", ".lrodata", ".ldata", ".lbss", ".tdata", ".tbss", ".tm_")
_LINKED = (".got", ".dynamic", ".plt", ".text", ".init", ".fini", ".interp", ".eh_frame", ".gcc_except_table")
_USUAL = (*INITIALISERS, *_PLAIN, *_LINKED)


def read_objects(
    objects: Named, image: Image, meanings: Meanings, layouts: Sequence[int]
) -> Iterator[tuple[Key, DataObject, frozenset[str]]]:
    """Each object, and the names of other files that it mentions."""
    keys = objects.keys
    spans = zip(objects.extents.starts.tolist(), objects.extents.ends.tolist(), strict=True)
    for number, (start, end) in enumerate(spans):
        section = image.section_at(start)
        is_zero = section is None or section.is_zero
        content = meanings.content(start, end - start)
        size = str(end - start).encode()
        name = section.name if section is not None else ""
        # What initialisers there are belongs to how the file starts up.
        identity = b"" if name.startswith(INITIALISERS) else content.identity
        if meanings.object_labels[number] != objects.labels[number]:
            identity += meanings.object_labels[number].encode()  # two that share a key must not swap
        item = DataObject(
            content=short_digest(b"zero" if is_zero else b"stored", size, identity).hex(),
            size_bytes=end - start,
            is_constant=section is not None and not section.is_writable,
            refers_to=frozenset([keys[other] for other in content.objects if other != number]),
            calls=content.calls,
            is_gathered=not name.startswith(_USUAL),
            layout=layouts[number],
        )
        yield keys[number], item, content.imports
