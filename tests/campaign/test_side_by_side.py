from __future__ import annotations

from sonde.campaign.everything import Everything
from sonde.campaign.side_by_side import SideBySide
from tests.values import measured, point


def everything(benchmark: str, revisions: int) -> Everything:
    return Everything([point(position, benchmark) for position in range(revisions)], {benchmark: 1})


def test_each_planner_gets_an_equal_part_and_who_needs_less_leaves_it_to_the_others():
    both = SideBySide([everything("pack", 9), everything("unpack", 2), everything("list", 9)])

    names = [request.point.benchmark for request in both.ask(10)]

    assert len(names) == 10
    assert names.count("unpack") == 2
    assert names.count("pack") == 4
    assert names.count("list") == 4


def test_it_ends_when_the_last_one_does_and_says_each_reason_once():
    both = SideBySide([everything("pack", 1), everything("unpack", 2)])

    both.tell([measured(point(0, "pack"), 1)])
    assert both.finished is None
    both.tell([measured(point(position, "unpack"), 1) for position in range(2)])
    assert both.finished == everything("pack", 0).finished
