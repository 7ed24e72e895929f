"""Runs base and head in pairs: right after each other or side by side, in an order that is drawn.

with closing(run_pairs(executor, orders, built, due)) as observations:
    for observation in observations:
        store.append(*observation.records)
        if observation.result is not None:
            take_note(observation.result.points, observation.result.outcome)
"""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from sonde.core.events import RunBegan, Warned
from sonde.core.records import BuildKey, Built, FailureRecord, Fingerprint, Record
from sonde.core.results import FREE, Cost, Failed, Sample
from sonde.core.revisions import short
from sonde.effects.executors.contests import Contest, Due, PairTaken, due_by_number
from sonde.effects.executors.holding import draw_processor, held_on
from sonde.effects.executors.lanes import run_in_lanes
from sonde.effects.executors.local import LocalExecutor
from sonde.effects.executors.pair_orders import (
    PairKeys,
    PairObservation,
    PairOrder,
    PairResult,
    PairSide,
    Unpaired,
    kept_apart,
    known_pairs,
    stored_pairs,
)
from sonde.effects.executors.side_by_side import run_side_by_side
from sonde.effects.runs import RunReport
from sonde.effects.sandbox.conversation import Meet

MOST_TRIES = 3  # of a run that fails, until it is believed; a fluke at one side only would be a false alarm

PairObservations = Generator[PairObservation, None, None]


@dataclass(frozen=True, eq=False)
class PairTurn:
    """One pair that is due."""

    contest: Contest
    number: int
    sides: tuple[PairSide, ...]  # in the order of their runs
    processor: int | None = None  # that both runs are held on; None: any
    is_side_by_side: bool = False  # both at the same time


def run_pairs(
    executor: LocalExecutor,
    orders: Sequence[PairOrder],
    built: Mapping[BuildKey, Built],
    due: Due = due_by_number,
) -> PairObservations:
    """Every new pair or failure as soon as it is there; a result holds all pairs, with those stored before.

    A round takes a pair of each contest that is open, in random order, so that a machine that gets slower
    slows all of them alike. Who stops early closes the generator, which ends whatever runs.
    """
    contests = yield from _open_contests(executor, orders, built)
    for contest in contests:
        if not contest.is_open(due):
            yield from _observe(contest, FREE)
    while round_of := [contest for contest in contests if contest.is_open(due)]:
        executor.rng.shuffle(round_of)
        turns = [_draw(contest) for contest in round_of]
        for turn, taken in run_in_lanes(
            turns,
            1,
            lambda turn, lane: _take_pair(executor, turn, lane),
            lambda turn: _begin(executor, turn),
            executor.processes.end_all,
        ):
            before, was_apart = len(turn.contest.flukes), turn.contest.is_apart
            records = turn.contest.note(taken)
            for side, failed in turn.contest.flukes[before:]:
                _warn(executor, turn, side, failed, is_parted=turn.contest.is_apart and not was_apart)
            yield from _observe(turn.contest, taken.cost, *records)


def _open_contests(
    executor: LocalExecutor, orders: Sequence[PairOrder], built: Mapping[BuildKey, Built]
) -> Generator[PairObservation, None, list[Contest]]:
    """What is to be compared, with what the store knows of it; points whose runs see the same share it."""
    known = known_pairs(executor.store, orders, built)
    possible: list[PairOrder] = []
    for order in orders:
        failed = known[order.points]
        if isinstance(failed, Unpaired):
            yield PairObservation((), FREE, PairResult(order.points, failed))
        else:
            possible.append(order)
    places = yield from _find_outputs(executor, possible, built)
    contests: dict[PairKeys, Contest] = {}
    for order in possible:
        base, head = places[order.base.build.key], places[order.head.build.key]
        if isinstance(base, Failed) or isinstance(head, Failed):
            lost = Unpaired(*(each if isinstance(each, Failed) else None for each in (base, head)))
            yield PairObservation((), FREE, PairResult(order.points, lost))
            continue
        # What was pruned and built again may have the same code at other places, which times can tell.
        here = {
            build: replace(built[build], fingerprint=Fingerprint(folder.name))
            for build, folder in ((order.base.build.key, base), (order.head.build.key, head))
        }
        keys = PairKeys.of(order, here)
        contest = contests.setdefault(keys, Contest(keys, order, {PairSide.BASE: base, PairSide.HEAD: head}))
        contest.sharing.append(order)
    stored, apart = stored_pairs(executor.store, contests), kept_apart(executor.store, contests)
    for keys, contest in contests.items():
        contest.know(stored[keys], keys in apart)
        executor.store.forget(FailureRecord, {"measurement": [keys.base, keys.head]})  # it has more time now
    return list(contests.values())


