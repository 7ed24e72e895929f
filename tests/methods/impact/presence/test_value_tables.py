from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.impact.constants import UNKNOWN, ConstantValue
from sonde.methods.impact.presence.value_tables import Domain, joined, tells_more, within

domains = st.lists(st.integers(2, 3), min_size=1, max_size=4).map(
    lambda sizes: Domain(tuple(tuple(range(each)) for each in sizes))
)
tables = st.dictionaries(st.sampled_from((UNKNOWN, 0, 1, 2)), st.integers(1, 15))


def configurations(domain: Domain) -> list[tuple[ConstantValue, ...]]:
    """In the order of their bits: the first option changes fastest."""
    return [each[::-1] for each in product(*reversed(domain.values))]


@given(domains, st.data())
def test_the_configurations_that_have_a_value_are_those(domain, data):
    option = data.draw(st.integers(0, len(domain.values) - 1))
    value = data.draw(st.integers(0, len(domain.values[option]) - 1))

    bits = domain.having(option, value)
    assert [bool(bits >> n & 1) for n in range(domain.size)] == [
        each[option] == value for each in configurations(domain)
    ]


@given(domains, st.data())
def test_a_set_depends_on_an_option_if_changing_it_alone_leads_out_of_the_set(domain, data):
    option = data.draw(st.integers(0, len(domain.values) - 1))
    chosen = data.draw(st.integers(0, domain.all))
    valid = data.draw(st.integers(0, domain.all))

    every = configurations(domain)
    number = {each: n for n, each in enumerate(every)}
    plain = any(
        (chosen >> number[a] & 1) != (chosen >> number[b] & 1)
        for a in every
        for b in every
        if [n for n in range(len(a)) if a[n] != b[n]] == [option]
        and valid >> number[a] & 1
        and valid >> number[b] & 1
    )
    assert domain.depends(chosen, option, valid) == plain


def test_joined_tables_hold_what_either_holds():
    assert joined({1: 0b01}, {1: 0b10, 2: 0b01}) == {1: 0b11, 2: 0b01}
    assert within({1: 0b11, 2: 0b01}, 0b10) == {1: 0b10}


def test_too_many_values_are_unknown():
    assert joined(dict.fromkeys(range(8), 1), {9: 2}) == {UNKNOWN: 3}


def possible(table, configuration):
    """The values of a table in one configuration; whatever they are if any is possible."""
    found = {value for value, mask in table.items() if mask >> configuration & 1}
    return {UNKNOWN} if UNKNOWN in found else found


@given(tables, tables)
def test_in_each_configuration_joined_tables_hold_what_either_holds_or_anything(first, second):
    both = joined(first, second)

    for configuration in range(4):
        either = possible(first, configuration) | possible(second, configuration)
        expected = {UNKNOWN} if UNKNOWN in either else either
        assert {value for value, mask in both.items() if mask >> configuration & 1} == expected


@given(tables, tables, st.integers(0, 15))
def test_a_table_tells_more_if_joining_it_makes_a_difference(table, known, configurations):
    before = joined(known, {})
    after = joined(before, within(table, configurations))

    assert tells_more(table, before, configurations) == (after != before)
