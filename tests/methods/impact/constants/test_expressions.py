"""Expressions of several operations, as LLVM computes them."""

from dataclasses import dataclass

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from sonde.core.code import Kind
from sonde.methods.impact.constants import UNKNOWN, ConstantValue, evaluate
from sonde.methods.impact.constants.values import kept
from tests.effects.bitcode.reading.modules import routine_of
from tests.methods.impact.constants.compiled import Compiled, function, loads, stores
from tests.methods.impact.constants.operations import PREDICATES, numbers
from tests.methods.impact.made_programs import made_routine, value_named

BATCH = 12  # expressions that are compiled together
GIVEN = (1, 8, 8, 32, 64)  # widths of what they are computed of
ALWAYS = ("add", "sub", "mul", "and", "or", "xor")
BY_CONSTANTS = ("udiv", "sdiv", "urem", "srem", "shl", "lshr", "ashr")  # 2 is no mistake from i4 on


@dataclass(frozen=True)
class Made:
    """The lines of an expression; the last value is the result."""

    lines: tuple[str, ...]
    value: str
    width: int


@st.composite
def expressions(draw: st.DrawFn) -> Made:
    """A graph of operations: each uses what was computed before, or a constant."""
    known = [(f"%a{number}", width) for number, width in enumerate(GIVEN)]
    lines: list[str] = []

    def of_width(width: int) -> str:
        found = [value for value, each in known if each == width]
        is_known = draw(st.integers(0, 4)) > 0
        if found and is_known:
            return str(draw(st.sampled_from(found)))
        number = kept(draw(numbers(width)), width)
        return str(number) if width > 1 else str(bool(number)).lower()

    for number in range(draw(st.integers(1, 12))):
        width = draw(st.sampled_from((1, 8, 16, 32, 64)))
        kind = draw(st.sampled_from(("always", "constant", "icmp", "select", "cast")))
        result = width
        if kind == "constant" and width > 1:
            text = f"{draw(st.sampled_from(BY_CONSTANTS))} i{width} {of_width(width)}, 2"
        elif kind == "icmp":
            result = 1
            text = f"icmp {draw(st.sampled_from(PREDICATES))} i{width} {of_width(width)}, {of_width(width)}"
        elif kind == "select":
            text = f"select i1 {of_width(1)}, i{width} {of_width(width)}, i{width} {of_width(width)}"
        elif kind == "cast" and width < 64:
            before = draw(st.sampled_from([each for each in (1, 8, 16, 32, 64) if each != width]))
            name = "trunc" if before > width else draw(st.sampled_from(("sext", "zext")))
            text = f"{name} i{before} {of_width(before)} to i{width}"
        else:
            text = f"{draw(st.sampled_from(ALWAYS))} i{width} {of_width(width)}, {of_width(width)}"
        lines.append(f"%v{number} = {text}")
        known.append((f"%v{number}", result))
    value, width = known[-1]
    return Made(tuple(lines), value, width)


def evaluated(made: Made, operands: list[ConstantValue]) -> ConstantValue:
    """What the engine makes of an expression, as the reader of bitcode gives it."""
    parameters = ", ".join(f"i{width} %a{n}" for n, width in enumerate(GIVEN))
    body = "\n".join(made.lines)
    text = f"define i{made.width} @f({parameters}) {{\n{body}\nret i{made.width} {made.value}\n}}"
    routine = routine_of(text)
    (last,) = [each for each in routine.instructions if each.kind is Kind.RETURN]
    return evaluate(
        routine, last.operands[0], lambda value: operands[value] if value < len(operands) else UNKNOWN
    )


@settings(max_examples=20, phases=(Phase.explicit, Phase.generate))
@given(st.lists(expressions(), min_size=BATCH, max_size=BATCH), st.data())
def test_an_expression_is_what_llvm_computes(batch, data):
    texts = [
        function(f"f{number}", [*loads(GIVEN), *made.lines, *stores([(made.value, made.width)])])
        for number, made in enumerate(batch)
    ]
    llvm = Compiled("\n".join(texts))
    for number, made in enumerate(batch):
        operands = [data.draw(numbers(width)) for width in GIVEN]
        (result,) = llvm.call(f"f{number}", operands)

        assert evaluated(made, list(operands)) == kept(result, made.width), made
        some: list[ConstantValue] = [UNKNOWN if data.draw(st.booleans()) else each for each in operands]
        assert evaluated(made, some) in (UNKNOWN, kept(result, made.width)), made


def test_a_value_that_needs_itself_is_unknown():
    routine = made_routine(
        "f", "a", "jump b\nb:\nx = compute y 1 shape add\ny = compute x 1 shape add\nreturn"
    )

    assert evaluate(routine, value_named(routine, "x"), lambda value: UNKNOWN) is UNKNOWN


def test_long_expressions_are_computed():
    lines = ["%v0 = add i32 %a, 1", *(f"%v{n} = add i32 %v{n - 1}, %v{n - 1}" for n in range(1, 3000))]
    body = "\n".join(lines)
    routine = routine_of(f"define i32 @f(i32 %a) {{\n{body}\nret i32 %v2999\n}}")

    assert (
        evaluate(routine, routine.instructions[-1].operands[0], lambda value: 1 if value == 0 else UNKNOWN)
        == 0
    )
