"""The rules of a program: one pass over its instructions.

At -O0 most pointers are variables that are loaded and stored as a whole. What such a variable holds and
what is loaded from it is one node then, so that few rules are left to solve.
"""

from __future__ import annotations

from collections.abc import Mapping

from sonde.core.code import Address, Assembly, Instruction, Kind
from sonde.methods.impact.points_to.calls import CallRules, add_main
from sonde.methods.impact.points_to.constraints import Constraints, Site
from sonde.methods.impact.points_to.handed_on import HandedOn
from sonde.methods.impact.points_to.pieces import POINTER_BYTES, find_pieces
from sonde.methods.impact.program.linking import External, GlobalRef, Program, RoutineRef
from sonde.methods.impact.program.memory import Object, ObjectKind

NO_POINTERS = frozenset(
    {"icmp", "fcmp", "fadd", "fsub", "fmul", "fdiv", "frem", "fneg", "mul", "udiv", "sdiv", "urem", "srem"}
    | {"fptrunc", "fpext", "fptoui", "fptosi", "uitofp", "sitofp", "trunc", "zext", "sext"}
)
"""What is computed by these operations is no pointer, as far as compilers go."""

UNUSED = -1  # the node of what is no pointer
LOCAL, FIELD, RETURN = Kind.LOCAL, Kind.FIELD, Kind.RETURN


def gather(
    program: Program, handed_on: Mapping[int, HandedOn], *, has_fields: bool = True
) -> tuple[Constraints, CallRules]:
    """The rules of a program, and who adds those of calls through pointers when they are found."""
    constraints = Constraints(program, has_fields=has_fields)
    calls = CallRules(constraints, handed_on)
    for number in range(len(program.globals)):
        constraints.object_named(GlobalRef(number))
    for number in range(len(program.routines)):
        constraints.object_named(RoutineRef(number))
    for number, each in enumerate(program.globals):
        object = constraints.object_named(GlobalRef(number))
        for array in each.arrays:
            constraints.walks.lead(constraints.numbers[object, 0], 0, (array,))
        for part in each.parts:
            if part.address is not None:
                cell = constraints.cell(object, part.offset)
                target = _cell_of_address(constraints, program.unit_of_global[number], part.address)
                if cell >= 0 and target >= 0:
                    constraints.points.append((constraints.contents[cell], target))
    for number in range(len(program.routines)):
        _Routine(constraints, calls, number).gather()
    add_main(constraints)
    return constraints, calls


def _cell_of_address(constraints: Constraints, unit: int, address: Address) -> int:
    object = constraints.object_named(constraints.program.named(unit, address.name))
    cell = constraints.cell(object, address.offset)
    return cell if cell >= 0 else constraints.numbers[object, 0]


