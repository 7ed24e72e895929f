from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from sonde.effects.executors.interleaving import interleave

requests = st.dictionaries(st.sampled_from("abcdefgh"), st.lists(st.integers(0, 20), unique=True))


@given(missing=requests, seed=st.integers())
def test_every_run_is_made_exactly_once(missing, seed):
    order = interleave(missing, random.Random(seed))

    assert sorted(order) == sorted(
        (thing, number) for thing, numbers in missing.items() for number in numbers
    )


@given(missing=requests, seed=st.integers())
def test_nothing_gets_its_next_run_before_all_others_had_theirs(missing, seed):
    order = interleave(missing, random.Random(seed))

    for turn in range(len(order)):
        done = [sum(thing == other for other, _ in order[:turn]) for thing in missing]
        left = [len(numbers) - count for numbers, count in zip(missing.values(), done, strict=True)]
        waiting = [count for count, rest in zip(done, left, strict=True) if rest]
        if waiting:
            assert max(done) - min(waiting) <= 1


@given(missing=requests, seed=st.integers())
def test_each_thing_has_its_runs_in_their_order(missing, seed):
    order = interleave(missing, random.Random(seed))

    assert all([n for thing, n in order if thing == wanted] == list(missing[wanted]) for wanted in missing)


def test_the_order_within_a_round_is_random():
    missing = {name: list(range(10)) for name in "abcdef"}

    order = interleave(missing, random.Random(1))

    rounds = {tuple(name for name, _ in order[start : start + 6]) for start in range(0, 60, 6)}
    assert len(rounds) > 5
