"""Presence against its slow twin: the program is run for all values of its options and all data."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.methods.impact.flow.building import build_flow
from sonde.methods.impact.options.variables import find_reads
from sonde.methods.impact.points_to import solve
from sonde.methods.impact.presence.routines import Routines
from sonde.methods.impact.presence.spaces import Presence
from sonde.methods.impact.presence.value_tables import Domain
from tests.methods.impact.made_programs import block_named, made_global, made_program, made_routine
from tests.methods.impact.shapes import shaped_routine

OPTIONS = ("a", "b", "c")
DATA = "data"


@dataclass(frozen=True)
class If:
    """A decision by options that all have to be on, or by data if there are none."""

    options: tuple[str, ...]
    is_negated: bool
    then: tuple["If", ...]
    otherwise: tuple["If", ...]


def trees(depth: int) -> st.SearchStrategy[tuple[If, ...]]:
    if depth == 0:
        return st.just(())
    options = st.lists(st.sampled_from(OPTIONS), max_size=2, unique=True).map(tuple)
    inner = trees(depth - 1)
    return st.lists(st.builds(If, options, st.booleans(), inner, inner), max_size=2).map(tuple)


class Writing:
    """The text of a routine that decides so; each arm of a decision is a block with a number."""

    def __init__(self, decisions: tuple[If, ...]) -> None:
        self.numbers = count()
        self.lines: list[str] = []
        self.arms: dict[tuple[int, bool], str] = {}  # by the decision's identity
        self._write(decisions)
        self.lines.append("return")

    def _write(self, decisions: tuple[If, ...]) -> None:
        for each in decisions:
            number = next(self.numbers)
            values = []
            for option in each.options:
                values.append(f"v{number}{option}")
                self.lines.append(f"v{number}{option} = load @{option}")
            if values:
                both = values[0]
                if len(values) > 1:
                    both = f"w{number}"
                    self.lines.append(f'{both} = compute {values[0]} {values[1]} shape "and i32"')
            else:
                both = f"d{number}"
                self.lines.append(f"{both} = call {DATA}")
            test = "eq" if each.is_negated else "ne"
            self.lines.append(f'c{number} = compute {both} 0 shape "icmp {test} i32"')
            self.lines.append(f"branch c{number} yes{number} no{number}")
            for is_then, arm in ((True, each.then), (False, each.otherwise)):
                name = f"{'yes' if is_then else 'no'}{number}"
                self.arms[id(each), is_then] = name
                self.lines.append(f"{name}:")
                self._write(arm)
                self.lines.append(f"jump after{number}")
            self.lines.append(f"after{number}:")


def runs(decisions: tuple[If, ...], on: dict[str, bool]) -> Iterator[frozenset[tuple[int, bool]]]:
    """The arms that are taken, in every run that is possible."""
    found: list[frozenset[tuple[int, bool]]] = [frozenset()]
    for each in decisions:
        value = all(on[name] for name in each.options) != each.is_negated
        outcomes = [value] if each.options else [True, False]
        taken = [
            {(id(each), outcome)} | inner
            for outcome in outcomes
            for inner in runs(each.then if outcome else each.otherwise, on)
        ]
        found = [first | second for first, second in product(found, taken)]
    yield from set(found)


@settings(deadline=None, max_examples=60)
@given(trees(2))
def test_what_may_be_executed_and_what_may_be_avoided_is_what_runs_do(decisions):
    writing = Writing(decisions)
    text = "\n".join(writing.lines)
    named, work = made_routine("main", "", text), shaped_routine("main", "", text)
    program = made_program(*(made_global(each, size=4) for each in OPTIONS), work)
    flow = build_flow(program, solve(program))
    domain = Domain(((0, 1),) * len(OPTIONS))
    reads = {node: n for n, each in enumerate(OPTIONS) for node in find_reads(flow, each).nodes}
    main = next(program.find_routines("main"))
    presence = Presence(Routines(flow, frozenset({main}), reads), domain, [main], {})

    for number, values in enumerate(product((False, True), repeat=len(OPTIONS))):
        on = dict(zip(OPTIONS, reversed(values), strict=True))
        possible = list(runs(decisions, on))
        for arm, name in writing.arms.items():
            block = block_named(named, name)
            executed = any(arm in each for each in possible)
            avoided = any(arm not in each for each in possible)
            assert bool(presence.may_reach(main, block) >> number & 1) is executed
            assert bool(presence.may_avoid(main, frozenset({block})) >> number & 1) is avoided


def test_what_is_never_chosen_is_not_executed():
    decisions = (If((), False, (), ()),)
    writing = Writing(decisions)
    text = "\n".join(writing.lines)
    named, work = made_routine("main", "", text), shaped_routine("main", "", text)
    program = made_program(work)
    flow = build_flow(program, solve(program))
    domain = Domain(((0, 1),))
    yes, no = (block_named(named, name) for name in ("yes0", "no0"))

    presence = Presence(Routines(flow, frozenset({0}), {}), domain, [0], {}, [(0, 0, 0)])

    assert presence.may_reach(0, yes) == 0
    assert presence.may_reach(0, no) == domain.all


CHOSEN = """
    p = local size 8
    f = load @a
    c = compute f 0 shape "icmp ne i32"
    {chosen}
    store p s
    q = load p
    r = call go q
    return
"""
BY_VALUE = 's = compute c @one @two shape "select i1 ptr ptr"'
BY_BRANCH = (
    "branch c yes no\n  yes:\n    jump both\n  no:\n    jump both\n  both:\n    s = phi @one:yes @two:no"
)
ANYHOW = "s = load @anyhow"


def presence_of_called(chosen: str) -> dict[str, tuple[int, int]]:
    """For `one` and `two` the configurations in which they may be called, and those in which they may not."""
    program = made_program(
        made_global("a", size=4),
        made_global("anyhow", {0: "@one"}),
        shaped_routine("main", "", CHOSEN.format(chosen=chosen)),
        made_routine("go", "f", "k = local size 8\nstore k f\ng = load k\nr = call g\nreturn"),
        made_routine("one", "", "store @anyhow @two\nreturn"),
        made_routine("two", "", "return"),
    )
    flow = build_flow(program, solve(program))
    reads = dict.fromkeys(find_reads(flow, "a").nodes, 0)
    numbers = {name: next(program.find_routines(name)) for name in ("main", "go", "one", "two")}
    presence = Presence(
        Routines(flow, frozenset(numbers.values()), reads), Domain(((0, 1),)), [numbers["main"]], {}
    )
    return {
        name: (
            presence.may_reach(numbers[name], 0),
            presence.may_avoid(numbers[name], frozenset({0})),
        )
        for name in ("one", "two")
    }


@pytest.mark.parametrize("chosen", [BY_VALUE, BY_BRANCH])
def test_a_routine_that_an_option_chooses_is_executed_where_it_is_chosen(chosen):
    assert presence_of_called(chosen) == {"one": (0b10, 0b01), "two": (0b01, 0b10)}


def test_a_routine_behind_a_pointer_of_which_nothing_is_known_may_always_be_executed():
    found = presence_of_called(ANYHOW)

    assert found["one"][0] == found["two"][0] == 0b11
