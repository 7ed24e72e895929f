"""Base and head at the same time on one processor, where that is possible."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from sonde.core.events import Event, Warned
from sonde.core.findings.comparisons import Pair
from sonde.core.options import Configuration
from sonde.core.points import Point
from sonde.core.records import Built, SampleRecord
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.local import LocalExecutor
from sonde.effects.executors.pair_orders import PairOrder, Unpaired, known_pairs
from sonde.effects.executors.pairing import run_pairs
from sonde.workflows.evidence import build_all
from sonde.workflows.project_tools import ProjectTools, open_tools
from sonde.workflows.projects import open_project
from tests.real.repositories import RepositoryMaker
from tests.real.sandboxes import living, long_sleep, wait_until
from tests.real.subjects import BUILD, write_project

pytestmark = pytest.mark.needs("git", "bwrap")
needs_two_processors = pytest.mark.skipif(
    len(os.sched_getaffinity(0)) < 2, reason="a run knows by its single processor that another is beside it"
)

PROJECT = """\
repository = "subject"

[build]
command = "sh src/build.sh"
outputs = ["work"]

[benchmarks.work]
command = "{build}/work"
metric = "cpu"
timeout = "5m"

[benchmarks.alone]
command = "{build}/work"
metric = "cpu"
side_by_side = false

[benchmarks.clock]
command = "{build}/work"
metric = "wall"

[benchmarks.jealous]
command = "{build}/work jealous"
inputs = ["locks/first", "locks/second"]
metric = "cpu"

[benchmarks.meeting]
command = "{build}/work meet"
inputs = ["locks/first", "locks/second"]
metric = "cpu"

[benchmarks.prepared]
command = "{build}/work meet"
inputs = ["locks/first", "locks/second"]
setup = "sleep 0.3"
metric = "cpu"

[benchmarks.long]
command = "{build}/work && sleep 2"
shell = true
metric = "cpu"
"""

# Which of two runs at the same time on one processor this is: the `first` one holds a lock until the other
# one, the `second`, has a second lock. A run that nobody joins within $1 turns is `alone`.
MEET = """\
meet() {
    exec 8< locks/first 9< locks/second
    if flock -n 8; then
        for turn in $(seq $1); do
            flock -n 9 || { met=first; return; }
            flock -u 9
        done
        met=alone
    else
        until flock -n 9; do :; done
        flock 8
        met=second
    fi
}
case $1,$(nproc) in
    meet,1) meet 5000; test $met != alone || exit 7 ;;
    jealous,1) meet 200; test $met != second || exit 7 ;;
