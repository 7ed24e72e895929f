"""Which pairs are taken at the same time, and how two runs wait for each other."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from sonde.core.comparisons import Pair
from sonde.core.records import SampleRecord
from sonde.core.results import FREE, Failed, Metric, Sample, Stage
from sonde.core.subject import Server
from sonde.effects.executors.contests import Contest, PairTaken
from sonde.effects.executors.pair_orders import PairKeys, PairOrder, Side
from sonde.effects.executors.side_by_side import Meet, may_be_side_by_side, run_side_by_side
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
    [pair(cpu=0.2, wall=0.11), pair(wall=150.0), pair(memory=1e18)],
    ids=["parallel", "takes long", "takes much memory"],
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


def take(one: Contest, head: Sample | Failed | None = None) -> tuple[object, ...]:
    number, is_side_by_side = one.begin(), one.is_side_by_side
    outcomes: dict[Side, Sample | Failed] = {Side.BASE: run(number), Side.HEAD: head or run(number)}
    recovered = frozenset({Side.HEAD} if isinstance(head, Failed) else ())
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


def test_after_a_failure_side_by_side_pairs_are_taken_in_turn():
    one = contest()
    take(one)
    take(one, Failed(Stage.RUN, "The port is in use."))
    take(one)

    assert [each.number for each in one.taken] == [0, 2]
    assert one.outcome == (Pair(0, run(0), run(0)), Pair(2, run(2), run(2)))


def test_each_waits_for_the_other_one():
    seen: list[str] = []

    def slow(meet: Meet) -> str:
        time.sleep(0.1)
        seen.append("slow is ready")
        meet()
        return "slow"

    def quick(meet: Meet) -> str:
        meet()
        seen.append("quick goes on")
        return "quick"

    assert run_side_by_side(slow, quick) == ("slow", "quick")
    assert seen == ["slow is ready", "quick goes on"]


def test_nobody_waits_for_one_that_has_ended():
    def fails(_: Meet) -> str:
        raise RuntimeError("no such file")

    def waits(meet: Meet) -> str:
        meet()
        ended.append(True)
        return "waits"

    ended: list[bool] = []
    with pytest.raises(RuntimeError, match="no such file"):
        run_side_by_side(fails, waits)
    assert ended == [True]
