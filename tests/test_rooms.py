"""A folder is a room: few enough modules to look at, and each public class has a name of its own."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import sonde

ROOT = Path(sonde.__file__).parent


def modules():
    return sorted(ROOT.rglob("*.py"))


def test_no_folder_has_more_than_twenty_modules():
    sizes = Counter(file.parent.relative_to(ROOT).as_posix() for file in modules() if file.stem != "__init__")

    assert {room: size for room, size in sizes.items() if size > 20} == {}


def test_every_folder_says_what_lives_there():
    rooms = {file.parent for file in modules()}

    silent = [room for room in rooms if not _docstring(room / "__init__.py")]
    assert silent == []


def _docstring(file: Path) -> str | None:
    return ast.get_docstring(ast.parse(file.read_text("utf-8"))) if file.exists() else None


def test_each_public_class_has_a_name_of_its_own():
    names = Counter(name for file in modules() for name in _public_classes(file))

    assert [name for name, number in names.items() if number > 1] == []


def _public_classes(file: Path) -> list[str]:
    body = ast.parse(file.read_text("utf-8")).body
    return [node.name for node in body if isinstance(node, ast.ClassDef) and not node.name.startswith("_")]