esac
"""
LOOP = "i={seed}\nwhile [ $i -lt 200000 ]; do i=$((i+1)); done\n"
# position -> what the program does beside its work
BASE, HEAD, SLEEPING = range(3)
SLEEP = long_sleep(27)
EXTRAS = {
    BASE: "",
    HEAD: "",
    SLEEPING: f"test $(nproc) = 1 && sleep {SLEEP}",
}


class Bench:
    """A tools, and short words for what tests do with it."""

    def __init__(self, tools: ProjectTools, executor: LocalExecutor, events: list[Event]) -> None:
        self.tools, self.executor, self.events = tools, executor, events

    def order(self, pairs: int, benchmark: str = "work", head: int = HEAD) -> PairOrder:
        history, drafter = self.tools.history, self.tools.drafter
        sides = [
            drafter.draft(Point(history[each].id, Configuration.of({}), benchmark)) for each in (BASE, head)
        ]
        base, other = (side for side in sides if isinstance(side, Blueprint))
        return PairOrder(base, other, pairs)

    def pairs(self, order: PairOrder) -> tuple[Pair, ...]:
        outcomes = [*self.observe(order)]
        assert not isinstance(outcomes[-1], Unpaired)
        return outcomes[-1]

    def observe(self, order: PairOrder) -> Iterator[tuple[Pair, ...] | Unpaired]:
        outcomes = build_all(self.tools, self.executor, [order.base, order.head])
        built = {key: each for key, each in outcomes.items() if isinstance(each, Built)}
        with closing(run_pairs(self.executor, [order], built)) as observations:
            for observation in observations:
                self.tools.store.append(*observation.records)
                if observation.result is not None:
                    yield observation.result.outcome


@pytest.fixture
def bench(tmp_path) -> Iterator[Bench]:
    maker = RepositoryMaker()
    for position, extra in EXTRAS.items():
        program = f"#!/bin/sh\n{MEET}{LOOP.format(seed=position)}{extra}\ntrue\n"
        maker.revision({"src/work.sh": program, "src/build.sh": BUILD})
    maker.make(tmp_path / "subject")
    (tmp_path / "locks").mkdir()
    for name in ("first", "second"):
        (tmp_path / "locks" / name).touch()
    write_project(tmp_path, PROJECT)
    project, events = open_project(tmp_path), list[Event]()

    class Noting:
        def notice(self, event: Event) -> None:
            events.append(event)

    names = ["work", "alone", "clock", "jealous", "meeting", "prepared", "long"]
    with (
        open_tools(project, project.history(""), names, is_sandboxed=True) as tools,
        tools.executor(Noting()) as executor,
    ):
        yield Bench(tools, executor, events)


@needs_two_processors
def test_both_runs_of_a_pair_take_place_at_the_same_time_on_one_processor(bench):
    pairs = bench.pairs(bench.order(4, "meeting"))

    assert [pair.number for pair in pairs] == [1, 2, 3, 4]  # the first was a trial, in turn
    assert all(pair.is_side_by_side for pair in pairs)


@pytest.mark.parametrize("benchmark", ["alone", "clock"])
def test_what_is_to_be_alone_and_times_by_the_clock_are_taken_in_turn(bench, benchmark):
    pairs = bench.pairs(bench.order(3, benchmark))

    assert [pair.number for pair in pairs] == [0, 1, 2]
    assert not any(pair.is_side_by_side for pair in pairs)


@needs_two_processors
def test_they_begin_together_however_long_their_setup_takes(bench):
    (pair,) = bench.pairs(bench.order(1, "prepared"))

    assert pair.is_side_by_side
    assert pair.number == 1


@needs_two_processors
def test_what_fails_side_by_side_only_is_taken_in_turn_from_then_on(bench):
    pairs = bench.pairs(bench.order(3, "jealous"))

    warnings = [event.message for event in bench.events if isinstance(event, Warned)]
    assert not any(pair.is_side_by_side for pair in pairs)
    assert [pair.number for pair in pairs] == [0, 2, 3]
    assert len(warnings) == 1
    assert "From now on they run in turn." in warnings[0]
    assert bench.pairs(bench.order(4, "jealous"))[:3] == pairs  # nor does it begin anew at the next look
    assert [pair.number for pair in bench.pairs(bench.order(4, "jealous"))] == [0, 2, 3, 4]


@pytest.mark.slow
def test_pairs_taken_so_are_kept_and_told_first(bench):
    first = bench.pairs(bench.order(2))
    order = bench.order(3)
    built = build_all(bench.tools, bench.executor, [order.base, order.head])
    both = {key: each for key, each in built.items() if isinstance(each, Built)}
    known = known_pairs(bench.tools.store, [order], both)
    second = bench.pairs(order)

    assert known == {order.points: first}
    assert second[:2] == first
    assert len(second) == 3
    assert len(list(bench.tools.store.query(SampleRecord, {}))) == 2 * (1 + 3)


@pytest.mark.slow
def test_what_might_take_longer_than_it_may_is_taken_in_turn(bench):
    order = bench.order(2, "long")
    run = replace(order.head.run, timeout_seconds=8.0)  # for one run ample, but less than twice that of both

    pairs = bench.pairs(replace(order, head=replace(order.head, run=run)))

    assert [pair.number for pair in pairs] == [0, 1]
    assert not any(pair.is_side_by_side for pair in pairs)


@needs_two_processors
def test_whoever_stops_ends_both_runs_at_once(bench):
    observing = bench.observe(bench.order(9, head=SLEEPING))
    next(observing)
    begun = threading.Event()

    def stop() -> None:
        wait_until(lambda: bool(living(SLEEP)))
        begun.set()
        bench.executor.processes.end_all()

    threading.Thread(target=stop).start()
    with pytest.raises(Exception, match="asked to stop"):
        next(observing)

    assert begun.is_set()
    assert not living(SLEEP)
