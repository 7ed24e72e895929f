from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.core.digests import digest
from sonde.core.options import Literal, Phase
from sonde.core.revisions import Span

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(value=plain)
def test_equal_values_have_equal_digests(value):
    assert digest(value) == digest(value)


@given(mapping=st.dictionaries(st.text(), st.integers(), min_size=1))
def test_the_order_of_a_mapping_does_not_matter(mapping):
    assert digest(mapping) == digest(dict(reversed(mapping.items())))


@given(first=st.tuples(st.text(), st.text()), second=st.tuples(st.text(), st.text()))
def test_parts_do_not_run_into_each_other(first, second):
    assert (digest(*first) == digest(*second)) == (first == second)


def test_values_of_different_kinds_differ():
    assert len({digest(Span("a")), digest(Span(until="a")), digest({"since": "a", "until": ""})}) == 3
    assert digest(frozenset([Literal("a", True), Literal("b", 1)])) == digest(
        frozenset([Literal("b", 1), Literal("a", True)])
    )
    assert digest(Phase.BUILD) != digest(Phase.LOAD)


def test_what_has_no_stable_digest_is_refused():
    with pytest.raises(TypeError, match="object has no digest"):
        digest(object())


def test_a_digest_stays_the_same_from_version_to_version():
    # A changed digest would make every stored measurement unknown.
    assert digest("a", 1, Span("v1")) == ("113484d0f8cbeb8e35126ced16659abc5d2ff390746f0cc1149067199aac86e8")