def _find_outputs(
    executor: LocalExecutor, orders: Sequence[PairOrder], built: Mapping[BuildKey, Built]
) -> Generator[PairObservation, None, Mapping[BuildKey, Path | Failed]]:
    """Where the outputs of all builds lie; what was pruned is built again."""
    builds = {each.build.key: each.build for order in orders for each in (order.base, order.head)}
    places: Mapping[BuildKey, Path | Failed] = {}
    with closing(executor.find_outputs([(build, built[key]) for key, build in builds.items()])) as finding:
        while True:
            try:
                observation = next(finding)
            except StopIteration as end:
                places = end.value
                break
            yield PairObservation(observation.records, observation.cost)
    executor.make_room(Fingerprint(place.name) for place in places.values() if isinstance(place, Path))
    return places


def _draw(contest: Contest) -> PairTurn:
    """The order is another one for each comparison, and the same when an interrupted one goes on.

    Drawn from one sequence for all checks, an uneven start of it would favour the same side every time.
    """
    number = contest.begin()
    rng = Random(f"{contest.keys.base} {contest.keys.head} {number}")
    sides = list(PairSide)
    rng.shuffle(sides)
    run = contest.order.head.run  # a server and its client must not share one
    processor = None if run.server else draw_processor(run.metric, contest.taken, rng)
    return PairTurn(contest, number, tuple(sides), processor, contest.is_side_by_side)


def _begin(executor: LocalExecutor, turn: PairTurn) -> bool:
    executor.watcher.notice(RunBegan(turn.contest.order.head.point, turn.number))
    return True


def _take_pair(executor: LocalExecutor, turn: PairTurn, lane: int) -> PairTaken:
    """Run both sides, whatever comes of the first; who fails is run again, unless it took all its time."""
    begun, runs = time.monotonic(), len(turn.sides)
    recovered = set[PairSide]()
    with held_on(turn.processor) as is_held:
        is_side_by_side = turn.is_side_by_side and is_held
        outcomes = _run_both(executor, turn, lane, is_side_by_side)
    for side, outcome in outcomes.items():
        if isinstance(outcome, Sample) or outcome.timed_out_after:
            continue
        for _ in range(MOST_TRIES - 1):
            runs += 1
            if isinstance(_run(executor, turn, side, 2 * lane), Sample):
                recovered.add(side)
                break
    cost = Cost(runs=runs, seconds=time.monotonic() - begun)
    return PairTaken(turn.number, outcomes, frozenset(recovered), cost, time.time(), is_side_by_side)


def _run_both(
    executor: LocalExecutor, turn: PairTurn, lane: int, is_side_by_side: bool
) -> dict[PairSide, Sample | Failed]:
    """What comes of each side, in the order that was drawn."""
    if not is_side_by_side:
        return {side: _run(executor, turn, side, 2 * lane) for side in turn.sides}
    first, second = turn.sides
    both = run_side_by_side(
        lambda meet: _run(executor, turn, first, 2 * lane, meet),
        lambda meet: _run(executor, turn, second, 2 * lane + 1, meet),
    )
    return dict(zip(turn.sides, both, strict=True))


def _run(
    executor: LocalExecutor, turn: PairTurn, side: PairSide, lane: int, meet: Meet | None = None
) -> Sample | Failed:
    blueprint, taken_at = turn.contest.order.blueprint(side), time.time()
    inputs = blueprint.equipment.inputs.path
    report = executor.runs.run(
        blueprint.run, turn.contest.folders[side], inputs, lane, meet, turn.contest.set_up(turn.number)
    )
    if isinstance(report, RunReport):
        return report.sample(turn.number, taken_at)
    return report


def _warn(
    executor: LocalExecutor, turn: PairTurn, side: PairSide, failed: Failed, *, is_parted: bool
) -> None:
    point = turn.contest.order.blueprint(side).point
    where = f"{point.benchmark} at {short(point.revision)}"
    when = (
        "when it ran beside the other revision, but not alone" if is_parted else "although other runs succeed"
    )
    then = " From now on they run in turn." if is_parted else ""
    executor.watcher.notice(Warned(f"a run of {where} failed, {when}: {failed.reason}{then}"))


def _observe(contest: Contest, cost: Cost, *records: Record) -> PairObservations:
    """A result for all points that share these pairs; the first one bears the records and the cost."""
    for order in contest.sharing:
        yield PairObservation(records, cost, PairResult(order.points, contest.outcome))
        cost, records = FREE, ()
