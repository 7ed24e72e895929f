"""What code may look at beside what it executes."""

from types import CodeType

import pytest

from sonde.effects.profiles.python_inside.sonde_hearing import mentions_docstrings, mentions_lines


def codes(source: str) -> dict[str, CodeType]:
    waiting, found = [compile(source, "source.py", "exec")], {}
    while waiting:
        code = waiting.pop()
        found[code.co_name] = code
        waiting += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    return found


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("def f(x):\n    return x.__doc__", {"f"}),
        ("def f(x):\n    return getattr(x, '__doc__')", {"f"}),
        ("def f(x):\n    return [getattr(x, name) for name in ('__name__', '__doc__')]", {"f"}),
        ("import inspect\ndef f(x):\n    return inspect.getdoc(x)", {"f"}),
        ("def f():\n    return __doc__", {"f"}),
        ("'About it.'\nprint(__doc__)", {"<module>"}),
        (
            "'About it.'\nimport os\nclass A:\n    'About A.'\n    b = os.name\ndef f():\n    'About f.'",
            set(),
        ),
        ("class A:\n    'About A.'\n    b = object.__doc__", {"A"}),
    ],
)
def test_code_that_may_read_docstrings_is_told_from_code_that_has_one(source, expected):
    assert {name for name, code in codes(source).items() if mentions_docstrings(code)} == expected


def test_names_are_found_among_very_many():
    names = " + ".join(f"name{number}" for number in range(700))

    assert mentions_docstrings(codes(f"'About it.'\n{names} + other.__doc__")["<module>"])
    assert not mentions_docstrings(codes(f"'About it.'\n{names}")["<module>"])


def test_code_that_may_read_line_numbers_is_known_by_its_names():
    assert mentions_lines(codes("def f(g):\n    return g.__code__.co_firstlineno")["f"])
    assert not mentions_lines(codes("def f(g):\n    return g.__code__.co_name")["f"])
