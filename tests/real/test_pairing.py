"""Base and head are run in turn, and what was taken is never taken again."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import count

import pytest

from sonde.core.events import Event, RunBegan, Warned
from sonde.core.findings.comparisons import Pair
from sonde.core.options import Configuration
from sonde.core.points import Point
from sonde.core.records import BuildKey, Built, FailureRecord, SampleRecord
from sonde.core.results import Failed, Metric
from sonde.effects.builds.cache import BuildCache
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.contests import Due, due_by_number
from sonde.effects.executors.local import LocalExecutor
from sonde.effects.executors.pair_orders import PairOrder, Unpaired, forget_unpaired, known_pairs
from sonde.effects.executors.pairing import PairObservations, run_pairs
from sonde.workflows.evidence import build_all
from sonde.workflows.project_tools import ProjectTools, open_tools
from sonde.workflows.projects import open_project
from tests.real.repositories import RepositoryMaker
from tests.real.sandboxes import living, long_sleep, wait_until
from tests.real.subjects import BUILD, work, write_project

pytestmark = pytest.mark.needs("git", "bwrap")

PROJECT = """\
repository = "subject"

[build]
command = "sh src/build.sh"
outputs = ["work"]

[environment]
writable = ["{journal}"]

[options.loud]
words = "--loud"

[benchmarks.work]
command = "{{build}}/work {journal}"
metric = "cpu"
timeout = "5m"

