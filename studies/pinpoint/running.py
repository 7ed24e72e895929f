"""Runs what the study needs: in several processes, and never twice."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict
from multiprocessing import get_context
from pathlib import Path

from studies.pinpoint.alone import AloneTask
from studies.pinpoint.kept import Kept
from studies.pinpoint.replays import OracleTask, Played, RecordingTask
from studies.pinpoint.sources import planner_digest

Task = OracleTask | RecordingTask | AloneTask
Outcomes = Mapping[Task, Played]
Progress = Callable[[str], None]

EVERY = 20  # outcomes that the progress is told after


def play(tasks: Iterable[Task], judge: Path, kept: Kept, workers: int, progress: Progress) -> Outcomes:
    """The outcome of each task; tasks that must be alone come first, one by one."""
    wanted = list(dict.fromkeys(tasks))
    digests = {planner: planner_digest(planner, judge) for planner in {task.planner for task in wanted}}
    keys = {task: _key(task, digests[task.planner]) for task in wanted}
    outcomes: dict[Task, Played] = {}
    for task in wanted:
        known = kept.get(keys[task])
        if known is not None:
            outcomes[task] = Played(**known)
    if outcomes:
        progress(f"{len(outcomes)} of {len(wanted)} replays are known already")

    def take(task: Task, played: Played) -> None:
        kept.put(keys[task], asdict(played))
        outcomes[task] = played
        if len(outcomes) % EVERY == 0 or len(outcomes) == len(wanted):
            progress(f"{len(outcomes)} of {len(wanted)} replays")

    left = [task for task in wanted if task not in outcomes]
    together = [task for task in left if not isinstance(task, AloneTask)]
    for task in left:
        if isinstance(task, AloneTask):
            take(task, task.run())
    if workers == 1:
        for task in together:
            take(task, task.run())
    elif together:
        _play_together(together, workers, take)
    return outcomes


def _play_together(tasks: Sequence[Task], workers: int, take: Callable[[Task, Played], None]) -> None:
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        # The longest first, so that no process is left with one of them in the end.
        waiting = {pool.submit(task.run): task for task in sorted(tasks, key=_work, reverse=True)}
        try:
            for done in as_completed(waiting):
                take(waiting[done], done.result())
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _work(task: Task) -> float:
    return float(task.options * task.revisions) if isinstance(task, OracleTask) else 0.0


def _key(task: Task, digest: str) -> str:
    """The same for the same task on any machine."""
    fields = asdict(task)
    inner = fields.get("task", fields)
    inner.pop("judge", None)
    if "recording" in inner:
        inner["recording"] = Path(inner["recording"]).name
    return json.dumps([type(task).__name__, digest, fields], sort_keys=True)
