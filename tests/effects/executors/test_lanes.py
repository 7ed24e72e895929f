from __future__ import annotations

import threading
from queue import SimpleQueue
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sonde.effects.executors import lanes as lanes_module
from sonde.effects.executors.lanes import run_in_lanes


def always(_: object) -> bool:
    return True


def nothing() -> None:
    pass


@given(work=st.lists(st.integers(0, 99), max_size=20), lanes=st.integers(1, 4))
def test_every_piece_that_may_begin_comes_back_once(work, lanes):
    done = list(
        run_in_lanes(work, lanes, lambda piece, lane: piece * 2, lambda piece: piece % 3 != 0, nothing)
    )

    assert sorted(done) == sorted((piece, piece * 2) for piece in work if piece % 3 != 0)


@given(work=st.lists(st.integers(0, 99), min_size=1, max_size=20))
def test_one_lane_keeps_the_order(work):
    assert [piece for piece, _ in run_in_lanes(work, 1, lambda piece, lane: lane, always, nothing)] == work


def test_no_two_pieces_share_a_lane_at_the_same_time():
    busy, clashes, lock = set(), [], threading.Lock()

    def run(piece: int, lane: int) -> None:
        with lock:
            clashes.extend([lane] if lane in busy else [])
            busy.add(lane)
        with lock:
            busy.discard(lane)

    list(run_in_lanes(range(200), 3, run, always, nothing))

    assert clashes == []


def test_an_error_in_a_lane_reaches_the_caller():
    def run(piece: int, lane: int) -> None:
        raise ValueError(f"piece {piece}")

    with pytest.raises(ValueError, match="piece 0"):
        list(run_in_lanes([0], 1, run, always, nothing))


@pytest.mark.parametrize("waits", [True, False], ids=["what runs", "what is about to begin"])
def test_a_caller_that_stops_early_ends(waits):
    begun, may_end = threading.Event(), threading.Event()
    stops: list[None] = []

    def run(piece: int, lane: int) -> int:
        if piece:
            begun.set()
            may_end.wait()  # only `stop` can end it, and only when told a second time
        return piece

    def stop() -> None:
        stops.append(None)
        if len(stops) > 1:
            may_end.set()

    work = run_in_lanes([0, 1, 2, 3], 2, run, always, stop)
    next(work)
    if waits:
        begun.wait()
    work.close()

    assert len(stops) > 1 or not begun.is_set()


class Interrupting(SimpleQueue[Any]):
    """The interrupt comes after a result was taken and before anyone could note that."""

    def get(self, block: bool = True, timeout: float | None = None) -> Any:
        taken = super().get(block, timeout)
        if isinstance(taken, tuple):
            raise KeyboardInterrupt
        return taken


def test_an_interrupt_at_the_worst_moment_ends_all_the_same(monkeypatch):
    monkeypatch.setattr(lanes_module, "SimpleQueue", Interrupting)
    outcomes: list[str] = []

    def interrupted() -> None:
        try:
            list(run_in_lanes([1, 2], 1, lambda piece, _: piece, always, nothing))
        except KeyboardInterrupt:
            outcomes.append("interrupted")

    thread = threading.Thread(target=interrupted, daemon=True)
    thread.start()
    thread.join(300)  # the limit only ends what hangs

    assert outcomes == ["interrupted"]
