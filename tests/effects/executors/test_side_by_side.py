"""Which pairs are taken at the same time, and how two runs wait for each other."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from sonde.campaign.memory_store import MemoryStore
from sonde.core.findings.comparisons import Pair
from sonde.core.records import FailureRecord, Record, SampleRecord
from sonde.core.results import FREE, Failed, Metric, Sample, Stage
from sonde.core.subject import Server
from sonde.effects.executors import side_by_side
from sonde.effects.executors.contests import Contest, PairTaken
from sonde.effects.executors.pair_orders import PairKeys, PairOrder, PairSide, forget_unpaired, known_pairs
from sonde.effects.executors.side_by_side import may_be_side_by_side, run_side_by_side
from sonde.effects.sandbox.conversation import Meet
from tests.effects.executors.pair_values import built, order


def run(number: int = 0, cpu: float = 0.1, wall: float = 0.11, memory: float = 1e6) -> Sample:
    values = {Metric.WALL: wall, Metric.CPU: cpu, Metric.MEMORY: memory}
    return Sample.of(number, values, taken_at=0.0)


def pair(cpu: float = 0.1, wall: float = 0.11, memory: float = 1e6) -> Pair:
    return Pair(0, run(), run(0, cpu, wall, memory))


def allowed(one: PairOrder, trial: Pair) -> bool:
    return may_be_side_by_side(one.base, one.head, trial)


def test_cpu_times_of_programs_that_do_one_thing_at_a_time_may_be():
    assert allowed(order(), pair())


@pytest.mark.parametrize(
    "trial",
    [pair(cpu=0.2, wall=0.11), pair(wall=150.0), pair(memory=1e18), pair(cpu=0.009)],
    ids=["parallel", "takes long", "takes much memory", "is short"],
)
def test_what_a_first_pair_shows_to_need_the_machine_may_not(trial):
    assert not allowed(order(), trial)


def test_wall_times_servers_and_the_unsociable_may_not():
    usual = order()
    run_order, equipment, workplace = usual.head.run, usual.head.equipment, usual.head.workplace
    others = [
        replace(usual.head, run=replace(run_order, server=Server("serve", 8080))),
        replace(usual.head, equipment=replace(equipment, is_sociable=False)),
        replace(usual.head, workplace=replace(workplace, is_isolated=False)),
    ]
    by_the_clock = [
        replace(each, run=replace(run_order, metric=Metric.WALL)) for each in (usual.base, usual.head)
    ]

    assert not any(allowed(replace(usual, head=head), pair()) for head in others)
    assert not allowed(PairOrder(by_the_clock[0], by_the_clock[1], 6), pair())


def contest() -> Contest:
    return Contest(PairKeys.of(order(), built(1, 2)), order(), {}, [order()])


def take(
    one: Contest, head: Sample | Failed | None = None, is_side_by_side: bool | None = None
) -> tuple[Record, ...]:
    number = one.begin()
    is_side_by_side = one.is_side_by_side if is_side_by_side is None else is_side_by_side
    outcomes: dict[PairSide, Sample | Failed] = {
        PairSide.BASE: run(number),
        PairSide.HEAD: head or run(number),
    }
    recovered = frozenset({PairSide.HEAD} if isinstance(head, Failed) else ())
    return one.note(PairTaken(number, outcomes, recovered, FREE, 0.0, is_side_by_side))


def test_the_first_pair_is_a_trial_and_those_after_it_have_keys_of_their_own():
    one = contest()

    first, second = take(one), take(one)

    assert [each.is_side_by_side for each in one.taken] == [False, True]
    assert one.outcome == (Pair(1, run(1), run(1), is_side_by_side=True),)
    assert first == (SampleRecord(one.keys.base, run(0)), SampleRecord(one.keys.head, run(0)))
    beside = one.keys.side_by_side
    assert second == (SampleRecord(beside.base, run(1)), SampleRecord(beside.head, run(1)))
    assert len({one.keys.base, one.keys.head, beside.base, beside.head}) == 4


FAILED = Failed(Stage.RUN, "The lock is taken.")


def test_what_fails_side_by_side_at_once_is_taken_in_turn_and_that_is_stored():
    one = contest()
    take(one)
    records = take(one, FAILED)
    take(one)

    assert records == (FailureRecord(one.keys.side_by_side.head, 1, FAILED, 0.0),)
    assert [each.number for each in one.taken] == [0, 2]
    assert one.outcome == (Pair(0, run(0), run(0)), Pair(2, run(2), run(2)))


def test_one_failure_after_a_success_is_a_fluke_and_a_second_one_is_not():
    one = contest()
    take(one)
    take(one)

    assert take(one, FAILED) == ()
    assert [each.number for each in one.pairs] == [1]
    assert take(one, FAILED) != ()
    assert [each.number for each in one.pairs] == [0]


def test_what_is_known_to_fail_side_by_side_is_not_tried_again():
    one = contest()
    one.know([pair()], is_apart=True)

    assert not one.is_side_by_side


def test_a_pair_that_could_not_be_held_is_taken_in_turn_and_so_are_those_after_it():
    one = contest()
    take(one)
    take(one, is_side_by_side=False)

    assert not one.is_side_by_side
    assert [each.number for each in one.pairs] == [0, 1]


def test_all_that_share_the_pairs_have_to_allow_it():
    one, alone = contest(), order()
    equipment = replace(alone.head.equipment, is_sociable=False)
    one.sharing.append(replace(alone, head=replace(alone.head, equipment=equipment)))
    take(one)

    assert not one.is_side_by_side


def test_the_store_tells_in_which_way_pairs_are_to_be_taken():
    one, store = contest(), MemoryStore()
    store.append(*take(one), *take(one))
    both = built(1, 2)

    assert known_pairs(store, [order()], both)[order().points] == (one.taken[1],)
    store.append(FailureRecord(one.keys.side_by_side.head, 2, FAILED, 0.0))
    assert known_pairs(store, [order()], both)[order().points] == (one.taken[0],)
    forget_unpaired(store, [order()], both)
    assert known_pairs(store, [order()], both)[order().points] == (one.taken[1],)


def test_each_waits_for_the_other_one():
    seen: list[str] = []
    is_at_the_door = threading.Event()

    def slow(meet: Meet) -> str:
        is_at_the_door.wait(300)
        is_at_the_door.clear()
        seen.append("slow is ready")
        with meet():
            seen.append("slow goes on")
        return "slow"

    def quick(meet: Meet) -> str:
        is_at_the_door.set()
        with meet():
            seen.append("quick goes on")
        return "quick"

    for _ in range(5):
        assert run_side_by_side(slow, quick) == ("slow", "quick")
        assert run_side_by_side(quick, slow) == ("quick", "slow")
    in_order = ["slow is ready", "slow goes on", "quick goes on"]
    assert seen == [*in_order, "slow is ready", "quick goes on", "slow goes on"] * 5


def test_nobody_waits_for_one_that_has_ended():
    def fails(_: Meet) -> str:
        raise RuntimeError("no such file")

    def waits(meet: Meet) -> str:
        with meet():
            ended.append(True)
        return "waits"

    ended: list[bool] = []
    with pytest.raises(RuntimeError, match="no such file"):
        run_side_by_side(fails, waits)
    with pytest.raises(RuntimeError, match="no such file"):
        run_side_by_side(waits, fails)
    assert ended == [True, True]


def test_a_container_has_the_memory_that_it_may_use(tmp_path, monkeypatch):
    limit = tmp_path / "memory.max"
    limit.write_text("3000000\n")
    monkeypatch.setattr(side_by_side, "MEMORY_LIMIT", limit)

    assert allowed(order(), pair(memory=4e5))
    assert not allowed(order(), pair(memory=1e6))
    limit.write_text("max\n")
    assert allowed(order(), pair(memory=1e6))
