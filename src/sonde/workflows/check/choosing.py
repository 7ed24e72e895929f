"""Which configurations stand for all others: those in which what a change does can show."""

from __future__ import annotations

from dataclasses import dataclass

from sonde.core.errors import MissingTool, NothingMeasured, UsageError
from sonde.core.findings.comparisons import NarrowingStep
from sonde.core.findings.impacts import ChangedRegion
from sonde.core.options import Configuration, OptionName
from sonde.core.revisions import Revision
from sonde.space.samplers.covering import all_if_hardly_more, covering
from sonde.space.samplers.t_wise import t_wise
from sonde.space.space import Space
from sonde.workflows.check.sources import NarrowingSources


@dataclass(frozen=True)
class Chosen:
    """The configurations that stand for all, and why the others need not be measured."""

    configurations: tuple[Configuration, ...]
    step: NarrowingStep
    reason: str
    related: tuple[OptionName, ...] | None = None  # None: nobody looked
    warnings: tuple[str, ...] = ()
    regions: tuple[ChangedRegion, ...] | None = None  # of changed code; None: nobody looked


def choose(sources: NarrowingSources, base: Revision, space: Space, strength: int) -> Chosen:
    """By `sonde impact` if it can say anything, otherwise a sample in which so many values meet."""
    found = _by_impact(sources, base, space, strength)
    if isinstance(found, Chosen):
        return found
    chosen = tuple(dict.fromkeys((space.default, *t_wise(space, strength))))
    reason = f"the measured configurations cover all combinations of {strength} options"
    warning = f"`sonde impact` could not determine the options involved: {found}"
    return Chosen(chosen, NarrowingStep.SAMPLE, reason, warnings=(warning,))


def _by_impact(sources: NarrowingSources, base: Revision, space: Space, strength: int) -> Chosen | str:
    """What `sonde impact` says, or why it says nothing."""
    try:
        found = sources.impact(base)
    except (MissingTool, UsageError, NothingMeasured) as error:
        return str(error).splitlines()[0]
    if found.base != base:
        return f"{base.short} does not build with clang"
    if not found.is_relevant:
        return Chosen((), NarrowingStep.IMPACT, found.verdict.rstrip("."), (), found.warnings, found.regions)
    related = (*found.related_options, *found.options_behind)
    existing = tuple(filter(space.is_valid, found.configurations))
    few = all_if_hardly_more(existing, covering(existing, related, strength))
    reason = f"the change reaches hot code only through {', '.join(related) or 'no option'}"
    if len(few) < len(existing):
        reason += f", and the measured configurations cover all combinations of {strength} of these options"
    return Chosen(few, NarrowingStep.IMPACT, reason, related, found.warnings, found.regions)
