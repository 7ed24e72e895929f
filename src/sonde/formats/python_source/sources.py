"""Python files as syntax trees, and how others import them."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

INIT = "__init__"


@dataclass(frozen=True)
class PythonSource:
    """A Python file with its syntax tree."""

    file: str  # its path below the build
    module: str  # as other files import it
    tree: ast.Module
    is_package: bool = False  # an `__init__.py`


class UnreadablePython(Exception):
    """A file that is no Python; the text says where and why."""


def parse_source(file: str, content: bytes, packages: Iterable[str] = ()) -> PythonSource:
    """A file with its syntax tree; raises Unreadable that names file and line."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about the style of the subject
            tree = ast.parse(content, file)
    except SyntaxError as error:
        raise UnreadablePython(
            f"{file}:{error.lineno or 1}: this is not valid Python: {error.msg}."
        ) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise UnreadablePython(f"{file}: this cannot be read as Python: {error}.") from None
    return PythonSource(file, module_name(file, packages), tree, PurePosixPath(file).stem == INIT)


def module_name(file: str, packages: Iterable[str] = ()) -> str:
    """How others import a file: from the outermost folder on that is a package."""
    path = PurePosixPath(file)
    parts = [path.stem] if path.stem != INIT else []
    folder, known = path.parent, frozenset(packages)
    while str(folder) in known:
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(part for part in parts if part) or path.stem
