"""The positions of keys in a TOML text agree with what tomllib reads."""

import tomllib

import pytest
from hypothesis import given

from sonde.effects.project_file.positions import has_deep_key, positions
from tests.effects.project_file.toml_texts import toml_texts


def every_path(value, path=()):
    if path:
        yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from every_path(item, (*path, key))


@given(text=toml_texts())
def test_every_key_and_element_has_a_position_and_nothing_else_has(text):
    assert set(positions(text)) == {path for path, _ in every_path(tomllib.loads(text))}


@given(text=toml_texts())
def test_what_stands_at_a_position_is_the_value_that_tomllib_reads(text):
    found = positions(text)
    for path, value in every_path(tomllib.loads(text)):
        written = text[found[path].start : found[path].end]
        if not isinstance(value, dict | list):
            assert tomllib.loads(f"key = {written}")["key"] == value


@given(text=toml_texts())
def test_the_line_of_a_key_is_at_or_before_its_value(text):
    for position in positions(text).values():
        assert 1 <= position.line <= text.count("\n", 0, position.start) + 1


EXAMPLE = '''\
top = 1                            # 1
[a.b]                              # 2
"x.y".z = [                        # 3
  "one", # ]                       # 4
  """two
  lines""", { run = 'r', n = 2 },  # 6
]
[[list]]                           # 8
k = 1
[[list]]                           # 10
k = 2                              # 11
[list.sub]                         # 12
deep.er = { a = [1,
  2] }
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("top",), 1),
        (("a",), 2),
        (("a", "b"), 2),
        (("a", "b", "x.y"), 3),
        (("a", "b", "x.y", "z"), 3),
        (("a", "b", "x.y", "z", 0), 4),
        (("a", "b", "x.y", "z", 1), 5),
        (("a", "b", "x.y", "z", 2), 6),
        (("a", "b", "x.y", "z", 2, "n"), 6),
        (("list",), 8),
        (("list", 1), 10),
        (("list", 1, "k"), 11),
        (("list", 1, "sub"), 12),
        (("list", 1, "sub", "deep", "er", "a", 0), 13),
        (("list", 1, "sub", "deep", "er", "a", 1), 14),
    ],
)
def test_lines_are_those_where_the_key_stands(path, line):
    tomllib.loads(EXAMPLE)

    assert positions(EXAMPLE)[path].line == line


@pytest.mark.parametrize(
    ("text", "is_deep"),
    [
        ("a." * 100 + "b = 1", True),
        ("[a." + "'x'." * 100 + "b]", True),
        ('"a" . "b.c" . ' * 30 + "d = 1", True),
        ("a." * 39 + "b = 1", False),
        ('x = "' + "a." * 100 + '"', False),
        ('x = "\\"' + "a." * 100 + '"', False),
        ('x = """\n' + "a." * 100 + '"""', False),
        ("x = '''\n" + "a." * 100 + "'''", False),
        ("# " + "a." * 100, False),
        ("x = 1.5\n" * 1000, False),
    ],
)
def test_keys_of_too_many_parts_are_seen_before_they_are_read(text, is_deep):
    assert has_deep_key(text) is is_deep
