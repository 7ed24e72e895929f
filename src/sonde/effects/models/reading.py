"""Reads a feature model of any format."""

from __future__ import annotations

import re
from pathlib import Path

from sonde.effects.models.text import read_text
from sonde.formats.feature_models.defaults import with_valid_default
from sonde.formats.feature_models.dimacs import read_dimacs
from sonde.formats.feature_models.errors import mistake
from sonde.formats.feature_models.splconqueror import read_splconqueror
from sonde.formats.feature_models.uvl import read_uvl
from sonde.space.space import Space


def read_model(path: Path) -> Space:
    """The space of a model file: SPLConqueror's XML, DIMACS or UVL, whichever its content is.

    The defaults make up a valid configuration, if there is one. Raises ModelError.
    """
    text = read_text(path)
    return with_valid_default(_read(text, path))


def _read(text: str, path: Path) -> Space:
    file, ending = str(path), path.suffix.lower()
    if text.lstrip().startswith("<"):
        return read_splconqueror(text, file)
    if ending in (".dimacs", ".cnf") or re.search(r"^p\s+cnf\b", text, re.MULTILINE):
        return read_dimacs(text, file)
    if ending == ".uvl" or re.search(r"^features\s*$", text, re.MULTILINE):
        return read_uvl(text, file)
    if ending == ".xml":
        return read_splconqueror(text, file)
    raise mistake(
        file, 0, "this is not a feature model in a known format. Use SPLConqueror XML, DIMACS or UVL."
    )
