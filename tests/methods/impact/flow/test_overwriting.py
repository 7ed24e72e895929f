import random

from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.core.code import Kind
from tests.methods.impact.flow_questions import Asked
from tests.methods.impact.made_programs import made_global, made_routine

LIMIT = made_global("limit")
HOT = made_routine("hot", "", "v = load @limit; return v")
RESET = made_routine("reset", "", "store @limit 7 size 8; return")
SET = made_routine("set", "at x", "store at x size 8; return")


def _hops(text, *others, target="hot.v"):
    return Asked(LIMIT, HOT, *others, made_routine("main", "argc argv", text)).hops("main.argc", target)


def test_a_value_that_is_overwritten_at_once_is_not_seen():
    assert _hops("store @limit argc size 8; store @limit 7 size 8; r = call hot; return r") is None


def test_a_value_is_seen_where_it_is_overwritten_on_one_way_only():
    choose = "branch argv yes no\nyes:\nstore @limit 7 size 8; jump no\nno:\n"
    text = f"store @limit argc size 8; {choose}r = call hot; return r"

    assert _hops(text) == 0


def test_a_load_before_the_overwriting_store_sees_the_value():
    text = "store @limit argc size 8; v = load @limit; store @limit 7 size 8; r = call hot; return r"

    assert _hops(text, target="main.v") == 0
    assert _hops(text) is None


def test_a_routine_that_always_overwrites_does_so_for_its_caller():
    assert _hops("store @limit argc size 8; call reset; r = call hot; return r", RESET) is None


def test_a_routine_that_may_return_before_does_not():
    reset = made_routine("reset", "x", "branch x yes no\nyes:\nstore @limit 7 size 8; return\nno:\nreturn")

    assert _hops("store @limit argc size 8; call reset argv; r = call hot; return r", reset) == 0


def test_a_value_that_a_called_routine_stored_is_overwritten_by_its_caller():
    assert _hops("call set @limit argc; store @limit 7 size 8; r = call hot; return r", SET) is None
    assert _hops("call set @limit argc; r = call hot; store @limit 7 size 8; return r", SET) == 0


def test_overwriting_a_part_leaves_the_rest():
    text = "store @limit argc size 8; store @limit 7 size 1; r = call hot; return r"

    assert _hops(text) == 0


def test_what_runs_at_any_time_sees_the_value_before():
    assert _hops("call signal 2 @hot; store @limit argc size 8; store @limit 7 size 8; return 0") == 0


def test_a_store_through_a_pointer_to_two_variables_overwrites_neither():
    other = made_global("other")
    main = made_routine(
        "main",
        "argc argv",
        "store @limit argc size 8; call set @limit 7; call set @other 7; r = call hot; return r",
    )

    assert Asked(LIMIT, other, HOT, SET, main).hops("main.argc", "hot.v") == 0


NAMES = ("main", "f", "g", "h")
ACTIONS = (
    "store @limit {} size 8",
    "store @other {} size 8",
    "load @limit",
    "load @other",
    "call f",
    "call g",
    "call h",
)


@st.composite
def programs(draw):
    """Routines that load, store, call each other and branch at will; each store has a value of its own."""
    made = []
    for name in NAMES:
        blocks = draw(st.integers(1, 4))
        lines = []
        for block in range(blocks):
            lines.append(f"b{block}:")
            for action in draw(st.lists(st.sampled_from(ACTIONS), max_size=4)):
                number = len(lines)
                if action.startswith("store"):
                    lines += [f"s{number} = compute p 1", action.format(f"s{number}")]
                else:
                    lines.append(f"v{number} = {action}" + (" p" if action.startswith("call") else ""))
            after = draw(st.lists(st.integers(0, blocks - 1).filter(bool), max_size=2)) if blocks > 1 else []
            lines.append(
                "return"
                if not after
                else f"jump b{after[0]}"
                if len(after) == 1
                else f"branch p b{after[0]} b{after[1]}"
            )
        made.append(made_routine(name, "p", "\n".join(lines)))
    return [LIMIT, made_global("other"), *made]


@given(made=programs(), seed=st.integers(0, 2**32))
@settings(max_examples=300)
def test_a_load_sees_the_value_that_an_execution_stored_last(made, seed):
    asked = Asked(*made)

    for stored, loaded in _seen(asked.program, random.Random(seed)):
        assert asked.flow.value(*stored) in _reached_from(asked, loaded)


def _reached_from(asked, place):
    """The nodes that come to a load over its cell alone."""
    flow, node = asked.flow, asked.flow.value(*place)
    found, waiting = {node}, [node]
    while waiting:
        for other, _, _ in flow.predecessors(waiting.pop()):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return found


def _seen(program, rng, most=200):
    """Pairs of a stored value and a load that saw it, each by routine and value, in a random execution."""
    names = {each.name: number for number, each in enumerate(program.routines)}
    memory: dict[str, tuple[int, int]] = {}
    stack = [(names["main"], 0)]
    for _ in range(most):
        if not stack:
            return
        routine, position = stack.pop()
        code = program.routines[routine]
        each = code.instructions[position]
        called = min(each.operands, default=0)
        name = getattr(code.outside[~called], "name", "") if called < 0 else ""
        if each.kind is Kind.RETURN:
            continue
        if each.targets:
            stack.append((routine, code.blocks[rng.choice(each.targets)][0]))
            continue
        stack.append((routine, position + 1))
        if each.kind is Kind.STORE:
            memory[name] = routine, each.operands[1]
        elif each.kind is Kind.LOAD and name in memory:
            yield memory[name], (routine, code.parameters + position)
        elif each.kind is Kind.CALL:
            stack.append((names[name], 0))
