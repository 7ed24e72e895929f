"""The language of constraints: reading, writing, holding, and its mistakes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.options import Option
from sonde.space.expressions import Counted, Fact, Joined, Not, holds, options_of
from sonde.space.parser import parse
from sonde.space.tokens import ConstraintError
from tests.space.strategies import configurations, expressions, some_options

SWITCH = (False, True)
OPTIONS = (
    Option("filter", SWITCH, False),
    Option("checksum", SWITCH, False),
    Option("no-cache", SWITCH, False),
    Option("level", (1, 5, 9), 5),
    Option("algorithm", ("lz", "rle", "lz 4"), "lz"),
)


def chosen(**values):
    given_values = {option.name: option.default for option in OPTIONS}
    return given_values | {name.replace("_", "-"): value for name, value in values.items()}


@given(data=st.data(), options=some_options())
def test_a_written_expression_reads_back_as_itself(data, options):
    expression = data.draw(expressions(options))

    assert parse(str(expression), options) == expression


@given(data=st.data(), options=some_options())
def test_an_expression_holds_as_the_truth_tables_say(data, options):
    expression = data.draw(expressions(options))
    configuration = data.draw(configurations(options))

    assert holds(expression, configuration.chosen) == slow_twin(expression, configuration)


def slow_twin(expression, configuration):
    """Evaluate from the truth table of each connective."""

    def value(node):
        if isinstance(node, Fact):
            left, right = configuration[node.option], node.value
            return {
                "=": left == right,
                "!=": left != right,
                "<": lambda: left < right,
                "<=": lambda: left <= right,
                ">": lambda: left > right,
                ">=": lambda: left >= right,
            }[node.relation.value]
        if isinstance(node, Not):
            return not true(node.operand)
        if isinstance(node, Counted):
            how_many = len([operand for operand in node.operands if true(operand)])
            return how_many in {"exactly one of": [1], "at most one of": [0, 1]}.get(
                node.quantity.value, range(1, len(node.operands) + 1)
            )
        assert isinstance(node, Joined)
        table = {
            "and": {(True, True)},
            "or": {(True, True), (True, False), (False, True)},
            "implies": {(True, True), (False, True), (False, False)},
            "requires": {(True, True), (False, True), (False, False)},
            "excludes": {(True, False), (False, True), (False, False)},
            "iff": {(True, True), (False, False)},
        }[node.connective.value]
        return (true(node.left), true(node.right)) in table

    def true(node):
        result = value(node)
        return result() if callable(result) else result

    return true(expression)


@given(data=st.data(), options=some_options())
def test_the_options_of_an_expression_are_those_of_the_space(data, options):
    expression = data.draw(expressions(options))

    assert set(options_of(expression)) <= {option.name for option in options}


@given(text=st.text(alphabet="ab!=<>()\"', .-59andorlevel implies", max_size=30) | st.text(max_size=12))
def test_any_text_is_a_constraint_or_a_mistake_with_a_column_in_it(text):
    mistake = mistake_in(text)

    assert mistake is None or (1 <= mistake.column <= len(text) + 1 and mistake.message)


def mistake_in(text):
    try:
        parse(text, OPTIONS)
    except ConstraintError as mistake:
        return mistake
    return None


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("filter implies not checksum", chosen(filter=True, checksum=True), False),
        ("filter implies not checksum", chosen(filter=True), True),
        ("not filter or checksum and level = 9", chosen(filter=True, checksum=True), False),
        ("(not filter or checksum) and level = 5", chosen(filter=True, checksum=True), True),
        ("filter excludes no-cache", chosen(filter=True, no_cache=True), False),
        ("filter requires level>=5", chosen(filter=True, level=1), False),
        ("!filter iff level<5", chosen(level=1), True),
        ("exactly one of filter, checksum, level=9", chosen(level=9), True),
        ("at most one of filter, checksum", chosen(filter=True, checksum=True), False),
        ("filter implies at least one of checksum, algorithm = 'lz 4'", chosen(filter=True), False),
        ('algorithm != "lz 4"', chosen(), True),
    ],
)
def test_constraints_mean_what_they_say(text, values, expected):
    assert holds(parse(text, OPTIONS), values) is expected


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "expected the name of an option, 'not' or '(', found the end."),
        (
            "filter implis checksum",
            8,
            (
                "expected 'and', 'or', 'implies', 'requires', 'excludes', 'iff' or the end, found 'implis'. "
                "Did you mean 'implies'?"
            ),
        ),
        ("filter and", 11, "expected the name of an option, 'not' or '(', found the end."),
        ("(filter or checksum", 20, "expected ')' for the '(' in column 1, found the end."),
        (
            "filtre or checksum",
            1,
            (
                "option 'filtre' is not in the space. Did you mean 'filter'? "
                "Known options: filter, checksum, no-cache, level, algorithm."
            ),
        ),
        (
            "filter implies not rle",
            20,
            (
                "option 'rle' is not in the space. Did you mean 'algorithm = rle'? "
                "Known options: filter, checksum, no-cache, level, algorithm."
            ),
        ),
        (
            "filter = 3",
            10,
            "'filter' is on or off and has no value 3: write 'filter' or 'not filter'.",
        ),
        ("level", 1, "'level' is not an on/off option: write 'level = 5', or another of 1, 5, 9."),
        ("level = 4", 9, "'level' has no value '4'. It has 1, 5, 9."),
        ("level < high", 9, "'level' is a number, and 'high' is not."),
        (
            "algorithm > lz",
            13,
            "'algorithm' has strings as values, which have no order. Write = or != instead of >.",
        ),
        ("algorithm = rl", 13, "'algorithm' has no value 'rl'. Did you mean 'rle'? It has lz, rle, lz 4."),
        ("level >=", 9, "expected a value after '>=', found the end."),
        ("filter && checksum", 8, "'&&' is not valid here: write 'and'."),
        ("filter->checksum", 7, "'->' is not valid here: write 'implies'."),
        (
            "filter implies checksum implies no-cache",
            25,
            "a second 'implies' is ambiguous: put parentheses around what belongs together.",
        ),
        (
            "exactly one of filter, checksum and no-cache",
            33,
            (
                "expected ',' or the end of the list, found 'and': "
                "put 'exactly one of ...' in parentheses to join it with 'and'."
            ),
        ),
        (
            "filter and exactly one of checksum, no-cache",
            12,
            "put parentheses around this list to join it with other parts.",
        ),
        (
            "algorithm = 'lz",
            13,
            "the string that begins with ' is not closed: write a second ' after it.",
        ),
        ("filter or #", 11, "'#' is not valid here: put a value with such a character in quotes."),
    ],
)
def test_a_mistake_is_told_with_its_column_and_what_to_write(text, column, message):
    with pytest.raises(ConstraintError) as caught:
        parse(text, OPTIONS)

    assert (caught.value.column, caught.value.message) == (column, message)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("(" * 5000 + "checksum" + ")" * 5000, "more than 8,000 words"),
        ("(" * 300 + "checksum" + ")" * 300, "nested more than 100 levels deep"),
        ("not " * 300 + "checksum", "nested more than 100 levels deep"),
        (" or ".join(["checksum"] * 5000), "more than 8,000 words"),
        (f"level > {'9' * 5000}", "is a number"),
    ],
)
def test_what_is_too_long_or_too_deep_is_refused_with_a_sentence(text, said):
    options = (Option("checksum", (False, True), False), Option("level", (1, 5), 1))

    with pytest.raises(ConstraintError, match=said):
        parse(text, options)


def test_of_a_long_constraint_only_the_surroundings_of_the_mistake_are_shown():
    text = " or ".join(["checksum"] * 500) + " or treads"

    with pytest.raises(ConstraintError) as caught:
        parse(text, (Option("checksum", (False, True), False),))

    assert len(str(caught.value)) < 500
    assert "or treads'" in str(caught.value)
