"""The cost of functions with everything below them."""

from hypothesis import given
from hypothesis import strategies as st

from sonde.core.evidence import Activity, ProfiledFunction
from sonde.formats.callgrind.inclusive import find_circles, sum_activities
from sonde.formats.callgrind.nodes import CallGraph, Elsewhere, NamelessCode


def place(name: str) -> ProfiledFunction:
    return ProfiledFunction("xz", "", name)


class Simulated:
    """A run of functions that call each other: what callgrind would write, and what is true."""

    def __init__(self) -> None:
        self.graph = CallGraph()
        self.true: dict[str, int] = {}
        self.entered: dict[str, int] = {}

    def call(self, tree, stack=()) -> int:
        """`tree` is a name, its own cost and what it calls."""
        name, own, children = tree
        here = place(name)
        self.graph.own[here] += own
        self.entered[name] = self.entered.get(name, 0) + 1
        cost: int = own
        for child in children:
            below = self.call(child, (*stack, name))
            self.graph.calls[here, place(child[0])] += 1
            self.graph.costs[here, place(child[0])] += below
            cost += below
        if name not in stack:  # an inner call of the same function is inside the outer one
            self.true[name] = self.true.get(name, 0) + cost
        return cost


def trees(names: str, depth: int = 4) -> st.SearchStrategy:
    leaf = st.tuples(st.sampled_from(names), st.integers(1, 100), st.just(()))
    return st.recursive(
        leaf,
        lambda below: st.tuples(
            st.sampled_from(names), st.integers(1, 100), st.lists(below, max_size=3).map(tuple)
        ),
        max_leaves=2**depth,
    )


def layered(depth: int) -> st.SearchStrategy:
    """No function calls one of a layer above, but it may call itself."""
    name = f"{'abcdef'[depth]}"
    if depth == 5:
        return st.tuples(st.just(name), st.integers(1, 100), st.just(()))
    below = st.lists(layered(depth + 1), max_size=2).map(tuple)
    inner = st.tuples(st.just(name), st.integers(1, 100), below)
    outer = st.tuples(below, st.lists(inner, max_size=1).map(tuple)).map(lambda both: both[0] + both[1])
    return st.tuples(st.just(name), st.integers(1, 100), outer)


@given(tree=layered(2))
def test_without_circles_the_inclusive_cost_is_exact(tree):
    run = Simulated()
    total = run.call(tree)

    activities = sum_activities(run.graph)

    assert {each.name: activity.inclusive for each, activity in activities.items()} == run.true
    assert activities[place(tree[0])].inclusive == total


@given(tree=trees("abcd"))
def test_in_circles_the_inclusive_cost_is_at_most_that_of_everything(tree):
    run = Simulated()
    total = run.call(tree)

    activities = sum_activities(run.graph)

    for each, activity in activities.items():
        assert activity.own <= activity.inclusive <= total
        assert activity.inclusive >= run.true[each.name]
        assert activity.calls == max(run.entered[each.name] - (each.name == tree[0]), 1)
    assert sum(activity.own for activity in activities.values()) == total


def test_only_functions_of_the_build_that_ran_have_an_activity():
    graph = CallGraph()
    graph.own[place("main")] = 5
    graph.own[Elsewhere("/lib/libc.so.6", "printf")] = 7
    graph.own[NamelessCode("xz")] = 3
    graph.costs[place("main"), Elsewhere("/lib/libc.so.6", "printf")] = 7
    graph.costs[place("never"), place("main")] = 12

    assert sum_activities(graph) == {place("main"): Activity(1, 5, 12, 7)}


@given(edges=st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("abcdef"))))
def test_circles_are_functions_that_reach_each_other(edges):
    circles = find_circles([(place(one), place(other)) for one, other in edges])

    reached = {(one, one) for edge in edges for one in edge}
    for _ in range(6):
        reached |= {(one, last) for one, other in reached for first, last in edges if first == other}
    for one in "abcdef":
        mutual = {other for other in "abcdef" if {(one, other), (other, one)} <= reached} - {one}
        assert (place(one) in circles) is bool(mutual)
        for other in mutual:
            assert circles[place(one)] == circles[place(other)]
