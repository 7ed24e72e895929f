"""Functions of Python files."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.evidence import Key, Language
from sonde.effects.snapshots.reading import read_snapshot
from sonde.formats.compiled_functions.python import constant_identity
from tests.effects.snapshots.compiling import changes, snapshot

MODULE = '''
"""About the module."""
import math

LIMIT = 10


def area(radius, *, scale=2.0):
    """About a circle."""
    return math.pi * radius ** 2 * scale


class Shape:
    """About shapes."""

    sides = 4

    def grow(self, by):
        """About growing."""
        self.sides += by
        return [side + 1 for side in range(self.sides)]


def pick(values):
    first = lambda value: value + 1
    second = lambda value: value - 1
    try:
        return first(values[0]) if values[0] in {1, 2, 3} else second(values[0])
    except IndexError:
        return None
'''


def compare(folder, new, old=MODULE):
    (folder / "old").mkdir()
    (folder / "new").mkdir()
    (folder / "old" / "shapes.py").write_text(old)
    (folder / "new" / "shapes.py").write_text(new)
    return changes(snapshot(folder / "old", "shapes.py"), snapshot(folder / "new", "shapes.py"))


def test_all_functions_are_found(tmp_path):
    (tmp_path / "shapes.py").write_text(MODULE)

    found = snapshot(tmp_path, "shapes.py")

    assert found.languages == {"shapes.py": Language.PYTHON}
    names = {"<module>", "area", "Shape", "Shape.grow", "pick", "pick.<locals>.<lambda>"}
    assert {Key("shapes.py", "", name) for name in names} <= found.functions.keys()
    assert found.functions[Key("shapes.py", "", "area")].length > 5


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 10\n", "\n\n# a comment\nLIMIT = 10  # another\n"),
        ("About the module.", "More about the module, and more."),
        ("About shapes.", "More about shapes."),
        ('        """About growing."""\n', ""),
        ("    return math.pi * radius ** 2 * scale", "    return (math.pi * radius**2) * scale"),
    ],
    ids=["comments", "docstring-of-a-module", "docstring-of-a-class", "no-docstring", "format"],
)
def test_what_does_nothing_changes_nothing_but_the_file(tmp_path, old, new):
    found = compare(tmp_path, MODULE.replace(old, new))

    assert not (found.code | found.came | found.went)
    assert found.startup == {"shapes.py"}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("radius ** 2", "radius ** 3", {"area"}),
        ("scale=2.0", "scale=2", {"<module>"}),
        ("LIMIT = 10", "LIMIT = 11", {"<module>"}),
        ("sides = 4", "sides = True", {"Shape"}),
        ("by)", "times)", {"Shape.grow"}),
        ("{1, 2, 3}", "{1, 2, 4}", {"pick"}),
        ("except IndexError", "except KeyError", {"pick"}),
        ("value + 1\n", "value + 2\n", {"pick", "pick.<locals>.<lambda>"}),
    ],
)
def test_a_change_is_seen_where_it_is(tmp_path, old, new, expected):
    source = MODULE.replace(old, new).replace("+= by", "+= times" if "times" in new else "+= by")

    assert compare(tmp_path, source).code == expected


def test_an_exchange_of_two_functions_without_names_is_seen(tmp_path):
    swapped = MODULE.replace("value + 1", "value ? 1").replace("value - 1", "value + 1").replace("?", "-")

    assert compare(tmp_path, swapped).code == {"pick"}


def test_a_string_behind_the_docstring_does_not_become_one(tmp_path):
    old = 'def f():\n    """One."""\n    "two"\n    return 1\n'

    assert not compare(tmp_path, 'def f():\n    """Other."""\n    return 1\n', old).code


@pytest.mark.parametrize("content", [b"print 'hello'\n", b"x = '\0'\n", b"# -*- coding: nonsense -*-\n"])
def test_a_file_that_is_no_python_is_one_like_any_other(tmp_path, content):
    (tmp_path / "template.py").write_bytes(content)

    found = snapshot(tmp_path, "template.py")

    assert not found.languages
    assert found.files.keys() == {"template.py"}


def test_a_snapshot_tells_whose_code_objects_it_has(tmp_path):
    (tmp_path / "shapes.py").write_text(MODULE)

    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert snapshot(tmp_path, "shapes.py").interpreter == f"{sys.implementation.name} {version}"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("About the module.", "More.", {"<module>"}),
        ("About a circle.", "More.", {"area"}),
        ("About shapes.", "More.", {"Shape"}),
        ("About growing.", "More.", {"Shape.grow"}),
        ('        """About growing."""\n', "", {"Shape.grow"}),
        ("LIMIT = 10", "LIMIT = 11", set()),
    ],
)
def test_docstrings_are_the_texts_of_functions(tmp_path, old, new, expected):
    (tmp_path / "old.py").write_text(MODULE)
    (tmp_path / "new.py").write_text(MODULE.replace(old, new))
    before, after = snapshot(tmp_path, "old.py").functions, snapshot(tmp_path, "new.py").functions

    changed = {key.name for key in before if before[key].texts != after[key._replace(output="new.py")].texts}
    assert changed == expected


def test_the_docstring_of_a_global_function_belongs_to_the_module(tmp_path):
    source = "def make():\n    global made\n    def made():\n        '{}'\n"
    (tmp_path / "old.py").write_text(source.format("one"))
    (tmp_path / "new.py").write_text(source.format("two"))
    old, new = (
        snapshot(tmp_path, name).functions[Key(name, "", "<module>")] for name in ("old.py", "new.py")
    )

    assert old.texts != new.texts
    assert old.code == new.code


def test_whether_a_class_has_a_docstring_counts_for_dataclass_would_write_one(tmp_path):
    assert compare(tmp_path, MODULE.replace('    """About shapes."""\n', "")).code == {"Shape"}


@given(content=st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(tmp_path_factory, content):
    folder = tmp_path_factory.mktemp("any")
    (folder / "any.py").write_bytes(content)

    read_snapshot(folder, ["any.py"])


def test_constants_that_are_equal_are_told_apart_if_a_program_could():
    constants = [0, False, 0.0, -0.0, 0j, -0j, "0", b"0", None, ..., (), (0,), (0.0,), frozenset(), ((),), ""]

    assert len({constant_identity(constant) for constant in constants}) == len(constants)


@given(values=st.lists(st.integers() | st.text() | st.binary()))
def test_the_order_of_a_set_does_not_matter(values):
    assert constant_identity(frozenset(values)) == constant_identity(frozenset(reversed(values)))
