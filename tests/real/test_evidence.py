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
from sonde.formats.damaged import UnreadableOutput
from sonde.workflows.evidence import profile_all, profiles_of, snapshot_of, snapshots_of
from sonde.workflows.project_tools import ProjectTools, open_tools
from sonde.workflows.projects import open_project
from sonde.workflows.prune import prune
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


def opened(folder, *revisions, flags: str = "") -> Iterator[ProjectTools]:
    maker = RepositoryMaker()
    for files in revisions:
        maker.revision(files)
    maker.make(folder / "subject")
    write_project(folder, PROJECT.format(metric="instructions", flags=flags) + OTHER_METRIC)
    project = open_project(folder)
    with open_tools(project, project.history(""), ["work", "timed"], is_sandboxed=True) as tools:
        yield tools


@pytest.fixture
def tools(tmp_path) -> Iterator[ProjectTools]:
    yield from opened(tmp_path, FIRST, COMMENTED, BROKEN, MENDED, LONGER)


def blueprints(tools: ProjectTools, benchmark: str = "work") -> list[Blueprint]:
    default = tools.project.file.space.default
    drafts = [tools.drafter.draft(Point(one.id, default, benchmark)) for one in tools.history]
    return [draft for draft in drafts if isinstance(draft, Blueprint)]


def found_in(tools: ProjectTools, noted: Noted) -> list[Snapshot | UnreadableOutput | Failed]:
    with tools.executor(noted) as executor:
        return [found for _, found in snapshots_of(tools, executor, blueprints(tools))]


def test_a_snapshot_is_read_when_something_is_built_and_then_comes_from_the_store(tools, noted):
    first = found_in(tools, noted)
    assert [type(found) for found in first] == [Snapshot, Snapshot, Failed, Snapshot, Snapshot]
    assert noted.count(BuildBegan) == 4  # the mended one has known inputs
    prune(tools.project, "0")

    assert found_in(tools, noted) == first
    assert noted.count(BuildBegan) == 4


def test_a_snapshot_that_is_not_stored_is_read_off_the_outputs_or_built_again(tools, noted):
    first = found_in(tools, noted)
    tools.store.forget(SnapshotRecord, {})

    assert found_in(tools, noted) == first
    assert noted.count(BuildBegan) == 4

    tools.store.forget(SnapshotRecord, {})
    prune(tools.project, "0")
    assert found_in(tools, noted) == first
    assert len(list(tools.store.query(SnapshotRecord, {}))) == 3


def test_outputs_without_symbols_cannot_be_read_and_say_so(tmp_path, noted):
    for tools in opened(tmp_path, FIRST, flags="-s"):
        (found,) = found_in(tools, noted)
        assert isinstance(found, UnreadableOutput)
        assert "strip" in found.reason
        (record,) = tools.store.query(BuildRecord, {})
        assert isinstance(record.outcome, Built)
        assert record.outcome.code is None


def test_profiles_are_shared_by_equal_code_and_by_benchmarks_that_run_the_same(tools, noted):
    both = [*blueprints(tools), *blueprints(tools, "timed")]
    with tools.executor(noted) as executor:
        taken = {each.point: found for each, found in profile_all(tools, executor, both)}

    assert taken.keys() == {each.point for each in both}
    assert sum(isinstance(found, Failed) for found in taken.values()) == 2
    assert noted.count(ProfileBegan) == 2
    stored = list(tools.store.query(ProfileRecord, {}))
    assert len(stored) == 2
    names = {place.name for record in stored for place in record.content.activities}
    assert "main" in names
    known = profiles_of(tools, both)
    assert known == {point: found for point, found in taken.items() if isinstance(found, ProfileRecord)}

    with tools.executor(noted) as executor:
        again = {each.point: found for each, found in profile_all(tools, executor, both)}
    assert again == taken
    assert noted.count(ProfileBegan) == 2


def test_a_profile_is_kept_before_anyone_is_told_of_it(tools, noted):
    wanted = [each for each in blueprints(tools) if each.point.revision != tools.history[2].id]
    with tools.executor(noted) as executor:
        taking = profile_all(tools, executor, wanted)
        ((_, first),) = islice(taking, 1)
        taking.close()
        assert list(tools.store.query(ProfileRecord, {})) == [first]

        rest = [found for _, found in profile_all(tools, executor, wanted)]
    assert len(rest) == len(wanted)
    assert first in rest


def test_a_snapshot_of_one_build_is_that_of_the_many(tools, noted):
    with tools.executor(noted) as executor:
        last = blueprints(tools)[-1]
        alone = snapshot_of(tools, executor, last)
        assert noted.count(BuildBegan) == 1
        assert [found for _, found in snapshots_of(tools, executor, [last, last])] == [alone, alone]


def test_a_build_that_comes_out_differently_is_no_evidence_of_the_first(tmp_path, noted):
    dated = {**FIRST, "src/work.c": FIRST["src/work.c"].replace("1000", "(TURNS % 999983)")}
    for tools in opened(tmp_path, dated, flags="-DTURNS=1$(date +%N)"):
        (first,) = found_in(tools, noted)
        assert isinstance(first, Snapshot)
        prune(tools.project, "0")
        assert found_in(tools, noted) == [first]
        tools.store.forget(SnapshotRecord, {})

        (lost,) = found_in(tools, noted)

        assert isinstance(lost, Failed)
        assert "built again with a different result" in lost.reason
        assert not lost.is_lasting
