import random

from hypothesis import given
from hypothesis import strategies as st

from sonde.core.code import Kind
from sonde.methods.impact.points_to import solve
from sonde.methods.impact.program.calls import find_calls
from sonde.methods.impact.program.order import Order, is_call
from tests.methods.impact.made_programs import made_program, made_routine

NAMES = ("main", "f", "g", "h")


@st.composite
def programs(draw):
    """Routines that call each other and branch at will; nothing else happens in them."""
    made = []
    for name in NAMES:
        blocks = draw(st.integers(1, 4))
        lines = []
        for block in range(blocks):
            lines.append(f"b{block}:")
            for _ in range(draw(st.integers(0, 2))):
                lines.append(
                    draw(st.sampled_from(["s{} = compute p 1", "call f p", "call g p", "call h p"])).format(
                        len(lines)
                    )
                )
            after = (
                draw(st.lists(st.integers(1, blocks - 1), min_size=1, max_size=2))
                if blocks > 1 and draw(st.booleans())
                else []
            )
            if not after:
                lines.append("return")
            elif len(after) == 1:
                lines.append(f"jump b{after[0]}")
            else:
                lines.append(f"branch p b{after[0]} b{after[1]}")
        made.append(made_routine(name, "p", "\n".join(lines)))
    return made_program(*made)


def _run(program, rng, most=120):
    """The instructions of one execution at random, from main on."""
    names = {each.name: number for number, each in enumerate(program.routines)}
    trace: list[tuple[int, int]] = []
    stack = [(names["main"], 0)]
    while stack and len(trace) < most:
        routine, position = stack.pop()
        code = program.routines[routine]
        instruction = code.instructions[position]
        trace.append((routine, position))
        if instruction.kind is Kind.RETURN:
            continue
        if instruction.targets:
            stack.append((routine, code.blocks[rng.choice(instruction.targets)][0]))
            continue
        stack.append((routine, position + 1))
        if instruction.kind is Kind.CALL:
            stack.append((names[code.outside[~instruction.operands[0]].name], 0))
    return trace


@given(programs(), st.integers(0, 2**32))
def test_whatever_follows_in_an_execution_may_follow(program, seed):
    order = Order(program, find_calls(program, solve(program)), [each.routes for each in program.routines])
    rng = random.Random(seed)

    for _ in range(5):
        trace = _run(program, rng)
        for first in rng.sample(range(len(trace)), min(8, len(trace))):
            routine, position = trace[first]
            after = order.after(routine, position, is_call(program, routine, position))
            for other, other_position in set(trace[first + 1 :]):
                assert after >> other & 1 or order.may_follow(routine, position, other, other_position)
