"""Where some bits of a value come to."""

from sonde.methods.impact.constants import ALL_BITS
from sonde.methods.impact.flow.building import build_flow
from sonde.methods.impact.points_to import solve
from sonde.methods.impact.reach.bit_flow import BitFlow
from sonde.methods.impact.reach.moments import ExecutionOrder
from tests.methods.impact.made_programs import made_global, made_program, made_routine, value_named


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
    found = BitFlow(flow).reached({node: bits}, ExecutionOrder(flow).always())
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
    assert marked(TEXT, ALL_BITS) == {"v", "a", "b", "c", "d", "e"}


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
