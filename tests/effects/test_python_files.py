"""Which files of a build are Python."""

from __future__ import annotations

import pytest

from sonde.effects.python_files import find_sources, is_script
from sonde.formats.python_source.sources import UnreadablePython


def test_modules_and_scripts_are_found_under_the_names_that_others_import(tmp_path):
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "__init__.py").write_text("")
    (tmp_path / "pack" / "level.py").write_text("LEVEL = 9\n")
    (tmp_path / "run").write_text("#!/usr/bin/env python3\nimport pack\n")
    (tmp_path / "notes.txt").write_text("import nothing\n")

    found = find_sources(tmp_path, ["run", "notes.txt", "pack/level.py", "pack/__init__.py"])

    assert [(each.module, each.is_package) for each in found] == [
        ("pack", True),
        ("pack.level", False),
        ("run", False),
    ]


def test_only_a_first_line_that_names_python_makes_a_script(tmp_path):
    shell, empty = tmp_path / "shell", tmp_path / "empty"
    shell.write_text("#!/bin/sh\npython3 run.py\n")
    empty.write_text("")

    assert not is_script(shell)
    assert not is_script(empty)
    assert not is_script(tmp_path / "missing")


def test_a_module_that_is_not_python_is_named_with_its_line(tmp_path):
    (tmp_path / "broken.py").write_text("a = 1\nb = (\n")

    with pytest.raises(UnreadablePython, match=r"broken\.py:2"):
        find_sources(tmp_path, ["broken.py"])
