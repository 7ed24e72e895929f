"""Snapshots and profiles are taken once, kept at once, and shared by twins."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from sonde.core.events import BuildBegan, Event, ProfileBegan
from sonde.core.evidence import Snapshot
from sonde.core.points import Point
from sonde.core.records import BuildRecord, Built, ProfileRecord, SnapshotRecord
from sonde.core.results import Failed
from sonde.effects.executors.blueprints import Blueprint
from sonde.formats.damaged import Unreadable
from sonde.workflows.evidence import profile_all, profiles_of, snapshot_of, snapshots_of
from sonde.workflows.projects import open_project
from sonde.workflows.prune import prune
from sonde.workflows.workshop import Workshop, open_workshop
from tests.real.repositories import RepositoryMaker
from tests.real.subjects import write_project
from tests.real.test_twins_by_code import COMMENTED, FIRST, LONGER, PROJECT

pytestmark = pytest.mark.needs("git", "bwrap", "cc", "valgrind")

BROKEN = {"src/work.c": "this is not C\n"}
MENDED = {"src/work.c": COMMENTED["src/work.c"]}

OTHER_METRIC = """
[benchmarks.timed]
command = "{build}/work"
metric = "cpu"
"""


class Noted:
    def __init__(self) -> None:
        self.events: list[Event] = []

    def notice(self, event: Event) -> None:
        self.events.append(event)

    def count(self, kind: type[Event]) -> int:
        return sum(isinstance(event, kind) for event in self.events)


@pytest.fixture
def noted() -> Noted:
    return Noted()


def opened(folder, *revisions, flags: str = "") -> Iterator[Workshop]:
    maker = RepositoryMaker()
    for files in revisions:
        maker.revision(files)
    maker.make(folder / "subject")
    write_project(folder, PROJECT.format(metric="instructions", flags=flags) + OTHER_METRIC)
    project = open_project(folder)
    with open_workshop(project, project.history(""), ["work", "timed"], is_sandboxed=True) as workshop:
        yield workshop


@pytest.fixture
def workshop(tmp_path) -> Iterator[Workshop]:
    yield from opened(tmp_path, FIRST, COMMENTED, BROKEN, MENDED, LONGER)


def blueprints(workshop: Workshop, benchmark: str = "work") -> list[Blueprint]:
    default = workshop.project.file.space.default
    drafts = [workshop.drafter.draft(Point(one.id, default, benchmark)) for one in workshop.history]
    return [draft for draft in drafts if isinstance(draft, Blueprint)]


def found_in(workshop: Workshop, noted: Noted) -> list[Snapshot | Unreadable | Failed]:
    with workshop.executor(noted) as executor:
        return [found for _, found in snapshots_of(workshop, executor, blueprints(workshop))]


def test_a_snapshot_is_read_when_something_is_built_and_then_comes_from_the_store(workshop, noted):
    first = found_in(workshop, noted)
    assert [type(found) for found in first] == [Snapshot, Snapshot, Failed, Snapshot, Snapshot]
    assert noted.count(BuildBegan) == 4  # the mended one has known inputs
    prune(workshop.project, "0")

    assert found_in(workshop, noted) == first
    assert noted.count(BuildBegan) == 4


def test_a_snapshot_that_is_not_stored_is_read_off_the_outputs_or_built_again(workshop, noted):
    first = found_in(workshop, noted)
    workshop.store.forget(SnapshotRecord, {})

    assert found_in(workshop, noted) == first
    assert noted.count(BuildBegan) == 4

    workshop.store.forget(SnapshotRecord, {})
    prune(workshop.project, "0")
    assert found_in(workshop, noted) == first
    assert len(list(workshop.store.query(SnapshotRecord, {}))) == 3


def test_outputs_without_symbols_cannot_be_read_and_say_so(tmp_path, noted):
    for workshop in opened(tmp_path, FIRST, flags="-s"):
        (found,) = found_in(workshop, noted)
        assert isinstance(found, Unreadable)
        assert "strip" in found.reason
        (record,) = workshop.store.query(BuildRecord, {})
        assert isinstance(record.outcome, Built)
        assert record.outcome.code is None


def test_profiles_are_shared_by_equal_code_and_by_benchmarks_that_run_the_same(workshop, noted):
    both = [*blueprints(workshop), *blueprints(workshop, "timed")]
    with workshop.executor(noted) as executor:
        taken = {each.point: found for each, found in profile_all(workshop, executor, both)}

    assert taken.keys() == {each.point for each in both}
    assert sum(isinstance(found, Failed) for found in taken.values()) == 2
    assert noted.count(ProfileBegan) == 2
    stored = list(workshop.store.query(ProfileRecord, {}))
    assert len(stored) == 2
    names = {place.name for record in stored for place in record.content.activities}
    assert "main" in names
    known = profiles_of(workshop, both)
    assert known == {point: found for point, found in taken.items() if isinstance(found, ProfileRecord)}

    with workshop.executor(noted) as executor:
        again = {each.point: found for each, found in profile_all(workshop, executor, both)}
    assert again == taken
    assert noted.count(ProfileBegan) == 2


def test_a_profile_is_kept_before_anyone_is_told_of_it(workshop, noted):
    wanted = [each for each in blueprints(workshop) if each.point.revision != workshop.history[2].id]
    with workshop.executor(noted) as executor:
        taking = profile_all(workshop, executor, wanted)
        ((_, first),) = islice(taking, 1)
        taking.close()
        assert list(workshop.store.query(ProfileRecord, {})) == [first]

        rest = [found for _, found in profile_all(workshop, executor, wanted)]
    assert len(rest) == len(wanted)
    assert first in rest


def test_a_snapshot_of_one_build_is_that_of_the_many(workshop, noted):
    with workshop.executor(noted) as executor:
        last = blueprints(workshop)[-1]
        alone = snapshot_of(workshop, executor, last)
        assert noted.count(BuildBegan) == 1
        assert [found for _, found in snapshots_of(workshop, executor, [last, last])] == [alone, alone]


def test_a_build_that_comes_out_differently_is_no_evidence_of_the_first(tmp_path, noted):
    dated = {**FIRST, "src/work.c": FIRST["src/work.c"].replace("1000", "(TURNS % 999983)")}
    for workshop in opened(tmp_path, dated, flags="-DTURNS=1$(date +%N)"):
        (first,) = found_in(workshop, noted)
        assert isinstance(first, Snapshot)
        prune(workshop.project, "0")
        assert found_in(workshop, noted) == [first]
        workshop.store.forget(SnapshotRecord, {})

        (lost,) = found_in(workshop, noted)

        assert isinstance(lost, Failed)
        assert "came out differently" in lost.reason
        assert not lost.is_lasting
