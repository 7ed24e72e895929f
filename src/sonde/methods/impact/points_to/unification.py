"""Unification-based points-to (Steensgaard 1996): nearly linear, for programs too large for the other.

What one pointer may point to is one class of objects; a copy joins the classes of both sides, in both
directions, unless nothing is known to be copied yet. All fields of an object are one. Calls through a
pointer only enter routines that take as many arguments as are passed, where there are such: a class has one
*signature* for each number of arguments, which all its routines and all calls share.
"""

from __future__ import annotations

from collections.abc import Sequence

from sonde.methods.impact.library.models import effect_of
from sonde.methods.impact.points_to.calls import SOME_FUNCTION, CallRules, function_name
from sonde.methods.impact.points_to.constraints import Constraints, Site
from sonde.methods.impact.program.memory import ObjectKind

_NONE = -1


class Unification:
    """Solves the rules; the result is `members`, by the number that `set_of` gives for a node."""

    def __init__(self, constraints: Constraints, calls: CallRules) -> None:
        self.constraints, self.calls = constraints, calls
        self.parents: list[int] = []  # of classes: leads to the one that stands for all joined with it
        self.holds: list[int] = []  # the class that what lies in a class points to
        self.is_used: list[bool] = []  # whether a class has objects
        self.later: dict[int, list[int]] = {}  # by class without objects: what to join once it has some
        self.functions: dict[int, set[int]] = {}  # by class: objects that can be called
        self.sites: dict[int, list[Site]] = {}  # by class: calls through a pointer to it
        self.signatures: dict[
            tuple[int, int], list[int]
        ] = {}  # by class and number: parameters, then the result
        self.arities: dict[int, set[int]] = {}  # by class: the numbers of arguments with a signature
        self.class_of_node: dict[int, int] = {}
        self.class_of_cell: list[int] = []
        self.at = [0] * 7  # how far each list of rules was read
        self.cells_in: dict[int, list[int]] = {}

    def solve(self) -> None:
        """Find the classes."""
        while self._read() or self._call_others():
            pass
        self._note_calls()
        for cell, number in enumerate(self.class_of_cell):
            self.cells_in.setdefault(self._find(number), []).append(cell)

    def members(self, number: int) -> Sequence[int]:
        """The cells of a set."""
        return self.cells_in.get(number, ())

    def walks_away(self, number: int) -> bool:
        """Nobody leaves a cell, as each object has one only."""
        return False

    def set_of(self, node: int) -> int:
        """The number of the set of a node."""
        found = self.class_of_node.get(self.constraints.leader(node))
        return len(self.parents) if found is None else self._find(found)  # the former: an empty one

    def _read(self) -> bool:
        """Take up the rules that were added since the last time; whether there were any."""
        made, at = self.constraints, self.at
        before = [*at, len(self.class_of_cell)]
        self._take_cells()
        for node, cell in made.points[at[0] :]:
            self._join(self._pointed(node), self.class_of_cell[cell])
        at[0] = len(made.points)
        for source, target in made.copies[at[1] :]:
            self._flow(self._pointed(source), self._pointed(target))
        at[1] = len(made.copies)
        for pointer, target in made.loads[at[2] :]:
            self._flow(self._held(self._pointed(pointer)), self._pointed(target))
        at[2] = len(made.loads)
        for pointer, source in made.stores[at[3] :]:
            self._flow(self._pointed(source), self._held(self._pointed(pointer)))
        at[3] = len(made.stores)
        for base, _, target, _ in made.fields[at[4] :]:
            self._flow(self._pointed(base), self._pointed(target))
        at[4] = len(made.fields)
        for block in made.blocks[at[5] :]:
            self._flow(self._held(self._pointed(block.source)), self._held(self._pointed(block.target)))
        at[5] = len(made.blocks)
        for pointer, site in made.calls[at[6] :]:
            number = self._find(self._pointed(pointer))
            self.sites.setdefault(number, []).append(site)
            self._match(number, site)
        at[6] = len(made.calls)
        return before != [*at, len(self.class_of_cell)] or len(made.cells) > len(self.class_of_cell)

    def _take_cells(self) -> None:
        made = self.constraints
        for cell in range(len(self.class_of_cell), len(made.cells)):
            number = self._new()
            self.class_of_cell.append(number)
            self.is_used[number] = True
            object = made.cells[cell].object
            if made.objects[object].kind is ObjectKind.ROUTINE or function_name(made.objects[object]):
                self.functions[number] = {object}
            if made.objects[object].kind is ObjectKind.ROUTINE:
                self._sign(number, made.objects[object].position)
            self._join(self._held(number), self._pointed(made.contents[cell]))

    def _new(self) -> int:
        self.parents.append(len(self.parents))
        self.holds.append(_NONE)
        self.is_used.append(False)
        return len(self.parents) - 1

    def _find(self, number: int) -> int:
        parents = self.parents
        while parents[number] != number:
            parents[number] = parents[parents[number]]
            number = parents[number]
        return number

    def _pointed(self, node: int) -> int:
        """The class that a node points to."""
        node = self.constraints.leader(node)
        found = self.class_of_node.get(node)
        if found is None:
            found = self.class_of_node[node] = self._new()
        return found

    def _held(self, number: int) -> int:
        """The class that what lies in a class points to."""
        number = self._find(number)
        if self.holds[number] == _NONE:
            self.holds[number] = self._new()
        return self.holds[number]

    def _flow(self, source: int, target: int) -> None:
        """What is copied: both point to the same, as soon as the source points to anything."""
        source = self._find(source)
        if self.is_used[source]:
            self._join(source, target)
        else:
            self.later.setdefault(source, []).append(target)

    def _join(self, one: int, other: int) -> None:
        work = [(one, other)]
        while work:
            one, other = (self._find(each) for each in work.pop())
            if one == other:
                continue
            self.parents[other] = one
            if self.holds[one] == _NONE:
                self.holds[one] = self.holds[other]
            elif self.holds[other] != _NONE:
                work.append((self.holds[one], self.holds[other]))
            self.is_used[one] |= self.is_used[other]
            waiting = self.later.pop(one, []) + self.later.pop(other, [])
            if self.is_used[one]:
                work += ((one, each) for each in waiting)
            elif waiting:
                self.later[one] = waiting
            work += self._join_calls(one, other)

    # -- calls through pointers

    def _sign(self, number: int, routine: int) -> None:
        """Give the class of a routine its signature."""
        made = self.constraints
        count = made.program.routines[routine].parameters
        nodes = [made.first_value[routine] + n for n in range(count)] + [made.returned(routine)]
        self.signatures[number, count] = [self._pointed(node) for node in nodes]
        self.arities[number] = {count}

    def _match(self, number: int, site: Site) -> None:
        """Give the arguments of a call to the parameters of the signature, and its result back."""
        count = len(site.arguments)
        signature = self.signatures.get((number, count))
        if signature is None:
            signature = self.signatures[number, count] = [self._new() for _ in range(count + 1)]
            self.arities.setdefault(number, set()).add(count)
        for argument, parameter in zip(site.arguments, signature[:-1], strict=True):
            if argument >= 0:
                self._flow(self._pointed(argument), parameter)
        self._flow(signature[-1], self._pointed(site.result))

    def _join_calls(self, one: int, other: int) -> list[tuple[int, int]]:
        """Make the functions, calls and signatures of a class those of another; what is to be joined then."""
        functions, sites = self.functions.pop(other, None), self.sites.pop(other, None)
        if functions:
            self.functions.setdefault(one, set()).update(functions)
        if sites:
            self.sites.setdefault(one, []).extend(sites)
        work: list[tuple[int, int]] = []
        for count in self.arities.pop(other, ()):
            theirs = self.signatures.pop((other, count))
            mine = self.signatures.setdefault((one, count), theirs)
            self.arities.setdefault(one, set()).add(count)
            if mine is not theirs:
                work += zip(mine, theirs, strict=True)
        return work

    def _call_others(self) -> bool:
        """Call what signatures do not cover: library functions, variadic routines, those that fit badly."""
        before = len(self.calls.seen)
        for number in sorted(self.sites):
            routines, names = self._functions(number)
            for site in list(self.sites[number]):
                fitting, is_exact = self._fitting(tuple(routines), len(site.arguments))
                if not is_exact:
                    for routine in fitting:
                        self.calls.enter(site, routine)
                for name in names if not site.is_callback else ():
                    self.calls.use(site, name)
                if not fitting and not names and self.functions.get(number) and not site.is_callback:
                    self.calls.use(site, SOME_FUNCTION)
        return len(self.calls.seen) > before

    def _functions(self, number: int) -> tuple[list[int], list[str]]:
        """The routines and library functions of a class. An unknown thing of a library is no function."""
        made = self.constraints
        objects = [made.objects[each] for each in sorted(self.functions.get(number, ()))]
        routines = [each.position for each in objects if each.kind is ObjectKind.ROUTINE]
        names = [name for each in objects if (name := function_name(each))]
        is_dynamic = made.program.is_dynamic
        return routines, [name for name in names if is_dynamic or effect_of(name).is_known]

    def _fitting(self, routines: tuple[int, ...], arguments: int) -> tuple[list[int], bool]:
        """The routines that take so many arguments, or all; and whether the signature covers them."""
        made = self.constraints
        if made.program.is_dynamic:
            return list(routines), False
        exact = [n for n in routines if made.program.routines[n].parameters == arguments]
        variadic = [
            n
            for n in routines
            if made.program.routines[n].is_variadic and made.program.routines[n].parameters < arguments
        ]
        if exact and not variadic:
            return exact, True
        return exact + variadic or list(routines), False

    def _note_calls(self) -> None:
        for number, sites in self.sites.items():
            routines, _ = self._functions(number)
            for site in sites:
                for routine in self._fitting(tuple(routines), len(site.arguments))[0]:
                    self.constraints.note_call(site, routine)
