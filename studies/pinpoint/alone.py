"""A replay in a process of its own, with nothing beside it: its time and its memory are its own."""

from __future__ import annotations

import resource
from dataclasses import dataclass, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection

from studies.pinpoint.replays import OracleTask, Played

KIBIBYTE = 1024


@dataclass(frozen=True)
class AloneTask:
    """An oracle task in a fresh process, which is ended if it takes too long."""

    task: OracleTask
    timeout_seconds: int = 900

    @property
    def planner(self) -> str:
        return self.task.planner

    def run(self) -> Played:
        """What came of it; without scores if it took too long."""
        spawn = get_context("spawn")
        ours, theirs = spawn.Pipe(duplex=False)
        process = spawn.Process(target=_play, args=(self.task, theirs))
        process.start()
        theirs.close()  # so that a child that breaks down is noticed
        try:
            if not ours.poll(self.timeout_seconds):
                return Played([], 0, 0, float(self.timeout_seconds), 0, "it took too long")
            played: Played = ours.recv()
            return played
        finally:
            process.terminate()
            process.join()


def _play(task: OracleTask, answer: Connection) -> None:
    played = task.run()
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu_seconds = used.ru_utime + used.ru_stime
    answer.send(replace(played, peak_bytes=used.ru_maxrss * KIBIBYTE, cpu_seconds=cpu_seconds))
