"""Everything that measuring needs, put together: the way from a project file to an executor."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from sonde.core.digests import digest
from sonde.core.errors import MissingTool, StoreNotWritable
from sonde.core.options import Phase
from sonde.core.points import BenchmarkName
from sonde.core.protocols import Store, Watcher
from sonde.core.records import InputsRecord
from sonde.core.revisions import History, RevisionId
from sonde.core.subject import BenchmarkRecipe, Subject
from sonde.effects.bitcode.cache import BitcodeCache
from sonde.effects.builds.builder import Builder
from sonde.effects.builds.cache import BuildCache
from sonde.effects.executors.blueprints import Drafter, Equipment, Workplace
from sonde.effects.executors.local import LocalExecutor
from sonde.effects.git.main_line import MainLine
from sonde.effects.git.slots.worktree import open_worktree
from sonde.effects.git.tracked.inputs import write_kept
from sonde.effects.machine import (
    describe_machine,
    describe_programs,
    describe_toolchain,
    programs_named_in,
)
from sonde.effects.runs import Meter, SandboxRuns, StagedInputs, choose_meter, stage_inputs
from sonde.effects.runs.inputs import files_named
from sonde.effects.runs.versions import meter_version
from sonde.effects.sandbox import Bare, Processes, Sandbox, Unavailable, find_sandbox
from sonde.effects.sandbox.worlds import PATH
from sonde.effects.shown_files import digest_shown
from sonde.effects.store import SqliteStore, open_store
from sonde.workflows.projects import OpenProject

MOST_SLOTS = 4
SEED = 0  # of the order of runs
LARGEST_SCRIPT_BYTES = 200_000
_SONDE_VARIABLE = re.compile(r"\bSONDE_[A-Z0-9_]+")


@dataclass(frozen=True)
class ProjectTools:
    """A project, its store, and what can be known without building."""

    project: OpenProject
    history: History
    store: SqliteStore
    drafter: Drafter
    sandbox: Sandbox
    processes: Processes

    @contextmanager
    def executor(self, watcher: Watcher) -> Iterator[LocalExecutor]:
        """An executor; nobody else builds or measures for this project meanwhile."""
        state, file = self.project.state, self.project.file
        cores = os.cpu_count() or 1
        with ExitStack() as stack:
            stack.enter_context(state.claim())
            slots = [
                stack.enter_context(
                    open_worktree(
                        self.project.repository, state.slots / str(number), file.subject.build.sees_git
                    )
                )
                for number in range(min(cores, MOST_SLOTS))
            ]
            limit = file.cache_limit_bytes
            bitcode_bytes = min(open_bitcode_cache(self.project).size_bytes(), limit // 2)
            cache = BuildCache(state.builds, limit - bitcode_bytes)
            builder = Builder(
                file.subject.build,
                file.subject.surroundings,
                file.subject.limits,
                slots,
                cache,
                state.compiler_cache,
                MainLine(self.project.repository.git, file.subject.branch),
                self.sandbox,
                self.processes,
                watcher,
                checks_libraries=not _sets_library_path(file.subject),
            )
            surroundings, limits = file.subject.surroundings, file.subject.limits
            runs = SandboxRuns(self.sandbox, state.path, self.processes, surroundings, limits)
            rng = random.Random(SEED)
            yield LocalExecutor(
                self.drafter, builder, cache, runs, self.processes, self.store, rng, watcher, cores
            )


def open_bitcode_cache(project: OpenProject) -> BitcodeCache:
    """The bitcode of a project, which takes at most half of what its builds and it may take."""
    return BitcodeCache(project.state.bitcode, project.file.cache_limit_bytes // 2)


@contextmanager
def open_tools(
    project: OpenProject, history: History, benchmarks: Iterable[BenchmarkName], is_sandboxed: bool
) -> Iterator[ProjectTools]:
    """The tools of a project for these benchmarks; nothing is built or run yet."""
    subject, repository = project.file.subject, project.repository
    project.state.prepare()
    sandbox, processes = _choose_sandbox(is_sandboxed), Processes()
    names = {name for span in subject.spans for name in (span.since, span.until) if name}
    boundaries = {name: repository.resolve(name) for name in names}
    timeline = repository.timeline(subject.spans, history)
    workplace = _look_around(project, sandbox)
    recipes = [subject.benchmark[name] for name in benchmarks]
    meters = {metric: choose_meter(metric, processes, sandbox) for metric in {r.metric for r in recipes}}
    versions = {meter: meter_version(meter, processes) for meter in set(meters.values())}
    equipment = {
        recipe.name: _equip(project, recipe, meters[recipe.metric], versions[meters[recipe.metric]])
        for recipe in recipes
    }
    with open_store(project.state.store) as store:
        inputs = _input_digests(project, store, [revision.id for revision in history])
        drafter = Drafter(subject, timeline, boundaries, inputs, equipment, workplace)
        yield ProjectTools(project, history, store, drafter, sandbox, processes)


def _choose_sandbox(is_sandboxed: bool) -> Sandbox:
    if is_sandboxed:
        found = find_sandbox()
        if isinstance(found, Unavailable):
            raise MissingTool(found.reason)
        return found
    return Bare()


def _look_around(project: OpenProject, sandbox: Sandbox) -> Workplace:
    """What of this machine matters to builds and runs."""
    subject = project.file.subject
    machine = describe_machine(subject.surroundings.label)
    build = subject.build
    texts = [
        *(command.line for command in build.commands),
        *(value for _, value in (*build.variables, *subject.surroundings.variables)),
        *(option.words for option in subject.options if option.phase is Phase.BUILD),
    ]
    toolchain = describe_toolchain(programs_named_in(texts), PATH)
    return Workplace(
        machine.digest,
        toolchain.digest,
        digest(subject.surroundings, digest_shown(subject.surroundings.readable)),
        sandbox.is_isolated,
        f"{machine.one_line()}; {toolchain.one_line()}",
    )


def _equip(project: OpenProject, recipe: BenchmarkRecipe, meter: Meter, version: str) -> Equipment:
    """What a benchmark is measured with."""
    staged = _stage(project, recipe.inputs)
    lines = [*(command.line for command in recipe.commands), recipe.setup, recipe.teardown]
    lines += [recipe.server.command] if recipe.server else []
    tools = describe_programs(programs_named_in(lines), PATH)
    mentioned = {name for line in lines for name in _SONDE_VARIABLE.findall(line)}
    return Equipment(
        meter,
        digest(version, tools.digest),
        tools.digest,
        staged,
        frozenset(mentioned | _mentioned_in(staged.path)),
        tools.one_line() if tools.versions else "",
        recipe.side_by_side and not project.file.subject.surroundings.writable,
    )


def _sets_library_path(subject: Subject) -> bool:
    """Whether the user tells programs where their libraries are."""
    lines = [command.line for recipe in subject.benchmarks for command in recipe.commands]
    texts = [*lines, *(name for name, _ in subject.surroundings.variables)]
    return any("LD_LIBRARY_PATH" in text for text in texts)


def _mentioned_in(folder: Path) -> set[str]:
    """The variables of Sonde that scripts among the input files name."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    scripts = [file for file in files if file.stat().st_size <= LARGEST_SCRIPT_BYTES]
    return {name for file in scripts for name in _SONDE_VARIABLE.findall(file.read_text(errors="replace"))}


