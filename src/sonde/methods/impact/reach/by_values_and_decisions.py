"""Reachability by values, and by decisions but not through the state of libraries.

Whether something was printed changes the state of a stream, and `errno`; that some later decision depends on
it is possible only if printing fails. Without this cut, every decision would come to every other one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from sonde.methods.impact.flow.building import Flow
from sonde.methods.impact.flow.edges import FlowStep
from sonde.methods.impact.program.memory import ObjectKind
from sonde.methods.impact.reach.between import nodes_between
from sonde.methods.impact.reach.moments import Moments
from sonde.methods.impact.reach.searching import Reach, reach_backward, reach_forward


@dataclass(frozen=True)
class BothReaches:
    """Ways of values alone, and ways with decisions on them; these are looked for when they are asked for."""

    plain: Reach
    decide: Callable[[], Reach] | None  # None: no decision is allowed

    @cached_property
    def deciding(self) -> Reach | None:
        """Ways with decisions; None if no decision is allowed."""
        return None if self.decide is None else self.decide()

    def hops(self, node: int) -> int | None:
        """The fewest implicit hops of a way, or None if there is none."""
        found = self.plain.hops(node)
        return found if found is not None or self.deciding is None else self.deciding.hops(node)

    def path(self, node: int) -> tuple[tuple[int, FlowStep], ...]:
        """One way with the fewest hops, then steps; see `Reach.path`."""
        found = self.plain.path(node)
        return found if found or self.deciding is None else self.deciding.path(node)


def nodes_on_ways(forward: BothReaches, backward: BothReaches) -> frozenset[int]:
    """What lies on whole ways, calls and returns matched."""
    found = nodes_between(forward.plain, backward.plain, 0)
    if forward.deciding is None or backward.deciding is None:
        return found
    return found | nodes_between(forward.deciding, backward.deciding, forward.deciding.depth)


def both_forward(
    flow: Flow,
    sources: Iterable[int],
    depth: int,
    stays: Moments,
    cut: Iterable[int] = (),
) -> BothReaches:
    """What the sources come to; ways with decisions do not pass the nodes in `cut`."""
    sources = list(sources)
    plain = reach_forward(flow, sources, 0, stays)
    if depth == 0:
        return BothReaches(plain, None)
    cut = list(cut)

    def decide() -> Reach:
        return reach_forward(flow, sources, depth, stays.without([*library_cells(flow), *cut]))

    return BothReaches(plain, decide)


def both_forward_within(
    flow: Flow,
    sources: Iterable[int],
    depth: int,
    stays: Moments,
    within: bytearray,
    cut: Iterable[int] = (),
) -> BothReaches:
    """The same, if values of the sources alone come to the marked nodes only.

    What these decide about may go anywhere.
    """
    plain = reach_forward(flow, sources, 0, stays.within(within))
    if depth == 0:
        return BothReaches(plain, None)
    cut = list(cut)

    def decide() -> Reach:
        special = flow.special
        deciding = {
            node
            for node, label in zip(special.sources, special.labels, strict=True)
            if label & 7 == FlowStep.CONTROL and plain.is_reached(node)
        }
        return reach_forward(flow, sorted(deciding), depth, stays.without([*library_cells(flow), *cut]))

    return BothReaches(plain, decide)


def both_backward(flow: Flow, targets: Iterable[int], depth: int, stays: Moments) -> BothReaches:
    """What comes to the targets."""
    targets = list(targets)
    plain = reach_backward(flow, targets, 0, stays)
    if depth == 0:
        return BothReaches(plain, None)
    return BothReaches(
        plain, lambda: reach_backward(flow, targets, depth, stays.without(library_cells(flow)))
    )


def library_cells(flow: Flow) -> list[int]:
    """The nodes of memory that belongs to libraries."""
    memory = flow.memory
    return [
        flow.cell(number)
        for number, cell in enumerate(memory.cells)
        if memory.objects[cell.object].kind is ObjectKind.EXTERNAL
    ]


INPUT = frozenset(
    {"read", "pread", "readv", "recv", "recvfrom", "fread", "fgets", "fgetc", "getc", "getchar", "ungetc"}
    | {"getline", "getdelim", "fscanf", "scanf", "fgetwc", "getwc", "mmap", "munmap", "poll", "select"}
)
OUTPUT = frozenset(
    {"write", "pwrite", "writev", "send", "sendto", "fwrite", "fputs", "fputc", "putc", "putchar", "puts"}
    | {"printf", "fprintf", "vprintf", "vfprintf", "dprintf", "perror", "error", "warn", "warnx", "fflush"}
)
FILES = frozenset(
    {"open", "openat", "close", "fopen", "fdopen", "freopen", "fclose", "lseek", "fseek", "fseeko", "ftell"}
    | {"ftello", "rewind", "stat", "fstat", "lstat", "fstatat", "ioctl", "fcntl", "isatty", "ftruncate"}
)
LANGUAGE = frozenset({"gettext", "dgettext", "dcgettext", "ngettext", "setlocale"})
INPUT_AND_OUTPUT = INPUT | OUTPUT | FILES | LANGUAGE


def input_and_output(flow: Flow) -> list[int]:
    """The nodes of calls that read or write files, or report."""
    found = []
    for routine, calls in enumerate(flow.calls):
        first = flow.program.routines[routine].parameters
        for call in calls:
            if any(plain_name(each) in INPUT_AND_OUTPUT for each in call.externals):
                node = flow.value(routine, first + call.position)
                found += [node, *flow.copies.get(node, ())]
    return found


def plain_name(name: str) -> str:
    """The name of a library function without what compilers and libraries add to it."""
    name = name.removeprefix("rpl_").removeprefix("__isoc99_").removeprefix("__isoc23_")
    return (
        name.removeprefix("__").removesuffix("_chk").removesuffix("_unlocked").removesuffix("64").lstrip("_")
    )
