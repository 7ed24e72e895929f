"""The blueprints of a series, and what is known of their builds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sonde.core.options import Configuration
from sonde.core.points import BenchmarkName, Point
from sonde.core.records import BuildKey, BuildRecord, Built, Fingerprint
from sonde.core.revisions import History
from sonde.effects.executors.blueprints import Blueprint
from sonde.workflows.workshop import Workshop


def blueprints_of(
    workshop: Workshop, history: History, configuration: Configuration, benchmark: BenchmarkName
) -> Mapping[int, Blueprint]:
    """The blueprint of each position in order, without revisions that lack the benchmark or an option."""
    drafts = (workshop.drafter.draft(Point(one.id, configuration, benchmark)) for one in history)
    return {position: draft for position, draft in enumerate(drafts) if isinstance(draft, Blueprint)}


def fingerprints_of(workshop: Workshop, blueprints: Iterable[Blueprint]) -> Mapping[BuildKey, Fingerprint]:
    """What came of builds that were made before: revisions with equal outputs are proven equal."""
    records = workshop.store.query(BuildRecord, {"build": [each.build.key for each in blueprints]})
    return {
        record.build: record.outcome.fingerprint for record in records if isinstance(record.outcome, Built)
    }
