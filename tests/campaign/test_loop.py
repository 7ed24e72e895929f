from __future__ import annotations

from dataclasses import replace

from sonde.campaign.budget import RunBudget, Seconds, Share, Unlimited
from sonde.campaign.everything import Everything
from sonde.campaign.loop import Campaign
from sonde.campaign.memory_store import MemoryStore
from sonde.campaign.replay import ReplayExecutor
from sonde.core.events import Event, ResultKnown
from sonde.core.records import InputsRecord, MeasurementKey, Observation, SampleRecord
from sonde.core.results import Cost, Measurement, Metric
from tests.values import measured, point, revision_id

POINTS = [point(position) for position in range(20)]
RECORDED = {place: 1.0 + position for position, place in enumerate(POINTS)}


class Notes:
    def __init__(self) -> None:
        self.events: list[Event] = []

    def notice(self, event: Event) -> None:
        self.events.append(event)


UNLIMITED = Unlimited()


def campaign(budget=UNLIMITED, executor=None, store=None, clock=lambda: 0.0, batch=4):
    executor = executor or ReplayExecutor(RECORDED, Metric.CPU)
    return Campaign(executor, store or MemoryStore(), budget, 20, clock, Notes(), batch)


def test_it_ends_when_the_planner_has_finished():
    ending = campaign().run(Everything(POINTS, {"pack": 2}))

    assert ending.reason == "every point is measured or has failed"
    assert ending.spent.runs == 40


def test_it_ends_when_the_runs_are_spent():
    ending = campaign(RunBudget(7)).run(Everything(POINTS, {"pack": 2}))

    assert ending.reason == "the budget of 7 runs is spent"
    assert ending.spent.runs == 7


def test_twins_leave_their_runs_to_others():
    class Twins(ReplayExecutor):
        """Points come in pairs that share their samples: the second one is free."""

        def execute(self, requests):
            for observation in super().execute(requests):
                assert observation.result is not None
                is_second = POINTS.index(observation.result.point) % 2 == 1
                yield replace(observation, cost=Cost()) if is_second else observation

    ending = campaign(RunBudget(8), executor=Twins(RECORDED, Metric.CPU)).run(Everything(POINTS, {"pack": 2}))

    assert ending.reason == "the budget of 8 runs is spent"
    assert ending.spent.runs == 8


def test_it_ends_when_the_share_is_spent():
    ending = campaign(Share(0.25)).run(Everything(POINTS, {"pack": 2}))

    assert ending.reason == "the budget of 25.0% of the revisions is spent"
    assert ending.spent.runs == 5 * 2


def test_it_ends_in_the_middle_of_a_batch_when_the_time_is_up():
    ticks = iter(range(1000))

    ending = campaign(Seconds(5), clock=lambda: float(next(ticks))).run(Everything(POINTS, {"pack": 2}))

    assert ending.spent.runs == 5


def test_what_is_known_is_not_executed_again():
    known = [measured(place, 2, cost=Cost()) for place in POINTS[:15]]

    ending = campaign().run(Everything(POINTS, {"pack": 2}), known)

    assert ending.spent.runs == 5 * 2


def test_a_sample_is_stored_before_the_planner_knows_of_it():
    store = MemoryStore()

    class Recorded(ReplayExecutor):
        def execute(self, requests):
            for observation in super().execute(requests):
                assert observation.result is not None
                key = MeasurementKey(observation.result.point.revision)
                assert isinstance(observation.result.outcome, Measurement)
                taken = observation.result.outcome.samples[-1]
                yield replace(observation, records=(SampleRecord(key, taken),))

    class Suspicious(Everything):
        def tell(self, results):
            results = list(results)
            for result in results:
                assert isinstance(result.outcome, Measurement)
                stored = store.query(SampleRecord, {"measurement": [result.point.revision]})
                assert [record.sample for record in stored] == list(result.outcome.samples)
            super().tell(results)

    ending = campaign(executor=Recorded(RECORDED, Metric.CPU), store=store).run(
        Suspicious(POINTS, {"pack": 2})
    )

    assert ending.spent.runs == 40


def test_the_watcher_hears_of_every_result_and_of_what_was_spent():
    watched = campaign()

    watched.run(Everything(POINTS[:3], {"pack": 2}))

    told = [event for event in watched.watcher.events if isinstance(event, ResultKnown)]
    assert [event.spent.runs for event in told] == [1, 2, 3, 4, 5, 6]


def test_an_executor_that_returns_nothing_does_not_hang_the_loop():
    class Silent:
        def execute(self, requests):
            yield from ()

    ending = campaign(executor=Silent()).run(Everything(POINTS, {"pack": 2}))

    assert ending.reason == "nothing more can be measured"


def test_a_build_without_a_result_costs_time_and_is_stored():
    store = MemoryStore()

    class Builds(ReplayExecutor):
        def execute(self, requests):
            for number in range(10):
                record = InputsRecord(revision_id(number), "patterns", "tree")
                yield Observation((record,), Cost(builds=1, seconds=1.0))
            yield from super().execute(requests)

    ticks = iter(range(1000))
    slow = campaign(Seconds(4), Builds(RECORDED, Metric.CPU), store, clock=lambda: float(next(ticks)))
    ending = slow.run(Everything(POINTS, {"pack": 2}))

    assert ending.spent == Cost(builds=4, seconds=4.0)
    assert len(list(store.query(InputsRecord, {}))) == 4


def test_points_that_stay_incomplete_do_not_hang_the_loop():
    class OneRunOnly(ReplayExecutor):
        def execute(self, requests):
            yield from super().execute([replace(request, runs=1) for request in requests])

    ending = campaign(executor=OneRunOnly(RECORDED, Metric.CPU)).run(Everything(POINTS, {"pack": 2}))

    assert ending.reason == "nothing more can be measured"
    assert ending.spent.runs == len(POINTS)
