"""What a point is made of: the build that it needs and the run that it means."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping, Set
from dataclasses import dataclass, replace
from functools import lru_cache

from sonde.core.digests import digest, plain
from sonde.core.options import Configuration, Option, OptionName, Phase
from sonde.core.points import BenchmarkName, Point
from sonde.core.records import (
    PROFILE_FORMAT,
    Built,
    ContextKey,
    ContextRecord,
    Fingerprint,
    MeasurementKey,
    ProfileKey,
)
from sonde.core.results import Failed, Metric, Stage
from sonde.core.revisions import RevisionId, Span, Timeline
from sonde.core.subject import BenchmarkRecipe, Command, Subject, command_at
from sonde.effects.builds.orders import BuildOrder, order_build
from sonde.effects.runs import BUILD, SCRATCH, Meter, RunOrder, StagedInputs, in_shell
from sonde.space.words import Spelling, fill, spell, split_words, variables_of

MOST_KEPT_RUNS = 4_096  # orders of runs, some kilobytes each


@dataclass(frozen=True)
class Workplace:
    """The machine and its tools, as far as they matter to a number; mostly digests."""

    machine: str
    toolchain: str
    surroundings: str  # variables, and the files that the project file shows
    is_isolated: bool
    in_words: str


@dataclass(frozen=True)
class Equipment:
    """How a benchmark is measured here."""

    meter: Meter
    tools: str  # digest of the versions of the meter and of `programs`
    programs: str  # digest of the versions of the programs that the benchmark names
    inputs: StagedInputs
    mentioned: frozenset[str]  # variables of Sonde that the benchmark or its input files name
    programs_in_words: str = ""
    is_sociable: bool = True  # whether two runs at the same time do not disturb what each other does


@dataclass(frozen=True)
class Blueprint:
    """The orders that make a point."""

    point: Point
    context: ContextKey
    build: BuildOrder
    run: RunOrder
    equipment: Equipment
    workplace: Workplace

    def noticed(self, built: Built) -> Fingerprint:
        """What of a build can change the metric of this point.

        Where code lies changes times, but no number of instructions; where data lie in their pages may.
        """
        counts = self.run.metric is Metric.INSTRUCTIONS
        return built.code if counts and built.code is not None else built.fingerprint

    def measurement(self, built: Built) -> MeasurementKey:
        """The digest of everything that a run of this point can see, once it is built.

        A time limit is not seen, unless it is reached.
        """
        seen = (replace(self.run, timeout_seconds=0.0), self.noticed(built), self.equipment.inputs.digest)
        how = (self.equipment.tools, *_circumstances(self.run.metric))
        return MeasurementKey(digest(*seen, *how, *self._place))

    def profile(self, built: Built, profiler: str) -> ProfileKey:
        """The digest of everything that a run under a profiler can see, whatever its metric."""
        any_metric = replace(
            self.run, timeout_seconds=0.0, warmups=0, metric=Metric.WALL, meter=Meter.PLAIN, pattern=""
        )
        seen = (any_metric, built.code or built.fingerprint, self.equipment.inputs.digest)
        how = (PROFILE_FORMAT, profiler, self.equipment.programs)
        return ProfileKey(digest(*seen, *how, *self._place))

    @property
    def _place(self) -> tuple[str, str, bool]:
        return (self.workplace.machine, self.workplace.surroundings, self.workplace.is_isolated)


class Drafter:
    """Draws the blueprint of any point of a subject."""

    def __init__(
        self,
        subject: Subject,
        timeline: Timeline,
        boundaries: Mapping[str, RevisionId],
        input_digests: Mapping[RevisionId, str],
        equipment: Mapping[BenchmarkName, Equipment],
        workplace: Workplace,
    ) -> None:
        self._subject = subject
        self._timeline = timeline
        self._boundaries = boundaries
        self._input_digests = input_digests
        self.equipment = equipment
        self.workplace = workplace
        self._workbench = digest(workplace.toolchain, workplace.surroundings, workplace.is_isolated)
        self.contexts = {name: self._context(subject.benchmark[name]) for name in equipment}
        self._filled_run = lru_cache(maxsize=MOST_KEPT_RUNS)(self._fill_run)  # most revisions run the same
        self._names_here = lru_cache(maxsize=MOST_KEPT_RUNS)(self._load_time_names)
        self._spelled_run = lru_cache(maxsize=MOST_KEPT_RUNS)(self._spell_run)  # so do all benchmarks

    def draft(self, point: Point) -> Blueprint | Failed:
        """The orders for a point, or why there can be none."""
        build, run = self.order_build(point.revision, point.configuration), self.order_run(point)
        for order in (build, run):
            if isinstance(order, Failed):
                return order
        assert isinstance(build, BuildOrder)
        assert isinstance(run, RunOrder)
        context = self.contexts[point.benchmark].context
        return Blueprint(point, context, build, run, self.equipment[point.benchmark], self.workplace)

    def order_build(self, revision: RevisionId, configuration: Configuration) -> BuildOrder | Failed:
        """The build for a configuration, or why there can be none."""
        absent = self._absent_option(revision, configuration)
        if absent is not None:
            reason = f"Option '{absent.name}' does not exist here, only {_in_words(absent.span)}."
            return Failed(Stage.SPACE, reason)
        return order_build(
            self._subject.build,
            self._subject.options,
            configuration,
            revision,
            self._input_digests[revision],
            self._timeline,
            self._workbench,
        )

    def kind_of(self, revision: RevisionId) -> Hashable:
        """Equal for revisions at which the same is run, whatever their builds."""
        commands = [
            command_at(self._subject.benchmark[name].commands, revision, self._timeline)
            for name in self.equipment
        ]
        options = [self.has(option, revision) for option in self._subject.options]
        names_it = any("SONDE_REVISION" in each.mentioned for each in self.equipment.values())
        return (*commands, *options, revision if names_it else "")

    def order_run(self, point: Point) -> RunOrder | Failed:
        """The run for a point, or why there can be none."""
        recipe, equipment = self._subject.benchmark[point.benchmark], self.equipment[point.benchmark]
        command = command_at(recipe.commands, point.revision, self._timeline)
        if command is None:
            return Failed(Stage.RUN, f"Benchmark '{recipe.name}' has no command for this revision.")
        here = self._names_here(point.revision)
        named = point.revision if "SONDE_REVISION" in equipment.mentioned else ""
        return self._filled_run(recipe.name, point.configuration, command, here, named)

    def _fill_run(
        self,
        benchmark: BenchmarkName,
        configuration: Configuration,
        command: Command,
        names: tuple[OptionName, ...],
        revision: str,
    ) -> RunOrder:
        """The run of a command; `names` are the options that exist when it is run."""
        recipe, equipment = self._subject.benchmark[benchmark], self.equipment[benchmark]
        chosen, spelling = self._spelled_run(configuration, names)

        def filled(line: str) -> str:
            return fill(line, BUILD, spelling, configuration)

        line, setup, teardown = map(filled, (command.line, recipe.setup, recipe.teardown))
        server = recipe.server and replace(recipe.server, command=filled(recipe.server.command))
        variables = {
            "SONDE_BUILD_DIR": BUILD,
            "SONDE_OUTPUT": SCRATCH,
            **_mentioned(equipment.mentioned, chosen, revision, recipe.name),
            **spelling.variables,
        }
        return RunOrder(
            argv=in_shell(line) if recipe.shell else split_words(line),
            metric=recipe.metric,
            meter=equipment.meter,
            variables=tuple(sorted(variables.items())),
            setup=setup,
            teardown=teardown,
            warmups=recipe.warmups,
            server=server,
            stdin=recipe.stdin,
            pattern=recipe.pattern,
            exit_codes=recipe.exit_codes,
            timeout_seconds=recipe.timeout_seconds,
            aslr=self._subject.surroundings.aslr,
        )

    def _spell_run(
        self, configuration: Configuration, names: tuple[OptionName, ...]
    ) -> tuple[Configuration, Spelling]:
        """What a run sees of a configuration: the options that exist when it is run, and their spelling."""
        here = tuple(option for option in self._subject.options if option.name in names)
        chosen = Configuration.of({name: configuration[name] for name in names})
        return chosen, spell(here, chosen, Phase.LOAD, lambda _: True)

    def has(self, option: Option, revision: RevisionId) -> bool:
        """Whether an option exists at a revision."""
        return self._timeline.covers(option.span, revision)

    def _load_time_names(self, revision: RevisionId) -> tuple[OptionName, ...]:
        """The options of a run that exist at a revision."""
        return tuple(
            option.name
            for option in self._subject.options
            if option.phase is Phase.LOAD and self._timeline.covers(option.span, revision)
        )

    def _absent_option(self, revision: RevisionId, configuration: Configuration) -> Option | None:
        """An option that the configuration chooses and the revision does not have."""
        return next(
            (
                option
                for option in self._subject.options
                if configuration[option.name] != option.default
                and not self._timeline.covers(option.span, revision)
            ),
            None,
        )

    def _context(self, recipe: BenchmarkRecipe) -> ContextRecord:
        equipment = self.equipment[recipe.name]
        described = {
            "build": self._subject.build,
            "benchmark": replace(recipe, side_by_side=True),  # it changes no run
            "options": tuple(replace(each, variables=()) for each in self._subject.options),
            "boundaries": self._boundaries,
            "inputs": equipment.inputs.digest,
            "meter": equipment.meter,
            "tools": equipment.tools,
            "workplace": self.workplace,
        } | dict.fromkeys(_circumstances(recipe.metric), True)
        return ContextRecord(
            ContextKey(digest(described)),
            recipe.name,
            recipe.metric,
            self.workplace.in_words,
            json.dumps(plain(described), sort_keys=True),
        )


def _mentioned(
    names: Set[str], chosen: Configuration, revision: str, benchmark: BenchmarkName
) -> Mapping[str, str]:
    """Variables of Sonde that a benchmark names: a run that sees the others may differ because of them."""
    if not names:
        return {}
    known = {**variables_of(chosen), "SONDE_REVISION": revision, "SONDE_BENCHMARK": benchmark}
    return {name: value for name, value in known.items() if name in names}


def _circumstances(metric: Metric) -> tuple[str, ...]:
    """What keeps runs apart from those that were made before in other circumstances."""
    return () if metric is Metric.INSTRUCTIONS else ("set-ups are drawn",)


def _in_words(span: Span) -> str:
    parts = [f"since {span.since}"] if span.since else []
    return " and ".join(parts + ([f"until {span.until}"] if span.until else []))
