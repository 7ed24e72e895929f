from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.impact.constants import UNKNOWN, converted, one_after_another, unconverted
from tests.effects.bitcode.reading.modules import body
from tests.methods.impact.constants.operations import numbers


def test_a_value_is_found_before_its_conversions_and_these_in_their_order():
    routine = body("%a = trunc i32 %x to i8\n%b = sext i8 %a to i64\n%c = add i64 %b, 1\nret void")

    assert unconverted(routine, routine.parameters + 1) == (1, ("trunc i32 to i8", "sext i8 to i64"))
    assert unconverted(routine, routine.parameters + 2) == (routine.parameters + 2, ())
    assert converted(456, ("trunc i32 to i8", "zext i8 to i32")) == 200
    assert converted(456, ("trunc i32 to i8", "sitofp i8 to double")) is UNKNOWN


@given(st.lists(st.sampled_from(("trunc i32 to i8", "zext i8 to i32")), max_size=6), numbers(32))
def test_conversions_that_are_repeated_count_once(shapes, number):
    chain = [shapes[0]] if shapes else []
    for each in shapes[1:]:
        if each != chain[-1]:
            chain.append(each)
    joined = one_after_another((), ())
    for each in chain:
        joined = one_after_another(joined, (each,))

    assert len(joined) <= 4
    if chain and chain[0].startswith("trunc"):
        assert converted(number, joined) == converted(number, chain)
