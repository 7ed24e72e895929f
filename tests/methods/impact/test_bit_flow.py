"""Which bits of a result depend on which bits of its operands."""

from hypothesis import given
from hypothesis import strategies as st

from sonde.methods.impact.bit_flow import ALL, BitFlow, computed_bits
from sonde.methods.impact.flow import build_flow
from sonde.methods.impact.moments import Timeline
from sonde.methods.impact.points_to import solve
from tests.methods.impact.made_programs import made_global, made_program, made_routine, value_named

MASK = (1 << 32) - 1
words = st.integers(0, MASK)


def signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


OPERATIONS = {
    "and i32": lambda a, b: a & b,
    "or i32": lambda a, b: a | b,
    "xor i32": lambda a, b: a ^ b,
    "shl i32": lambda a, b: a << b % 32,
    "lshr i32": lambda a, b: a >> b % 32,
    "ashr i32": lambda a, b: signed(a, 32) >> b % 32,
    "trunc i32 to i8": lambda a, _: a & 0xFF,
    "zext i32 to i64": lambda a, _: a,
    "sext i8 to i32": lambda a, _: signed(a & 0xFF, 8),
    "add i32": lambda a, b: a + b,
    "icmp eq i32": lambda a, b: int(a == b),
}


@given(st.sampled_from(sorted(OPERATIONS)), words, words, words, words)
def test_other_bits_of_a_result_stay_when_some_bits_of_a_value_change(shape, value, other, bits, number):
    if "to" in shape.split():
        bits, given_bits, numbers = bits & 0xFF, [bits & 0xFF], [None]
    else:
        number = number % 32 if "sh" in shape else number
        given_bits, numbers = [bits, 0], [None, number]
    found = computed_bits(shape, given_bits, numbers)
    if found is None:
        return
    compute = OPERATIONS[shape]
    changed = value ^ (other & bits)
    assert (compute(value, number) ^ compute(changed, number)) & MASK & ~found == 0


def test_what_adds_or_compares_depends_on_all():
    assert computed_bits("add i32", [4, 0], [None, 1]) is None
    assert computed_bits("icmp eq i32", [4, 0], [None, 4]) is None
    assert computed_bits("and <4 x i32>", [4, 0], [None, 4]) is None


def test_a_mask_without_the_bits_holds_nothing_of_them():
    assert computed_bits("and i32", [4, 0], [None, 3]) == 0
    assert computed_bits("and i32", [4, 0], [None, -5]) == 0
    assert computed_bits("or i32", [4, 0], [None, 4]) == 0
    assert computed_bits("lshr i32", [4, 0], [None, 2]) == 1


def marked(text: str, bits: int, begin: str = "v") -> set[str]:
    """The named values of main that some bits of a value come to."""
    program = made_program(
        made_global("flags", size=4),
        made_global("other", size=4),
        made_routine("test", "p", 'a = compute p 4 shape "and i32"\nreturn a'),
        made_routine("main", "argc argv", text),
    )
    flow = build_flow(program, solve(program))
    main = next(program.find_routines("main"))
    code = program.routines[main]
    node = flow.value(main, value_named(code, begin))
    found = BitFlow(flow).reached({node: bits}, Timeline(flow).always())
    assert found is not None
    names = "abcdefghv"
    return {
        name
        for name in names
        if f" {name} = " in f" {text}" and found[flow.value(main, value_named(code, name))]
    }


TEXT = """
    v = load @flags size 4
    store @other v size 4
    a = load @other size 4
    b = compute a 4 shape "and i32"
    c = compute a 2 shape "and i32"
    d = compute c 0 shape "icmp ne i32"
    e = compute b 0 shape "icmp ne i32"
    branch d yes no
  yes:
    return
  no:
    return
"""


def test_bits_stay_apart_through_memory():
    assert marked(TEXT, 4) == {"v", "a", "b", "e"}
    assert marked(TEXT, 2) == {"v", "a", "c", "d"}
    assert marked(TEXT, ALL) == {"v", "a", "b", "c", "d", "e"}


def test_a_sum_on_the_way_mixes_them():
    text = TEXT.replace("store @other v", 'g = compute v 1 shape "add i32"\n    store @other g')
    assert marked(text, 4) == {"v", "g", "a", "b", "c", "d", "e"}


def test_what_is_loaded_in_another_size_mixes_them():
    text = TEXT.replace("a = load @other size 4", "a = load @other size 1")
    assert marked(text, 4) == {"v", "a", "b", "c", "d", "e"}


def test_a_routine_that_masks_gives_back_only_its_bits():
    text = """
    v = load @flags size 4
    a = call test v
    b = compute a 0 shape "icmp ne i32"
    return b
"""
    assert marked(text, 4) == {"v", "a", "b"}
    assert marked(text, 2) == {"v"}


def test_the_mask_itself_decides_about_all_bits():
    text = """
    v = load @flags size 4
    a = load @other size 4
    b = compute a v shape "and i32"
    c = compute b 2 shape "and i32"
    return c
"""
    assert marked(text, 4) == {"v", "b"}
    assert marked(text, 2) == {"v", "b", "c"}
