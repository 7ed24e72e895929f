"""A build recipe, filled in for one revision and configuration."""

from __future__ import annotations

from dataclasses import dataclass

from sonde.core.digests import digest
from sonde.core.options import Configuration, Option, Phase
from sonde.core.records import BuildKey
from sonde.core.results import Failed, Stage
from sonde.core.revisions import RevisionId, Timeline
from sonde.core.subject import BuildRecipe, command_at
from sonde.effects.git.inputs import NO_INPUTS
from sonde.space.words import fill, spell, variables_of

# Where the work tree appears inside the sandbox. Later the outputs appear in the same place, so that a
# program finds there what it was linked with.
TREE = "/sonde/build"


@dataclass(frozen=True)
class BuildOrder:
    """Everything that makes a build what it is. Equal keys give equal builds."""

    revision: RevisionId
    key: BuildKey
    command: str
    variables: tuple[tuple[str, str], ...]
    timeout_seconds: float  # not part of the key: a build that succeeds does not know it


def order_build(
    recipe: BuildRecipe,
    options: tuple[Option, ...],
    configuration: Configuration,
    revision: RevisionId,
    inputs: str,
    timeline: Timeline,
    workbench: str,
) -> BuildOrder | Failed:
    """What to do to build `revision`; `inputs` and `workbench` are digests of its files and of the tools."""
    if inputs == NO_INPUTS:
        return Failed(Stage.BUILD, "No file of this revision matches build.inputs.")
    command = command_at(recipe.commands, revision, timeline)
    if command is None:
        return Failed(Stage.BUILD, "The project file has no build command for this revision.")
    build_time = tuple(option for option in options if option.phase is Phase.BUILD)
    chosen = Configuration.of({option.name: configuration[option.name] for option in build_time})
    spelling = spell(build_time, chosen, Phase.BUILD, lambda option: timeline.covers(option.span, revision))
    line = fill(command.line, TREE, spelling, chosen)
    variables = {
        **dict(recipe.variables),
        **spelling.variables,
        **variables_of(chosen),
    }
    # A build that can see the revision may differ where its inputs are equal.
    seen = revision if recipe.sees_git or "SONDE_REVISION" in line else ""
    if seen:
        variables["SONDE_REVISION"] = revision
    ordered = tuple(sorted(variables.items()))
    key = digest(inputs, line, ordered, recipe.outputs, recipe.network, seen, workbench)
    return BuildOrder(revision, BuildKey(key), line, ordered, recipe.timeout_seconds)
