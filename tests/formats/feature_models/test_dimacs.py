"""DIMACS: what clauses say, and what is written of a space."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sonde.core.options import Option
from sonde.formats.feature_models.dimacs import read_dimacs, write_dimacs
from sonde.formats.feature_models.errors import ModelError
from sonde.space.space import Space
from tests.effects.models.spaces import PACKER_DIMACS, as_set, valid_values
from tests.space.strategies import expressions

SWITCH = (False, True)

MISTAKES = {
    "no-header": "1 0\n",
    "nothing": "c only a comment\n",
    "header": "p sat 3 4\n",
    "second-header": "p cnf 1 1\np cnf 1 1\n1 0\n",
    "out-of-range": "p cnf 2 1\n1 -3 0\n",
    "huge": "p cnf 2 1\n99999999999999999999 0\n",
    "word": "p cnf 2 1\n1 two 0\n",
    "empty-clause": "p cnf 2 2\n1 0\n0\n",
    "unfinished": "p cnf 2 2\n1 0\n-1 2",
    "too-few": "p cnf 2 3\n1 0\n2 0\n",
    "too-many": "p cnf 2 1\n1 0\n2 0\n",
    "a-billion": "p cnf 999999999 1\n1 0\n",
    "no-variables": "p cnf 0 0\n",
    "same-name": "c 1 a\nc 2 a\np cnf 2 1\n1 0\n",
}


def test_clauses_become_sentences():
    space = read_dimacs(PACKER_DIMACS)

    assert [option.name for option in space.options] == ["packer", "x2", "lz", "and_"]
    assert [str(constraint) for constraint in space.constraints] == [
        "packer",
        "lz implies packer",
        "lz excludes and_",
        "at least one of packer, x2, lz, and_",
    ]


def test_every_mistake_is_told_with_its_line_and_its_remedy(golden):
    messages = []
    for name, text in MISTAKES.items():
        with pytest.raises(ModelError) as caught:
            read_dimacs(text, "model.dimacs")
        messages.append(f"{name}\n  {caught.value}\n")

    golden("models/dimacs-mistakes.txt", "".join(messages))


@given(data=st.data())
def test_what_is_written_reads_back_as_the_same_space(data):
    options = tuple(Option(name, SWITCH, False) for name in ("a", "checksum", "no-cache", "x3"))
    space = Space(options, tuple(data.draw(st.lists(expressions(options), max_size=4))))
    assume(valid_values(space))
    again = read_dimacs(write_dimacs(space))

    assert again.options == options
    assert as_set(valid_values(again)) == as_set(valid_values(space))


@given(data=st.data())
def test_a_value_becomes_a_variable(data):
    options = (Option("level", (1, 2.5, 9), 1), Option("way", ("a b", "c"), "c"), Option("on", SWITCH, False))
    space = Space(options, tuple(data.draw(st.lists(expressions(options), max_size=3))))
    assume(valid_values(space))
    again = read_dimacs(write_dimacs(space))

    assert [option.name for option in again.options] == [
        "level_1",
        "level_2.5",
        "level_9",
        "way_a_b",
        "way_c",
        "on",
    ]
    assert len(valid_values(again)) == len(valid_values(space))