[benchmarks.heard]
command = "{{build}}/work {journal} {{loud}}"
metric = "cpu"
"""

# position -> what the program does beside its work: it notes that it ran in the first place
BASE, HEAD, CRASHING, SLEEPING, FLAKY, UNSTEADY, FULL = range(7)
SLEEP = long_sleep(13)
EXTRAS = {
    BASE: "",
    HEAD: "",
    CRASHING: "exit 7",
    SLEEPING: f"sleep {SLEEP}",
    FLAKY: 'test $(grep -c "^4$" "$1/runs") = 3 && exit 7',
    UNSTEADY: 'test $(($(grep -c "^5$" "$1/runs") % 2)) = 0 && exit 7',
    FULL: 'test -f "$1/full" && { echo "work: No space left on device"; exit 1; }',
}


class Noted:
    def __init__(self) -> None:
        self.events: list[Event] = []

    def notice(self, event: Event) -> None:
        self.events.append(event)

    def of(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]


class Bench:
    """A tools, what its runs note, and short words for what tests do with it."""

    def __init__(self, tools: ProjectTools, executor: LocalExecutor, noted: Noted, journal) -> None:
        self.tools, self.executor, self.noted = tools, executor, noted
        self.journal = journal

    @property
    def runs(self) -> list[int]:
        """The positions of all runs, in their order."""
        noted = self.journal / "runs"
        return [int(line) for line in noted.read_text().split()] if noted.exists() else []

    def draft(self, position: int, loud: bool = False) -> Blueprint:
        point = Point(self.tools.history[position].id, Configuration.of({"loud": loud}), "work")
        draft = self.tools.drafter.draft(point)
        assert isinstance(draft, Blueprint)
        return draft

    def order(self, base: int, head: int, pairs: int) -> PairOrder:
        return PairOrder(self.draft(base), self.draft(head), pairs)

    def built(self, orders: Sequence[PairOrder]) -> Mapping[BuildKey, Built]:
        sides = [each for order in orders for each in (order.base, order.head)]
        outcomes = build_all(self.tools, self.executor, sides)
        return {key: built for key, built in outcomes.items() if isinstance(built, Built)}

    def observe(self, *orders: PairOrder, due: Due = due_by_number) -> PairObservations:
        """The observations of these orders; each is stored before it is looked at."""
        with closing(run_pairs(self.executor, orders, self.built(orders), due)) as observations:
            for observation in observations:
                self.tools.store.append(*observation.records)
                yield observation

    def outcomes(self, *orders: PairOrder) -> list[tuple[Pair, ...] | Unpaired]:
        """What is known of each order in the end."""
        found = {each.result.points: each.result.outcome for each in self.observe(*orders) if each.result}
        return [found[order.points] for order in orders]

    def stored(self, kind: type[SampleRecord] | type[FailureRecord]) -> int:
        return len(list(self.tools.store.query(kind, {})))


@pytest.fixture
def bench(tmp_path) -> Iterator[Bench]:
    journal = tmp_path / "journal"
    journal.mkdir()
    maker = RepositoryMaker()
    for position, extra in EXTRAS.items():
        noting = f'echo {position} >> "$1/runs"\nnproc >> "$1/processors"\n{extra}\ntrue'
        maker.revision({"src/work.sh": work(position, noting), "src/build.sh": BUILD})
    maker.make(tmp_path / "subject")
    write_project(tmp_path, PROJECT.format(journal=journal))
    project, noted = open_project(tmp_path), Noted()
    with (
        open_tools(project, project.history(""), ["work"], is_sandboxed=True) as tools,
        tools.executor(noted) as executor,
    ):
        yield Bench(tools, executor, noted, journal)


def test_a_pair_is_one_run_of_each_side_in_drawn_order(bench):
    (pairs,) = bench.outcomes(bench.order(BASE, HEAD, 24))  # what is drawn depends on the machine

    assert isinstance(pairs, tuple)
    assert [pair.number for pair in pairs] == list(range(24))
    assert all(value > 0 for pair in pairs for value in pair.values(Metric.CPU))
    turns = [tuple(bench.runs[start : start + 2]) for start in range(0, 48, 2)]
    assert set(turns) == {(BASE, HEAD), (HEAD, BASE)}


def test_all_pairs_but_the_first_are_held_on_one_processor(bench):
    bench.outcomes(bench.order(BASE, HEAD, 3))

    processors = [int(line) for line in (bench.journal / "processors").read_text().split()]
    assert processors == [len(os.sched_getaffinity(0))] * 2 + [1] * 4


def test_a_round_takes_one_pair_of_each_contest(bench):
    orders = [bench.order(BASE, HEAD, 3), bench.order(HEAD, BASE, 3), bench.order(BASE, BASE, 3)]

    seen = [each.result.points for each in bench.observe(*orders) if each.result]

    rounds = [set(seen[start : start + 3]) for start in range(0, 9, 3)]
    assert rounds == [{order.points for order in orders}] * 3


def test_what_is_stored_is_told_first_and_not_run_again(bench):
    (first,) = bench.outcomes(bench.order(BASE, HEAD, 2))
    (second,) = bench.outcomes(bench.order(BASE, HEAD, 5))
    before = len(bench.runs)
    (third,) = bench.outcomes(bench.order(BASE, HEAD, 4))

    assert isinstance(second, tuple)
    assert second[:2] == first
    assert third == second
    assert [pair.number for pair in second] == [0, 1, 2, 3, 4]
    assert len(bench.runs) == before == 10


def test_stored_pairs_are_known_without_running_anything(bench):
    order = bench.order(BASE, HEAD, 2)
    (pairs,) = bench.outcomes(order)
    before = len(bench.runs)

    known = known_pairs(bench.tools.store, [order, bench.order(HEAD, BASE, 2)], bench.built([order]))

    assert known == {order.points: pairs, bench.order(HEAD, BASE, 2).points: ()}
    assert len(bench.runs) == before


@pytest.mark.slow
def test_configurations_that_run_the_same_share_their_pairs(bench):
    quiet = bench.order(BASE, HEAD, 2)
    loud = PairOrder(bench.draft(BASE, loud=True), bench.draft(HEAD, loud=True), 3)

    few, many = bench.outcomes(quiet, loud)

    assert few == many
    assert len(bench.runs) == 6


def test_a_side_that_fails_is_told_and_the_other_is_tried_all_the_same(bench):
    fails, mended, broken = bench.outcomes(
        bench.order(BASE, CRASHING, 4), bench.order(CRASHING, BASE, 4), bench.order(CRASHING, CRASHING, 4)
    )

    assert isinstance(fails, Unpaired)
    assert isinstance(mended, Unpaired)
    assert isinstance(broken, Unpaired)
    assert fails.base is None
    assert isinstance(fails.head, Failed)
    assert "7" in fails.head.reason
    assert (mended.base, mended.head) == (fails.head, None)
    assert (broken.base, broken.head) == (fails.head, fails.head)
    assert bench.runs.count(BASE) == 2
    assert bench.stored(SampleRecord) == 0


def test_a_lasting_failure_is_remembered_until_it_is_to_be_tried_again(bench):
    order = bench.order(BASE, CRASHING, 4)
    (first,) = bench.outcomes(order)
    before = len(bench.runs)

    assert bench.outcomes(order) == [first]
    assert len(bench.runs) == before

    assert forget_unpaired(bench.tools.store, [order], bench.built([order])) == 1
    assert bench.outcomes(order) == [first]
    assert len(bench.runs) > before


def test_a_run_that_fails_once_costs_only_its_pair(bench):
    (pairs,) = bench.outcomes(bench.order(BASE, FLAKY, 4))

    assert isinstance(pairs, tuple)
    assert [pair.number for pair in pairs] == [0, 1, 3, 4]
    assert bench.runs.count(FLAKY) == 6  # the failing one was tried again
    assert len(bench.noted.of(Warned)) == 1
    assert bench.stored(FailureRecord) == 0


@pytest.mark.slow
def test_runs_that_fail_now_and_then_are_no_verdict_on_a_side(bench):
    (outcome,) = bench.outcomes(bench.order(BASE, UNSTEADY, 30))

    assert isinstance(outcome, Unpaired)
    assert not outcome.is_lasting
    assert outcome.base is None
    assert isinstance(outcome.head, Failed)
    assert outcome.head.reason.startswith("Some runs fail: ")
    assert bench.stored(FailureRecord) == 0
    assert bench.stored(SampleRecord) == 2  # of the pair that succeeded


def test_a_full_disk_is_not_remembered(bench):
    order = bench.order(BASE, FULL, 2)
    (bench.journal / "full").touch()
    (failed,) = bench.outcomes(order)
    (bench.journal / "full").unlink()
    (pairs,) = bench.outcomes(order)

    assert isinstance(failed, Unpaired)
    assert failed.base is None
    assert not failed.is_lasting
    assert isinstance(pairs, tuple)
    assert len(pairs) == 2


def test_a_side_that_took_all_its_time_is_tried_again_only_when_it_has_more(bench):
    def within(seconds: float) -> PairOrder:
        order: PairOrder = bench.order(BASE, SLEEPING, 1)
        return replace(order, head=replace(order.head, run=replace(order.head.run, timeout_seconds=seconds)))

    def tried() -> int:
        return len(bench.noted.of(RunBegan))

    (first,) = bench.outcomes(within(1.0))
    assert isinstance(first, Unpaired)
    assert first.base is None
    assert isinstance(first.head, Failed)
    assert first.head.timed_out_after == 1.0
    assert tried() == 1

    assert bench.outcomes(within(1.0)) == [first]
    assert tried() == 1

    (longer,) = bench.outcomes(within(1.5))
    assert isinstance(longer, Unpaired)
    assert isinstance(longer.head, Failed)
    assert longer.head.timed_out_after == 1.5
    assert tried() == 2
    assert bench.stored(FailureRecord) == 1


def test_pairs_are_repeated_as_long_as_it_is_said(bench):
    def first_is_no_good(_: Metric, pairs: Sequence[Pair], wanted: int) -> int:
        return wanted - sum(pair.number > 0 for pair in pairs)

    *_, last = bench.observe(bench.order(BASE, HEAD, 2), due=first_is_no_good)

    assert last.result is not None
    assert isinstance(last.result.outcome, tuple)
    assert [pair.number for pair in last.result.outcome] == [0, 1, 2]


@pytest.mark.slow
def test_a_clock_that_jumps_changes_no_pair(bench, monkeypatch):
    bench.built([bench.order(BASE, HEAD, 3)])
    clock = count(2e9, -1e6)
    monkeypatch.setattr(time, "time", lambda: next(clock))

    observations = list(bench.observe(bench.order(BASE, HEAD, 3)))

    result = observations[-1].result
    assert result is not None
    assert isinstance(result.outcome, tuple)
    assert [pair.number for pair in result.outcome] == [0, 1, 2]
    assert all(0 < value < 10 for pair in result.outcome for value in pair.values(Metric.CPU))
    assert all(0 <= each.cost.seconds < 1e5 for each in observations)


def test_whoever_stops_early_ends_the_runs_and_keeps_whole_pairs_only(bench):
    (before,) = bench.outcomes(bench.order(BASE, HEAD, 1))
    observations = bench.observe(bench.order(BASE, HEAD, 9))
    next(observations)
    observations.close()

    assert bench.stored(SampleRecord) == 4
    (pairs,) = bench.outcomes(bench.order(BASE, HEAD, 3))
    assert isinstance(pairs, tuple)
    assert pairs[:1] == before
    assert len(pairs) == 3


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Whoever runs the tests in the background lets them ignore this signal."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_during_a_run_ends_its_processes(bench):
    def interrupt() -> None:
        wait_until(lambda: living(SLEEP) != [])
        os.kill(os.getpid(), signal.SIGINT)

    order = bench.order(BASE, SLEEPING, 1)
    bench.built([order])
    interrupting = threading.Thread(target=interrupt)
    interrupting.start()
    with pytest.raises(KeyboardInterrupt):
        bench.outcomes(order)

    interrupting.join()
    wait_until(lambda: living(SLEEP) == [])
    assert bench.stored(FailureRecord) == 0


@pytest.mark.slow
def test_pruned_builds_are_built_again(bench):
    (first,) = bench.outcomes(bench.order(BASE, HEAD, 2))
    BuildCache(bench.tools.project.state.builds, 0).prune()

    (second,) = bench.outcomes(bench.order(BASE, HEAD, 3))

    assert isinstance(second, tuple)
    assert second[:2] == first
    assert len(second) == 3