def _stage(project: OpenProject, patterns: Sequence[str]) -> StagedInputs:
    """The input files of a benchmark; a folder stands for all files in it."""
    root, state = project.file.root, project.state.path
    files = files_named(root, patterns)
    if project.inputs is None:
        return stage_inputs(root, files, state)
    chosen = project.inputs.choose(patterns, files)
    if not chosen.kept:
        return stage_inputs(root, chosen.own, state)
    (state / "inputs").mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=state / "inputs", prefix="new-") as folder:
        return stage_inputs(root, chosen.own, state, write_kept(project.inputs, chosen.kept, Path(folder)))


def _input_digests(
    project: OpenProject, store: Store, revisions: list[RevisionId]
) -> Mapping[RevisionId, str]:
    """The digest of each revision's build inputs; what git told once is kept in the store."""
    patterns = project.file.subject.build.deciding_inputs
    key = digest(patterns)
    known = {
        record.revision: record.tree
        for record in store.query(InputsRecord, {"patterns": [key], "revision": revisions})
    }
    missing = [revision for revision in revisions if revision not in known]
    if missing:
        found = project.repository.input_digests(missing, patterns)
        with suppress(StoreNotWritable):  # what can only be read is enough to show it
            store.append(*(InputsRecord(revision, key, tree) for revision, tree in found.items()))
        known |= found
    return known
