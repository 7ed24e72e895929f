"""What can be executed after, or before, certain code: memory knows no order, but execution does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from sonde.methods.impact.flow.building import Flow

# What these call runs at any time from then on.
LATER = frozenset(
    {"atexit", "on_exit", "__cxa_atexit", "at_quick_exit", "signal", "sigaction", "bsd_signal", "sysv_signal"}
    | {"pthread_create", "thrd_create", "pthread_key_create", "pthread_atfork", "timer_create"}
)
JUMPS = frozenset({"longjmp", "_longjmp", "siglongjmp", "__longjmp_chk"})


class Moments:
    """A set of nodes: those of certain blocks and of whole routines, and all of memory."""

    def __init__(self, flow: Flow, blocks: Mapping[int, set[int]], whole: Iterable[int]) -> None:
        numbers = flow.numbering
        self.allowed = bytearray(flow.nodes)
        self.allowed[numbers.first_cell :] = b"\x01" * (flow.nodes - numbers.first_cell)
        everywhere = frozenset(whole)
        for routine in {*everywhere, *blocks}:
            first = numbers.firsts[routine]
            code = flow.program.routines[routine]
            last = flow.returned(routine)
            if routine in everywhere:
                self.allowed[first : last + 1] = b"\x01" * (last + 1 - first)
                continue
            self.allowed[first : first + code.parameters] = b"\x01" * code.parameters
            self.allowed[last] = 1
            for block in blocks[routine]:
                start, end = code.blocks[block]
                low = first + code.parameters + start
                self.allowed[low : low + end - start] = b"\x01" * (end - start)
                self.allowed[flow.block(routine, block)] = 1
                self.allowed[flow.executed(routine, block)] = 1
        for call, nodes in flow.copies.items():
            for node in nodes:
                self.allowed[node] = self.allowed[call]

    def without(self, nodes: Iterable[int]) -> Moments:
        """The same but for some nodes."""
        other = object.__new__(Moments)
        other.allowed = bytearray(self.allowed)
        for node in nodes:
            other.allowed[node] = 0
        return other

    def within(self, nodes: bytearray) -> Moments:
        """Those of its nodes that are marked by 1."""
        other = object.__new__(Moments)
        both = np.frombuffer(self.allowed, dtype=np.uint8) & np.frombuffer(nodes, dtype=np.uint8)
        other.allowed = bytearray(both.tobytes())
        return other

    def __contains__(self, node: object) -> bool:
        """Whether a node belongs to it."""
        return isinstance(node, int) and bool(self.allowed[node])


class ExecutionOrder:
    """Answers what comes after and before what in one program.

    What a call leads to comes after it, but does not lead back to other callers of the same routine.
    """

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self._called: dict[int, dict[int, list[int]]] = {}
        self.after_block = [each.routes for each in flow.program.routines]
        self.before_block: list[list[list[int]]] = []
        for after in self.after_block:
            before: list[list[int]] = [[] for _ in after]
            for block, targets in enumerate(after):
                for each in targets:
                    before[each].append(block)
            self.before_block.append(before)
        calls = [call for each in flow.calls for call in each]
        self.later = self._callees(
            callee for call in calls if LATER.intersection(call.externals) for callee in call.called_back
        )
        self.has_jumps = any(JUMPS.intersection(call.externals) for call in calls)
        self.mains = frozenset(n for n, each in enumerate(flow.program.routines) if each.name == "main")
        self.startup, self.shutdown = flow.program.startup, flow.program.shutdown
        self.later |= self._callees(self.shutdown)

    def always(self) -> Moments:
        """Everything."""
        return Moments(self.flow, {}, range(len(self.flow.program.routines)))

    def after(self, places: Iterable[tuple[int, int]]) -> Moments:
        """What can be executed after (or in) one of these blocks, given by routine and block."""
        return self._spread(places, is_forward=True)

    def before(self, places: Iterable[tuple[int, int]]) -> Moments:
        """What can be executed before (or in) one of these blocks."""
        return self._spread(places, is_forward=False)

    def _spread(self, places: Iterable[tuple[int, int]], is_forward: bool) -> Moments:
        if self.has_jumps or not self.mains:  # control may go where no call and no branch leads
            return self.always()
        flow = self.flow
        found: dict[int, set[int]] = {}
        waiting = list(places)
        called: set[int] = set()
        while waiting:
            routine, block = waiting.pop()
            known = found.setdefault(routine, set())
            if block in known:
                continue
            known.add(block)
            near = (self.after_block if is_forward else self.before_block)[routine][block]
            waiting.extend((routine, each) for each in near if each not in known)
            called.update(self._called_in(routine).get(block, ()))
            if not near if is_forward else block == 0:
                for caller, position in flow.callers(routine):
                    waiting.append((caller, flow.program.routines[caller].instructions[position].block))
                if routine in self.startup:  # they run in an order that nobody knows, then main does
                    called |= self.startup
                    waiting.extend((main, 0) for main in self.mains if is_forward)
                elif routine in self.mains and not is_forward:
                    called |= self.startup
                elif routine in self.shutdown:
                    called |= self.shutdown if is_forward else self.shutdown | self.mains | self.startup
        return Moments(flow, found, self._callees(called) | self.later)

    def _called_in(self, routine: int) -> Mapping[int, Sequence[int]]:
        """For each block of a routine the routines that it calls."""
        found = self._called.get(routine)
        if found is None:
            found = self._called[routine] = {}
            for call in self.flow.calls[routine]:
                found.setdefault(call.block, []).extend((*call.callees, *call.called_back))
        return found

    def _callees(self, start: Iterable[int]) -> frozenset[int]:
        """These routines and all that they call."""
        seen = set(start)
        waiting = list(seen)
        while waiting:
            for callees in self._called_in(waiting.pop()).values():
                for callee in callees:
                    if callee not in seen:
                        seen.add(callee)
                        waiting.append(callee)
        return frozenset(seen)
