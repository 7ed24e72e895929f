"""Work that is done in lanes: one thing at a time in each, in the given order."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from queue import SimpleQueue
from typing import TypeVar

W = TypeVar("W")
T = TypeVar("T")

_NUMBERS = count()
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
    name = f"lane {next(_NUMBERS)}:"
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

    under_way, is_over = 0, False
    with ThreadPoolExecutor(lanes, thread_name_prefix=name) as pool:
        try:
            waiting = iter(work)
            while True:
                while under_way < lanes and (piece := next(waiting, None)) is not None:
                    if begin(piece):
                        pool.submit(work_in, free.get(), piece)
                        under_way += 1
                if not under_way:
                    is_over = True
                    return
                outcome = ended.get()
                under_way -= 1
                if isinstance(outcome, BaseException):
                    raise outcome
                yield outcome
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            # An interrupt may have come before anything was counted, so only the threads themselves are to be
            # believed; and a piece may be about to begin, so it is said until all have ended.
            while threads := [thread for thread in threading.enumerate() if thread.name.startswith(name)]:
                if not is_over:
                    stop()
                threads[0].join(STOP_SECONDS)
