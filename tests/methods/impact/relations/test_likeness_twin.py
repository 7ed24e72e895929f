"""Which configurations are alike, beside a plain execution of random programs in each configuration."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from sonde.core.options import Configuration
from sonde.methods.impact.answer import answer
from sonde.methods.impact.hot.code import Hotness
from sonde.methods.impact.options.variables import Choice, OptionInCode
from sonde.methods.impact.question import Question
from tests.methods.impact.made_programs import made_global, made_routine, made_unit
from tests.methods.impact.test_answer import HOT

NAMES = ("fast", "slow", "late")
READING = """
    n = local size 4
    m = local size 4
    store n 1 size 4
    store m 7 size 4
    jump loop
  loop:
    r = call getopt argc argv "fsl"
    e = compute r -1 shape "icmp eq i32"
    branch e done more
  more:
    switch r loop 102:setfast 115:setslow 108:setlate
  setfast:
    store @fast 1 size 4
    jump loop
  setslow:
    store @slow 1 size 4
    jump loop
  setlate:
    store @late 1 size 4
    jump loop
  done:
"""
OPTIONS = tuple(
    OptionInCode(name, (name,), choices=(Choice(False, ()), Choice(True, (f"-{name[0]}",)))) for name in NAMES
)


@dataclass(frozen=True)
class Set:
    """`n = value`."""

    value: int


@dataclass(frozen=True)
class Grow:
    """`n *= factor`."""

    factor: int


@dataclass(frozen=True)
class Copy:
    """`n = m`, where nothing but the start of the program sets `m`; or `n = n + m`."""

    is_added: bool


@dataclass(frozen=True)
class Turn:
    """`option = value`, after the command line was read."""

    option: str
    value: int


@dataclass(frozen=True)
class Changed:
    """`hot (n * number)`: the number is what changes."""


@dataclass(frozen=True)
class If:
    """`if (option) {...} else {...}`."""

    option: str
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


Statement = Set | Grow | Copy | Turn | Changed | If
OPTION = st.sampled_from(NAMES)
SIMPLE = st.one_of(
    st.builds(Set, st.integers(2, 4)),
    st.builds(Grow, st.integers(2, 3)),
    st.builds(Copy, st.booleans()),
    st.builds(Turn, OPTION, st.integers(0, 1)),
    st.just(Changed()),
)


def several(inner: st.SearchStrategy[Statement]) -> st.SearchStrategy[tuple[Statement, ...]]:
    return st.lists(inner, max_size=3).map(tuple)


STATEMENT = st.recursive(
    SIMPLE, lambda inner: st.builds(If, OPTION, several(inner), several(inner)), max_leaves=6
)
PROGRAM = st.lists(STATEMENT, min_size=1, max_size=5).map(tuple)


def written(statements: tuple[Statement, ...], number: int) -> str:
    """A program as a text; each value and block has a name of its own."""
    names = (f"x{at}" for at in itertools.count())

    def lines(several: tuple[Statement, ...]):
        for each in several:
            one, two, three = (next(names) for _ in range(3))
            match each:
                case Set(value):
                    yield f"store n {value} size 4"
                case Grow(factor):
                    yield f"{one} = load n size 4"
                    yield f'{two} = compute {one} {factor} shape "mul i32"'
                    yield f"store n {two} size 4"
                case Copy(is_added):
                    yield f"{one} = load m size 4"
                    if is_added:
                        yield f"{two} = load n size 4"
                        yield f'{three} = compute {one} {two} shape "add i32"'
                    yield f"store n {three if is_added else one} size 4"
                case Turn(option, value):
                    yield f"store @{option} {value} size 4"
                case Changed():
                    yield f"{one} = load n size 4"
                    yield f'{two} = compute {one} {number} shape "mul i32"'
                    yield f"call hot {two}"
                case If(option, then, otherwise):
                    yield f"{one} = load @{option} size 4"
                    yield f'{two} = compute {one} 0 shape "icmp ne i32"'
                    yield f"branch {two} then{three} else{three}"
                    yield f"then{three}:"
                    yield from lines(then)
                    yield f"jump end{three}"
                    yield f"else{three}:"
                    yield from lines(otherwise)
                    yield f"jump end{three}"
                    yield f"end{three}:"

    return READING + "\n".join(lines(statements)) + "\nreturn\n"


def executed(statements: tuple[Statement, ...], chosen: dict[str, bool]) -> list[int]:
    """What `n` is at each call whose number changes."""
    held = {"n": 1, **{name: int(value) for name, value in chosen.items()}}
    found: list[int] = []

    def run(several: tuple[Statement, ...]) -> None:
        for each in several:
            match each:
                case Set(value):
                    held["n"] = value
                case Grow(factor):
                    held["n"] *= factor
                case Copy(is_added):
                    held["n"] = 7 + (held["n"] if is_added else 0)
                case Turn(option, value):
                    held[option] = value
                case Changed():
                    found.append(held["n"])
                case If(option, then, otherwise):
                    run(then if held[option] else otherwise)

    run(statements)
    return found


def unit_of(statements: tuple[Statement, ...], number: int):
    globals_ = [made_global(each, size=4) for each in NAMES]
    return (made_unit(*globals_, HOT, made_routine("main", "argc argv", written(statements, number))),)


@settings(suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(PROGRAM)
@example((If("fast", (Turn("fast", 0),), (Set(4),)), Turn("fast", 1), Changed()))
@example((If("fast", (Turn("fast", 0), If("fast", (), (Changed(),))), ()), If("slow", (Changed(),), ())))
def test_alike_configurations_do_the_same_with_what_changed(statements):
    chosen = [dict(zip(NAMES, each, strict=True)) for each in itertools.product((False, True), repeat=3)]
    done = [executed(statements, each) for each in chosen]
    assume(any(done))
    question = Question(
        unit_of(statements, 5), unit_of(statements, 50), (Hotness("hot"),), OPTIONS, fixed_words=()
    )

    found = answer(question, lambda: 0.0)

    assert found.is_relevant
    assume(found.partition is not None)
    assert found.partition is not None
    seen: dict[object, list[int]] = {}
    for each, doing in zip(chosen, done, strict=True):
        key = found.partition.of(Configuration.of(each))
        if key is None:
            assert not doing, f"{each} executes what changed"
        else:
            assert seen.setdefault(key, doing) == doing, f"{each} is not alike"
