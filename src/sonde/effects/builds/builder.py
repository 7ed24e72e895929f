"""Builds revisions in slots, several at a time, and keeps what comes out."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed, wait
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from shutil import disk_usage, which
from typing import Protocol, TypeVar

from sonde.core.events import BuildBegan, BuildEnded
from sonde.core.protocols import Watcher
from sonde.core.records import SNAPSHOT_FORMAT, BuildRecord, Built, SnapshotRecord
from sonde.core.results import Failed, Stage
from sonde.core.subject import BuildRecipe, Limits, Surroundings
from sonde.effects.builds.cache import BuildCache
from sonde.effects.builds.code import fingerprint_code
from sonde.effects.builds.linking import find_stray_library
from sonde.effects.builds.orders import TREE, BuildOrder
from sonde.effects.builds.outputs import (
    NoOutputs,
    Outputs,
    find_outputs,
    fingerprint_outputs,
    size_of_outputs,
)
from sonde.effects.fixed_time import FIXED_TIME_SECONDS
from sonde.effects.git.complaints import CannotCheckOut
from sonde.effects.git.main_line import MainLine
from sonde.effects.git.patterns import Patterns
from sonde.effects.git.slots.worktree import Worktree
from sonde.effects.sandbox import Mount, Processes, Sandbox, SandboxView, name_ending
from sonde.effects.sandbox.limiting import name_limit, name_outputs_limit
from sonde.effects.sandbox.worlds import PATH, in_shell
from sonde.effects.subject_files import discard
from sonde.formats.damaged import UnreadableOutput

STOP_SECONDS = 0.1  # how often builds are told to end
LOG_BYTES = 64 * 1024  # how much of a failing build's output is remembered
CCACHE_LINKS = "/usr/lib/ccache"  # Debian's folder of compilers that go through ccache
CCACHE_SIZE = "1G"
CCACHE_TARGET = "/sonde/ccache"
# What somebody proposes could write results that others would take for their own.
CCACHE_READ_ONLY = {"CCACHE_READONLY": "1", "CCACHE_NOSTATS": "1", "CCACHE_TEMPDIR": "/tmp/ccache"}
FULL_DISK = "No space left on device"
LEAST_FREE_BYTES = 1_000_000
NEVER_FETCHED = "The submodule {} was not fetched: run `git submodule update --init --recursive`."


@dataclass(frozen=True)
class TriedBuild:
    """A build that was tried: what came of it, and what it consists of."""

    record: BuildRecord
    snapshot: SnapshotRecord | None = None  # None: it failed, or it cannot be read

    @property
    def snapshots(self) -> tuple[SnapshotRecord, ...]:
        """The snapshot, if there is one."""
        return () if self.snapshot is None else (self.snapshot,)


T = TypeVar("T")
Seen_co = TypeVar("Seen_co", covariant=True)


class TemporaryBuild(Protocol[Seen_co]):
    """A build that is made for what can be seen of it; its outputs are not kept."""

    def equip(self, world: SandboxView) -> SandboxView:
        """The world to build in."""

    def look(self, folder: Path, world: SandboxView, outputs: Outputs) -> Seen_co | Failed:
        """What is seen in the work tree after the build, before it is used again."""


class Builder:
    """Turns build orders into build records, snapshots and cached outputs."""

    def __init__(
        self,
        recipe: BuildRecipe,
        surroundings: Surroundings,
        limits: Limits,
        slots: Sequence[Worktree],
        cache: BuildCache,
        compiler_cache: Path,
        main_line: MainLine,
        sandbox: Sandbox,
        processes: Processes,
        watcher: Watcher,
        checks_libraries: bool,
    ) -> None:
        self._recipe = recipe
        self._surroundings = surroundings
        self._limits = limits
        self._cache = cache
        self._compiler_cache = compiler_cache
        self._main_line = main_line
        self._sandbox = sandbox
        self._processes = processes
        self._watcher = watcher
        self._checks_libraries = checks_libraries
        self._slots = tuple(slots)
        self._free: SimpleQueue[Worktree] = SimpleQueue()
        for slot in slots:
            self._free.put(slot)
        self._noticing = threading.Lock()

    @property
    def trees(self) -> tuple[str, ...]:
        """Where the work trees lie: debug information names files below them, without a sandbox."""
        return tuple(str(slot.tree) for slot in self._slots)

    def leave(self) -> None:
        """Take the work trees away where runs could reach them, which is without a sandbox.

        A program may have been linked with a path into its work tree, which holds another revision by now.
        """
        if not self._sandbox.is_isolated:
            for slot in self._slots:
                discard(slot.tree)

    def build(self, orders: Sequence[BuildOrder]) -> Iterator[TriedBuild]:
        """What came of each order, as soon as it is built or has failed."""
        yield from self._do(self._build_one, orders)

    def visit(
        self, orders: Sequence[BuildOrder], visit_for: Callable[[BuildOrder], TemporaryBuild[T]]
    ) -> Generator[tuple[BuildOrder, T | Failed], None, None]:
        """What is seen in the build of each order, as soon as it is; nothing of it is kept."""
        yield from self._do(lambda order: self._visit_one(order, visit_for(order)), orders)

    def _do(self, work: Callable[[BuildOrder], T], orders: Sequence[BuildOrder]) -> Iterator[T]:
        if not orders:
            return
        with ThreadPoolExecutor(len(self._slots), thread_name_prefix="build") as pool:
            futures = [pool.submit(work, order) for order in orders]
            try:
                for future in as_completed(futures):
                    yield future.result()
            finally:
                self._end(futures)

    def _end(self, futures: Sequence[Future[T]]) -> None:
        """End builds that nobody waits for any more; one may be about to begin, so say it until all have."""
        under_way = {future for future in futures if not future.cancel()}
        while under_way := wait(under_way, timeout=0).not_done:
            self._processes.end_all()
            wait(under_way, timeout=STOP_SECONDS)

    def _build_one(self, order: BuildOrder) -> TriedBuild:
        with self._slot() as slot:
            self._notice(BuildBegan(order.revision))
            begun, built_at = time.monotonic(), time.time()
            outcome, snapshot = self._build_in(slot, order)
            seconds = time.monotonic() - begun
            failure = outcome.reason if isinstance(outcome, Failed) else ""
            self._notice(BuildEnded(order.revision, seconds, failure))
            return TriedBuild(BuildRecord(order.key, order.revision, outcome, seconds, built_at), snapshot)

    def _visit_one(self, order: BuildOrder, visit: TemporaryBuild[T]) -> tuple[BuildOrder, T | Failed]:
        with self._slot() as slot:
            self._notice(BuildBegan(order.revision))
            begun = time.monotonic()
            world = visit.equip(self._world(slot, order))
            outputs = self._outputs_in(slot, order, world)
            seen = outputs if isinstance(outputs, Failed) else visit.look(slot.tree, world, outputs)
            failure = seen.reason if isinstance(seen, Failed) else ""
            self._notice(BuildEnded(order.revision, time.monotonic() - begun, failure))
            return order, seen

    def _build_in(
        self, slot: Worktree, order: BuildOrder
    ) -> tuple[Built, SnapshotRecord | None] | tuple[Failed, None]:
        outputs = self._outputs_in(slot, order, self._world(slot, order))
        return (outputs, None) if isinstance(outputs, Failed) else self._keep(slot.tree, outputs)

    def _outputs_in(self, slot: Worktree, order: BuildOrder, world: SandboxView) -> Outputs | Failed:
        patterns = Patterns(self._recipe.inputs)
        try:
            checkout = slot.switch(order.revision)
        except CannotCheckOut as refused:
            return Failed(Stage.BUILD, f"The revision cannot be built here: {refused}.", is_lasting=False)
        absent = filter(patterns.may_choose_below, checkout.absent_submodules)
        if missing := ", ".join(absent):
            return Failed(Stage.BUILD, NEVER_FETCHED.format(missing), is_lasting=False)
        if not self._recipe.sees_git:  # git would take what is hidden for deleted
            slot.hide_all_but(self._recipe.deciding_inputs)
        if order.command:
            failed = self._run(slot, order, world)
            if failed is not None:
                return failed
        return self._find_outputs(slot.tree, order)

    def _find_outputs(self, tree: Path, order: BuildOrder) -> Outputs | Failed:
        """The outputs of a build, if they are all there."""
        outputs = find_outputs(tree, self._recipe.outputs)
        if isinstance(outputs, NoOutputs):
            said = "The build reported success" if order.command else "There is nothing to build"
            return Failed(Stage.BUILD, f"{said}, but {outputs.reason}.")
        too_large = name_outputs_limit(size_of_outputs(tree, outputs), self._limits)
        if too_large:
            return Failed(Stage.BUILD, too_large, is_lasting=False)
        if self._checks_libraries:
            stray = find_stray_library(tree, outputs, TREE)
            if stray is not None:
                return Failed(Stage.BUILD, f"The build succeeded, but {stray}.")
        return outputs

    def _keep(self, tree: Path, outputs: Outputs) -> tuple[Built, SnapshotRecord | None]:
        """Keep the outputs of a build, and read what they consist of."""
        from sonde.effects.snapshots.reading import read_snapshot  # a plan, or a look, builds nothing

        fingerprint, size_bytes = fingerprint_outputs(tree, outputs)
        folder = self._cache.add(fingerprint, tree, outputs)
        snapshot = read_snapshot(folder, outputs.files)
        if isinstance(snapshot, UnreadableOutput):
            return Built(fingerprint, size_bytes), None
        code = fingerprint_code(snapshot, folder, outputs.files)
        return Built(fingerprint, size_bytes, code), SnapshotRecord(fingerprint, SNAPSHOT_FORMAT, snapshot)

    def _run(self, slot: Worktree, order: BuildOrder, world: SandboxView) -> Failed | None:
        ended = self._processes.run(
            in_shell(order.command),
            sandbox=self._sandbox,
            world=world,
            timeout_seconds=order.timeout_seconds,
            keep_bytes=LOG_BYTES,
        )
        if ended.succeeded:
            return None
        if ended.timed_out:
            reason = f"The build did not end within {order.timeout_seconds:g} s."
            return Failed(Stage.BUILD, reason, ended.output, timed_out_after=order.timeout_seconds)
        limit = name_limit(ended, self._limits)
        if ended.exceeded:
            return Failed(Stage.BUILD, f"The build was ended: {limit}.", ended.output, is_lasting=False)
        told = f": {limit}" if limit else ""
        reason = f"The build ended with {name_ending(ended.code)}{told}."
        has_room = FULL_DISK not in ended.output and disk_usage(slot.tree).free > LEAST_FREE_BYTES
        is_lasting = ended.is_known and has_room and not limit
        return Failed(Stage.BUILD, reason, ended.output, is_lasting=is_lasting)

    def _world(self, slot: Worktree, order: BuildOrder) -> SandboxView:
        mounts = [Mount(slot.tree, TREE, writable=True)]
        variables = {
            "PATH": PATH,
            "HOME": "/tmp",
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
            "SOURCE_DATE_EPOCH": str(FIXED_TIME_SECONDS),  # for `__DATE__` and archives
            "SONDE_BUILD_DIR": TREE,
            # Without a sandbox git would find the repository around the state folder.
            "GIT_CEILING_DIRECTORIES": str(slot.folder),
        }
        if which("ccache") and Path(CCACHE_LINKS).is_dir():
            self._compiler_cache.mkdir(parents=True, exist_ok=True)
            is_trusted = self._main_line.holds(order.revision)
            mounts.append(Mount(self._compiler_cache, CCACHE_TARGET, writable=is_trusted))
            variables |= {} if is_trusted else CCACHE_READ_ONLY
            variables |= {
                "PATH": f"{CCACHE_LINKS}:{PATH}",
                "CCACHE_DIR": CCACHE_TARGET,
                "CCACHE_BASEDIR": TREE,
                "CCACHE_NOHASHDIR": "1",
                "CCACHE_MAXSIZE": CCACHE_SIZE,
            }
        variables |= dict(self._surroundings.variables) | dict(order.variables)
        mounts += [Mount(Path(path), path) for path in self._surroundings.readable]
        mounts += [Mount(Path(path), path, writable=True) for path in self._surroundings.writable]
        mounts += [Mount(place, str(place)) for place in slot.git_places]
        named = tuple(sorted(variables.items()))
        return SandboxView(tuple(mounts), TREE, named, self._recipe.network, limits=self._limits)

    @contextmanager
    def _slot(self) -> Iterator[Worktree]:
        slot = self._free.get()
        try:
            yield slot
        finally:
            self._free.put(slot)

    def _notice(self, event: BuildBegan | BuildEnded) -> None:
        with self._noticing:
            self._watcher.notice(event)
