"""Trees of frozen values: two of them merged, and projected again."""

import random
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from studies.impact.generated.trees import Changed, Side, at, mapped, merge, project, replaced, size, walk


@dataclass(frozen=True)
class Leaf:
    number: int


@dataclass(frozen=True)
class Branch:
    name: str
    first: "Leaf | Branch"
    parts: tuple["Leaf | Branch", ...]


leaves = st.builds(Leaf, st.integers(0, 3))
trees = st.recursive(
    leaves,
    lambda inner: st.builds(Branch, st.sampled_from("ab"), inner, st.lists(inner, max_size=4).map(tuple)),
    max_leaves=12,
)


@given(base=trees, head=trees)
def test_each_side_of_a_merged_tree_is_what_was_merged(base, head):
    merged = merge(base, head)

    assert project(merged, Side.BASE) == base
    assert project(merged, Side.HEAD) == head


@given(tree=trees)
def test_a_tree_merged_with_itself_has_no_change(tree):
    assert merge(tree, tree) == tree
    assert not any(isinstance(node, Changed) for _, node in walk(tree))


@given(base=trees, seed=st.integers(0, 99))
def test_a_node_that_is_replaced_is_the_only_change(base, seed):
    places = [path for path, node in walk(base) if isinstance(node, Leaf)]
    path = random.Random(seed).choice(places)

    head = replaced(base, path, Leaf(9))

    assert at(head, path) == Leaf(9)
    assert [node for _, node in walk(merge(base, head)) if isinstance(node, Changed)] == [
        Changed((at(base, path),), (Leaf(9),))
    ]
    assert size(head) == size(base)


@given(tree=trees)
def test_mapping_reaches_every_leaf(tree):
    def one_more(node: object) -> object:
        return Leaf(node.number + 1) if isinstance(node, Leaf) else node

    before = [node.number for _, node in walk(tree) if isinstance(node, Leaf)]
    after = [node.number for _, node in walk(mapped(tree, one_more)) if isinstance(node, Leaf)]
    assert after == [number + 1 for number in before]
