"""Joins the functions of a build with line numbers: its own, or those of another build of the same code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from sonde.core.code_lines import CodeLines, FunctionLines
from sonde.core.evidence import ProfiledFunction
from sonde.effects.profiles.functions import Functions
from sonde.formats.damaged import Damaged
from sonde.formats.elf.file import read_elf
from sonde.formats.elf.image import Image
from sonde.formats.elf.lines import NO_FILE, LineRows, read_line_rows

NO_LINES = "the build has no debug information"
OTHER_CODE = "compiling with debug information gives different code"


def read_code_lines(
    folder: Path, outputs: Iterable[str], roots: Sequence[str], with_lines: Path | None = None
) -> CodeLines:
    """The lines of the functions of a build.

    They are read from the outputs of the same names in the folder `with_lines`, as far as their code is the
    same, else from the outputs themselves. `roots` are where builds may have seen the work tree.
    """
    found: dict[ProfiledFunction, FunctionLines] = {}
    files: dict[str, int] = {}
    gaps: dict[str, None] = {}
    for output in outputs:
        image = _read_image(folder / output)
        if image is None or not len(image.elf.symbols.rows):
            continue
        other = image if with_lines is None else _read_image(with_lines / output)
        rows = read_line_rows(other.elf) if other is not None else None
        if other is None or rows is None:
            gaps[NO_LINES] = None
            continue
        numbers = [files.setdefault(_below(name, roots), len(files)) for name in rows.names]
        for place, begin, end, offset in _functions(output, image):
            if other is not image and image.read(begin, end - begin) != other.read(begin, end - begin):
                gaps[OTHER_CODE] = None
                continue
            _add(found, place, offset, _lines_of(rows, numbers, begin, end))
    return CodeLines(tuple(files), found, "; ".join(gaps))


def merge(first: CodeLines, second: CodeLines) -> CodeLines:
    """The lines of both; where both know a function, those of the first."""
    files = {file: number for number, file in enumerate(dict.fromkeys((*first.files, *second.files)))}
    functions = {}
    for lines in (second, first):
        numbers = [files[file] for file in lines.files]
        for place, known in lines.functions.items():
            functions[place] = replace(known, files=tuple(n if n < 0 else numbers[n] for n in known.files))
    return CodeLines(tuple(files), functions, second.gap)


def _read_image(file: Path) -> Image | None:
    """An output as it lies in memory; None if it is not there or no program that can be read."""
    try:
        return Image(read_elf(file.read_bytes()))
    except (Damaged, OSError):
        return None


def _functions(output: str, image: Image) -> Iterator[tuple[ProfiledFunction, int, int, int]]:
    """Each function with the addresses of its code, and how far behind its beginning that begins."""
    functions = Functions(output, image)
    for key, begin, end in functions.extents():
        offset = functions.offset(key, begin)
        if end > begin and offset is not None:
            yield ProfiledFunction(key.output, key.source, key.name), begin, end, offset


def _lines_of(rows: LineRows, numbers: Sequence[int], begin: int, end: int) -> Iterator[tuple[int, int, int]]:
    for start, file, line in rows.between(begin, end):
        yield start - begin, numbers[file] if file != NO_FILE else NO_FILE, line


def _add(
    found: dict[ProfiledFunction, FunctionLines],
    place: ProfiledFunction,
    offset: int,
    lines: Iterable[tuple[int, int, int]],
) -> None:
    """Add the lines of a piece of a function, unless there are none; pieces come by ascending address."""
    rows = [(offset + at, file, line) for at, file, line in lines]
    if not any(line for _, _, line in rows):
        return
    known = found.get(place, FunctionLines((), (), ()))
    offsets, files, numbers = zip(*rows, strict=True)
    found[place] = FunctionLines((*known.offsets, *offsets), (*known.files, *files), (*known.lines, *numbers))


def _below(name: str, roots: Sequence[str]) -> str:
    """A path relative to the work tree, if it lies below it."""
    path = PurePosixPath(name)
    for root in roots:
        if path.is_relative_to(root):
            return str(path.relative_to(root))
    return name
