"""Constraints as clauses: what is a clause stays one, and long lists stay short."""

from itertools import pairwise

import pytest

from sonde.core.options import Option
from sonde.space.counting import count
from sonde.space.expressions import Comparator, Counted, Fact, Not, Quantity, holds, options_of
from sonde.space.parser import parse
from sonde.space.solver.encoding import encode
from sonde.space.space import Space

SWITCHES = tuple(Option(f"o{at}", (False, True), False) for at in range(2_000))
LEVEL = Option("level", tuple(range(100)), 0)


def clauses_of(text, options):
    encoding = encode(options, [parse(text, options)])
    return [clause for group in encoding.groups for clause in group], encoding


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("o0 or not o1 or o2", [[1, -2, 3]]),
        ("o0 requires o1", [[-1, 2]]),
        ("o0 and o1 implies o2 or o3", [[-1, -2, 3, 4]]),
        ("o0 excludes o1", [[-1, -2]]),
        ("o0 implies at least one of o1, o2", [[-1, 2, 3]]),
        ("o0 iff o1", [[-1, 2], [1, -2]]),
        ("not (o0 or o1)", [[-1], [-2]]),
        ("at most one of o0, o1", [[-2, -1]]),
    ],
)
def test_what_is_a_clause_needs_no_new_variable(text, clauses):
    found, encoding = clauses_of(text, SWITCHES[:4])

    assert found == clauses
    assert encoding.last == 4


def test_a_model_of_clauses_stays_as_small_as_it_is():
    on = [Fact(option.name, Comparator.EQUAL, True) for option in SWITCHES]
    rules = [Counted(Quantity.AT_LEAST_ONE, (Not(one), other)) for one, other in pairwise(on)]

    encoding = encode(SWITCHES, rules)

    assert encoding.last == len(SWITCHES)
    assert len(encoding.clauses) == len(rules) + 1


@pytest.mark.parametrize("quantity", ["exactly one of", "at most one of"])
def test_a_long_list_needs_few_clauses(quantity):
    found, _ = clauses_of(f"{quantity} {', '.join(option.name for option in SWITCHES)}", SWITCHES)

    assert len(found) <= 3 * len(SWITCHES)


def test_a_number_with_many_levels_needs_few_clauses():
    found, encoding = clauses_of("level < 50 implies o0", (LEVEL, SWITCHES[0]))

    assert len(encoding.definitions) <= 3 * len(LEVEL.values)
    assert [len(clause) for clause in found] == [51]


@pytest.mark.parametrize("word", ["or", "and"])
def test_a_chain_of_thousands_is_no_deeper_than_one_of_two(word):
    text = f" {word} ".join(option.name for option in SWITCHES)
    space = Space.of(SWITCHES, [text])

    assert str(space.constraints[0]) == text
    assert len(list(options_of(space.constraints[0]))) == len(SWITCHES)
    assert holds(space.constraints[0], space.every_default.chosen) is False
    assert space.is_valid(space.default)
    assert sum(literal.value is True for literal in space.default) == (1 if word == "or" else len(SWITCHES))
    assert count(space).number == (2 ** len(SWITCHES) - 1 if word == "or" else 1)
