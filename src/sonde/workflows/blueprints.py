"""The blueprints of a series, and what is known of their builds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sonde.core.digests import digest
from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName, Point
from sonde.core.records import BuildKey, BuildRecord, Built
from sonde.core.revisions import History
from sonde.effects.executors.blueprints import Blueprint
from sonde.workflows.project_tools import ProjectTools


def blueprints_of(
    tools: ProjectTools, history: History, configuration: Configuration, benchmark: BenchmarkName
) -> Mapping[int, Blueprint]:
    """The blueprint of each position in order, without revisions that lack the benchmark or an option."""
    drafts = (tools.drafter.draft(Point(one.id, configuration, benchmark)) for one in history)
    return {position: draft for position, draft in enumerate(drafts) if isinstance(draft, Blueprint)}


def known_builds(tools: ProjectTools, blueprints: Iterable[Blueprint]) -> Mapping[BuildKey, Built]:
    """What came of builds that were made before, and succeeded."""
    records = tools.store.query(BuildRecord, {"build": [each.build.key for each in blueprints]})
    return {record.build: record.outcome for record in records if isinstance(record.outcome, Built)}


def proven_kinds(tools: ProjectTools, blueprints: Iterable[Blueprint]) -> tuple[str, ...]:
    """What is proven equal by now, without building anything: such blueprints are of one kind.

    What was built before is equal if its outputs are, or its code where instructions are counted; anything
    else, if what it is built from is equal.
    """
    drawn = list(blueprints)
    built = known_builds(tools, drawn)
    return tuple(
        digest(each.noticed(built[each.build.key]) if each.build.key in built else each.build.key, each.run)
        for each in drawn
    )
