"""What measuring would take at the most, without doing it."""

from __future__ import annotations

from sonde.campaign.budget import in_words, parse_budget
from sonde.campaign.everything import Everything
from sonde.core.digests import digest
from sonde.core.findings import Plan
from sonde.core.records import BuildKey, BuildRecord, Built, MeasurementKey
from sonde.core.results import Failed
from sonde.effects.builds.cache import BuildCache
from sonde.effects.executors.blueprints import Blueprint
from sonde.effects.executors.knowledge import known_results, samples_of
from sonde.workflows.measure import scope_of
from sonde.workflows.projects import OpenProject
from sonde.workflows.targets import Wish, target_of
from sonde.workflows.workshop import Workshop, open_workshop


def plan(project: OpenProject, wish: Wish, is_sandboxed: bool) -> Plan:
    """What measuring would take at the most: builds may turn out equal, and builds and runs may fail."""
    target, budget = target_of(project, wish), parse_budget(wish.budget or project.file.budget)
    with open_workshop(project, target.history, target.benchmarks, is_sandboxed) as workshop:
        points = list(target.points())
        planner = Everything(points, target.runs)
        known = known_results(workshop.store, scope_of(workshop, target))
        planner.tell(r for r in known if not (wish.retry and isinstance(r.outcome, Failed)))
        requests = planner.ask(len(points))
        drafts = {request.point: workshop.drafter.draft(request.point) for request in requests}
        blueprints = [draft for draft in drafts.values() if isinstance(draft, Blueprint)]
        builds, runs = _work(workshop, blueprints, {r.point.benchmark: r.runs for r in requests}, wish.retry)
        return Plan(
            points=len(points),
            known=len(points) - len(requests),
            impossible=len(drafts) - len(blueprints),
            builds=builds,
            runs=runs,
            budget=in_words(budget),
        )


def _work(
    workshop: Workshop, blueprints: list[Blueprint], wanted: dict[str, int], retry: bool
) -> tuple[int, int]:
    """The number of builds and of runs that these points take, if no two builds turn out equal."""
    cache = BuildCache(workshop.project.state.builds, 0)
    records = workshop.store.query(BuildRecord, {"build": [each.build.key for each in blueprints]})
    outcomes = {record.build: record.outcome for record in records}
    built = {key: outcome for key, outcome in outcomes.items() if isinstance(outcome, Built)}
    broken = frozenset() if retry else outcomes.keys() - built.keys()
    keys: dict[MeasurementKey | str, Blueprint] = {}
    for each in blueprints:
        if each.build.key in built:
            keys.setdefault(each.measurement(built[each.build.key]), each)
        elif each.build.key not in broken:  # twins by inputs at the least
            keys.setdefault(digest(each.build.key, each.run), each)
    samples = samples_of(workshop.store, [MeasurementKey(key) for key in keys])
    missing = {
        key: wanted[each.point.benchmark] - len(samples.get(MeasurementKey(key), ()))
        for key, each in keys.items()
    }
    needed: set[BuildKey] = {keys[key].build.key for key, runs in missing.items() if runs > 0}
    at_hand = {key for key in needed if key in built and cache.find(built[key].fingerprint)}
    return len(needed - at_hand), sum(runs for runs in missing.values() if runs > 0)