class _Routine:
    """Gathers the rules of one routine."""

    def __init__(self, constraints: Constraints, calls: CallRules, number: int) -> None:
        self.constraints, self.calls, self.number = constraints, calls, number
        self.body = constraints.program.routines[number]
        self.first = constraints.first_value[number]
        unit = constraints.program.unit_of_routine[number]
        self.cells = [  # of the addresses outside
            _cell_of_address(constraints, unit, each) if isinstance(each, Address) else UNUSED
            for each in self.body.outside
        ]
        self.pieces = find_pieces(self.body)
        self.known: dict[int, int] = {}  # values that are the address of just one cell
        self.own_contents: dict[int, int] = {}  # nodes of what lies in variables of the routine: the object
        self.gets: dict[int, list[tuple[int, bool]]] = {}  # by node: what it gets, and whether that is a cell

    def gather(self) -> None:
        """Add all rules of the routine."""
        made = self.constraints
        steps = {
            Kind.LOAD: self._load,
            Kind.STORE: self._store,
            Kind.FIELD: self._field,
            Kind.COMPUTE: self._compute,
            Kind.PHI: self._phi,
            Kind.CALL: self._call,
        }
        self._find_known()
        value = self.body.parameters
        returned = made.returned(self.number)
        for each in self.body.instructions:
            step = steps.get(each.kind)
            if step is not None:
                step(value, each)
            elif each.kind is RETURN and each.operands:
                self._give(each.operands[0], returned)
            value += 1
        self._join_single()

    def _find_known(self) -> None:
        """The values that are the address of a variable, of a global, or of a field of one."""
        value = self.body.parameters
        for each in self.body.instructions:
            if each.kind is LOCAL:
                self._local(value, each)
            elif each.kind is FIELD:
                cell = self._cell(each.operands[0])
                if cell >= 0:
                    moved = self.constraints.walks.lead(cell, each.offset, each.steps)
                    if moved >= 0:
                        self._know(value, moved)
            value += 1

    def _cell(self, operand: int) -> int:
        """The only cell that an operand points to, or -1."""
        return self.cells[~operand] if operand < 0 else self.known.get(operand, -1)

    def _node(self, operand: int) -> int:
        """The node of an operand; -1 if it is no pointer."""
        if operand >= 0 and operand not in self.known:
            return self.first + operand
        cell = self._cell(operand)
        return UNUSED if cell < 0 else self.constraints.address_node(cell)

    def _give(self, operand: int, node: int) -> None:
        """What an operand points to, the node points to as well."""
        cell = self._cell(operand)
        if cell >= 0:
            self.constraints.is_taken[self.constraints.cells[cell].object] = True
            self.constraints.points.append((node, cell))
        elif operand >= 0:
            self.constraints.copies.append((self.first + operand, node))

    def _know(self, value: int, cell: int) -> None:
        made = self.constraints
        self.known[value] = made.known[self.first + value] = cell
        object = made.cells[cell].object
        if made.objects[object].kind is ObjectKind.LOCAL:
            self.own_contents[made.contents[cell]] = object

    def _local(self, value: int, each: Instruction) -> None:
        made = self.constraints
        variable = self.body.variables.get(value)
        size = 0 if each.operands else each.size
        object = Object(
            ObjectKind.LOCAL, self.number, value - self.body.parameters, variable.name if variable else ""
        )
        self._know(value, made.numbers[made.new_object(object, size), 0])

    def _load(self, value: int, each: Instruction) -> None:
        if 0 < each.size < POINTER_BYTES and value not in self.pieces:
            return
        made = self.constraints
        if each.shape.startswith("va_arg"):
            node = made.new_node()
            made.loads.append((self._node(each.operands[0]), node))
            made.loads.append((node, self.first + value))
            return
        cell = self._cell(each.operands[0])
        if cell >= 0 and each.size <= POINTER_BYTES:
            made.parents[made.leader(self.first + value)] = made.leader(made.contents[cell])
            return
        for pointer in self._pointers(each.operands[0], each.size):
            made.loads.append((pointer, self.first + value))

    def _store(self, value: int, each: Instruction) -> None:
        if 0 < each.size < POINTER_BYTES and value not in self.pieces:
            return
        to, stored = each.operands
        if stored < 0 and self.cells[~stored] < 0:
            return
        made = self.constraints
        cell = self._cell(to)
        if cell >= 0 and each.size <= POINTER_BYTES:
            node = made.contents[cell]
            source = self._cell(stored)
            if source >= 0:
                self._give(stored, node)
                self.gets.setdefault(node, []).append((source, True))
            else:
                self.gets.setdefault(node, []).append((self.first + stored, False))
            return
        for pointer in self._pointers(to, each.size):
            source = self._node(stored)
            made.stores.append((pointer, source))

    def _pointers(self, operand: int, size: int) -> list[int]:
        """The nodes of the places that an access of so many bytes covers: it may be a whole structure."""
        node = self._node(operand)
        if node < 0:
            return []
        nodes = [node]
        for offset in range(POINTER_BYTES, min(size, 64) - POINTER_BYTES + 1, POINTER_BYTES):
            further = self.constraints.new_node()
            self.constraints.fields.append((node, offset, further, ()))
            nodes.append(further)
        return nodes

    def _field(self, value: int, each: Instruction) -> None:
        made = self.constraints
        base = self._node(each.operands[0])
        if value in self.known or base < 0:
            return
        if each.offset == 0 and all(step.offset == step.length == 0 for step in each.steps):
            made.parents[made.leader(self.first + value)] = made.leader(base)
            made.walking += [(self.first + value, step.stride) for step in each.steps]
        else:
            made.fields.append((base, each.offset, self.first + value, each.steps))

    def _compute(self, value: int, each: Instruction) -> None:
        operation = each.shape.partition(" ")[0]
        node = self.first + value
        if operation in NO_POINTERS:
            return
        if operation == "landingpad":
            self.constraints.copies.append((self.constraints.thrown, node))
            return
        operands = each.operands[:1] if operation == "sub" else each.operands
        self._unite(node, operands)
        if operation == "inttoptr":  # whatever was computed with it as a number
            self.constraints.walking.append((node, 1))

    def _phi(self, value: int, each: Instruction) -> None:
        self._unite(self.first + value, each.operands)

    def _unite(self, node: int, operands: tuple[int, ...]) -> None:
        for operand in set(operands):
            if self._cell(operand) >= 0:
                self._give(operand, node)
                self.gets.setdefault(node, []).append((self._cell(operand), True))
            elif operand >= 0:
                self.gets.setdefault(node, []).append((self.first + operand, False))

    def _call(self, value: int, each: Instruction) -> None:
        made = self.constraints
        called = each.operands[0]
        if called < 0 and isinstance(self.body.outside[~called], Assembly):
            self._assembly(value, each.operands[1:])
            return
        arguments = tuple([self._node(operand) for operand in each.operands[1:]])
        site = Site(self.number, value - self.body.parameters, arguments, self.first + value)
        match made.program.meaning(self.number, called):
            case RoutineRef(id):
                self.calls.enter(site, id)
            case External(name):
                self.calls.use(site, name)
            case _:
                node = self._node(called)
                if node >= 0:
                    made.calls.append((node, site))

    def _assembly(self, value: int, operands: tuple[int, ...]) -> None:
        """Inline assembler: any pointer may come out, and may be stored where any other points."""
        nodes = [node for node in map(self._node, operands) if node >= 0]
        for node in nodes:
            self.constraints.copies.append((node, self.first + value))
            for other in nodes:
                if other != node:
                    self.constraints.stores.append((other, node))

    def _join_single(self) -> None:
        """Join a node with the only one that it gets anything from; add the other copies.

        Only values and variables that nobody else can write to.
        """
        made = self.constraints
        last = made.returned(self.number)
        for node, sources in self.gets.items():
            distinct = {(source if is_cell else made.leader(source), is_cell) for source, is_cell in sources}
            distinct.discard((made.leader(node), False))
            if len(distinct) == 1 and self._is_own(node, last):
                source, is_cell = next(iter(distinct))
                if not is_cell:
                    made.parents[made.leader(node)] = source
                    continue
            for source, is_cell in distinct:
                if not is_cell:
                    made.copies.append((source, node))

    def _is_own(self, node: int, last: int) -> bool:
        if self.first <= node < last:
            return True
        object = self.own_contents.get(node)
        return object is not None and not self.constraints.is_taken[object]
