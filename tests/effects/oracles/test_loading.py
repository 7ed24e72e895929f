"""Oracles are loaded from files of users, who can write anything."""

from __future__ import annotations

import sys
from random import Random

import pytest

from sonde.core.errors import UsageError
from sonde.core.options import Configuration
from sonde.effects.oracles import load_oracle
from sonde.effects.oracles.loading import read_arguments

GOOD = """
import neighbour
class System:
    def __init__(self, options=2, revisions=5, word="x"):
        print("made")
        self.options = [f"o{i}" for i in range(options)]
        self.revisions = revisions
        self.word = word
    def value(self, revision, selected, rng):
        print("asked")
        return neighbour.BASE + revision + len(selected) + rng.random()
ready = System(3)
class NoValue:
    options, revisions = ["a"], 3
class Raises:
    def __init__(self):
        raise RuntimeError("no licence\\nfound.")
def leave():
    raise SystemExit(4)
class Made:
    def __init__(self, **parts):
        self.options, self.revisions, self.value = ["a", "b"], 3, lambda *_: 1.0
        vars(self).update(parts)
def numbered(): return Made(revisions=[3, 5, 9])
def strange_options(): return Made(options="ab")
def no_options(): return Made(options=[])
def same_options(): return Made(options=["a", "a"])
def number_options(): return Made(options=3)
def no_revisions(): return Made(revisions=0)
def half_a_revision(): return Made(revisions=2.5)
def true_revisions(): return Made(revisions=True)
def unordered(): return Made(revisions=[3, 3])
def text_revisions(): return Made(revisions="123")
def no_call(): return Made(value=3)
"""


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "modules", dict(sys.modules))
    (tmp_path / "neighbour.py").write_text("BASE = 10\n")
    found = tmp_path / "subjects.py"
    found.write_text(GOOD)
    return found


def complaint(text, arguments=""):
    with pytest.raises(UsageError) as raised:
        load_oracle(text, arguments)
    return str(raised.value)


def test_a_class_is_made_with_the_arguments(file, capsys):
    oracle = load_oracle(f"{file}:System", "options=3,revisions=4,word=fast")

    assert [option.name for option in oracle.options] == ["o0", "o1", "o2"]
    assert all(option.is_switch for option in oracle.options)
    assert oracle.revisions == (0, 1, 2, 3)
    one = Configuration.of({"o0": True, "o1": False, "o2": False})
    value = oracle.run(2, one, Random(1))
    assert isinstance(value, float)
    assert 13 <= value < 14
    assert capsys.readouterr().out == ""  # stdout is for our answer


def test_an_object_is_taken_as_it_is(file):
    assert len(load_oracle(f"{file}:ready").options) == 3
    assert "takes no arguments" in complaint(f"{file}:ready", "a=1")


def test_revisions_may_have_numbers(file):
    assert load_oracle(f"{file}:numbered").revisions == (3, 5, 9)


def test_arguments_are_numbers_where_they_look_so():
    read = read_arguments("a=1, b=2.5 ,c=-3,d=1e3,e=word,f=,g=1.2.3")

    assert read == {"a": 1, "b": 2.5, "c": -3, "d": 1000.0, "e": "word", "f": "", "g": "1.2.3"}
    assert [type(read[name]) for name in "abd"] == [int, float, float]
    assert read_arguments("  ") == {}


@pytest.mark.parametrize("text", ["a", "a=1,,b=2", "=3", "a b=1", "a=1,a=2"])
def test_other_arguments_are_errors(text):
    with pytest.raises(UsageError, match="oracle arguments"):
        read_arguments(text)


def test_mistakes_are_told_in_a_sentence(file, tmp_path):
    assert "write it as FILE.py:NAME" in complaint("System")
    assert "write it as FILE.py:NAME" in complaint(f"{file}:")
    assert "there is no such file. Name the Python file" in complaint(f"{tmp_path}/other.py:System")
    assert "this is not a file" in complaint(f"{tmp_path}:System")
    assert "there is no 'Sytem'. Did you mean 'System'? It has " in complaint(f"{file}:Sytem")
    text = complaint(f"{file}:System", "option=3")
    assert "cannot be created with option=3: TypeError" in text
    assert "--oracle-args" in text
    assert "no arguments: RuntimeError: no licence found. Fix it" in complaint(f"{file}:Raises")
    assert "SystemExit: 4" in complaint(f"{file}:leave")
    assert "the oracle has no 'value'. An oracle has `options`" in complaint(f"{file}:NoValue")
    assert "'value' of the oracle cannot be called" in complaint(f"{file}:no_call")
    assert "the option 'a' twice" in complaint(f"{file}:same_options")
    for name in ("strange_options", "no_options", "number_options"):
        assert "Make it a list of one name or more" in complaint(f"{file}:{name}")
    for name in ("no_revisions", "half_a_revision", "true_revisions", "unordered", "text_revisions"):
        assert "Make it their count, at least 1, or their numbers" in complaint(f"{file}:{name}")


def test_files_that_are_no_python(tmp_path):
    (tmp_path / "broken.py").write_text("def f(:\n")
    (tmp_path / "data.csv").write_text("a,b\n")
    (tmp_path / "raises.py").write_text("1 / 0\n")
    assert "cannot be loaded: SyntaxError" in complaint(f"{tmp_path}/broken.py:System")
    assert "this is not a Python file" in complaint(f"{tmp_path}/data.csv:System")
    assert "cannot be loaded: ZeroDivisionError: division by zero" in complaint(f"{tmp_path}/raises.py:a")
