"""Work that is done in lanes: one thing at a time in each, in the given order."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TypeVar

W = TypeVar("W")
T = TypeVar("T")

STOP_SECONDS = 0.1  # how often what runs is told to end


def run_in_lanes(
    work: Sequence[W],
    lanes: int,
    run: Callable[[W, int], T],
    begin: Callable[[W], bool],
    stop: Callable[[], None],
) -> Generator[tuple[W, T], None, None]:
    """Each piece of work with what came of it, as soon as it is there.

    `run` gets a piece and its lane, in a thread. `begin` is asked before, in the caller's thread, and may
    refuse. When the caller stops early, `stop` must make everything that runs end.
    """
    free: SimpleQueue[int] = SimpleQueue()
    for lane in range(lanes):
        free.put(lane)
    ended: SimpleQueue[tuple[W, T] | BaseException] = SimpleQueue()

    def work_in(lane: int, piece: W) -> None:
        try:
            ended.put((piece, run(piece, lane)))
        except BaseException as error:  # noqa: BLE001 - handed on to the thread that waits
            ended.put(error)
        finally:
            free.put(lane)

    under_way = 0
    with ThreadPoolExecutor(lanes, thread_name_prefix="lane") as pool:
        try:
            waiting = iter(work)
            while True:
                while under_way < lanes and (piece := next(waiting, None)) is not None:
                    if begin(piece):
                        pool.submit(work_in, free.get(), piece)
                        under_way += 1
                if not under_way:
                    return
                outcome = ended.get()
                under_way -= 1
                if isinstance(outcome, BaseException):
                    raise outcome
                yield outcome
        finally:
            while under_way:  # a piece may be about to begin, so say it until all have ended
                stop()
                with suppress(Empty):
                    ended.get(timeout=STOP_SECONDS)
                    under_way -= 1
