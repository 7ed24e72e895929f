"""Stages that are done by objects."""

from __future__ import annotations

from studies.impact.generated.python.drawing.stages.scene import Scene


def inheritance(s: Scene) -> str:
    """A class whose method another one overrides; a feature chooses."""
    name, base, other = s.name("run_worker", "drive"), s.name("Worker", "Packer"), s.name("Careful", "Wide")
    s.draft.add(
        s.module,
        f"""
class {base}:
    limit = {s.digit(3, 30)}

    def __init__(self, start):
        self.total = start

    def weigh(self, i):
        return {s.step()}(i, self.limit)

    def run(self, n):
        for i in range(n):
            self.total = (self.total + self.weigh(i)) & 65535
        return self.finish()

    def finish(self):
        return self.total


class {other}({base}):
    limit = {s.digit(3, 30)}

    def weigh(self, i):
        first = super().weigh(i)
        return {s.step()}(first, i)


def {name}({s.parameters}):
{s.bound(part=0.7)}
    worker = {other}(seed) if {s.when()} else {base}(seed)
    return worker.run(n)
""",
    )
    return name


def properties(s: Scene) -> str:
    """A property that computes, and an attribute that a feature sets."""
    name, box = s.name("fill_box", "use_box"), s.name("Box", "Tank")
    s.draft.add(
        s.module,
        f"""
class {box}:
    def __init__(self, size):
        self.size = size
        self.level = 1

    @property
    def rest(self):
        found = self.level
        for j in range(self.size):
            found = {s.step()}(found, j)
        return found

    def pour(self, amount):
        self.level = (self.level + amount + self.rest) & 4095


def {name}({s.parameters}):
    box = {box}({s.amount(2, 6)})
{s.bound(part=1 / 5)}
    for i in range(n):
        box.pour(i ^ seed)
        if {s.when("i")}:
            box.level = {s.step()}(box.level, i)
    return box.level
""",
    )
    return name


def container(s: Scene) -> str:
    """An object with `[]`, `len`, iteration and a call."""
    name, cells = s.name("walk_cells", "gather"), s.name("Cells", "Ring")
    s.draft.add(
        s.module,
        f"""
class {cells}:
    def __init__(self, length, step):
        self.items = [{s.step()}(i, length) for i in range(length)]
        self.stride = step

    def __len__(self):
        return len(self.items)

    def __getitem__(self, place):
        return self.items[place % len(self.items)]

    def __iter__(self):
        for i in range(0, len(self.items), self.stride):
            yield self.items[i]

    def __call__(self, value):
        total = value
        for item in self:
            total = {s.step()}(total, item)
        return total


def {name}({s.parameters}):
    cells = {cells}({s.digit(12, 30)}, {s.amount(1, 3)})
    total = seed
{s.bound(part=1 / 15)}
    for i in range(n):
        total = cells(total)
        if {s.when("i")}:
            total += cells[total]
    return (total + len(cells)) & 65535
""",
    )
    return name


def operators(s: Scene) -> str:
    """Objects that are added and compared."""
    name, mark = s.name("add_marks", "sum_marks"), s.name("Mark", "Span")
    s.draft.add(
        s.module,
        f"""
class {mark}:
    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return {mark}({s.step()}(self.value, other.value))

    def __lt__(self, other):
        return self.value & {s.rng.choice((15, 63, 255))} < other.value & 127

    def __eq__(self, other):
        return self.value == other.value


def {name}({s.parameters}):
    total = {mark}(seed)
{s.bound(part=0.6)}
    marks = [{mark}({s.step()}(i, {s.digit(3, 50)})) for i in range(n)]
    if {s.when()}:
        marks = sorted(marks)
    for each in marks:
        if each < total:
            total = total + each
        elif each == total:
            total = {mark}({s.digit(1, 99)})
        else:
            total.value += 1
    return total.value
""",
    )
    return name


def contexts(s: Scene) -> str:
    """A context manager that works as it ends."""
    name, phase = s.name("in_phases", "guarded"), s.name("Phase", "Timing")
    s.draft.add(
        s.module,
        f"""
class {phase}:
    def __init__(self, extra):
        self.extra = extra
        self.found = 0

    def __enter__(self):
        self.found = {s.digit(1, 99)}
        return self

    def __exit__(self, kind, error, trace):
        for j in range(self.extra):
            self.found = {s.step()}(self.found, j)
        return False


def {name}({s.parameters}):
    total = seed
    extra = {s.amount(2, 9)}
{s.bound(part=1 / 7)}
    for i in range(n):
        with {phase}(extra) as phase:
            phase.found += {s.step()}(total, i)
        total = (total + phase.found) & 65535
    return total
""",
    )
    return name


def visitors(s: Scene) -> str:
    """Methods that are looked up by their names."""
    name, visitor = s.name("visit_all", "handle_all"), s.name("Visitor", "Handler")
    s.draft.add(
        s.module,
        f"""
class {visitor}:
    def __init__(self, strict):
        self.strict = strict
        self.depth = {s.digit(1, 5)}

    def visit(self, kind, value):
        return getattr(self, "on_" + kind)(value)

    def on_leaf(self, value):
        return {s.step()}(value, self.depth)

    def on_node(self, value):
        total = value
        if self.strict:
            total = self.on_leaf(total)
        return {s.step()}(total, {s.digit(1, 60)})


def {name}({s.parameters}):
    visitor = {visitor}({s.when()})
    total = seed
{s.bound(part=0.7)}
    for i in range(n):
        total = visitor.visit("leaf" if i % {s.digit(2, 4)} else "node", total)
    return total
""",
    )
    return name


STAGES = (inheritance, properties, container, operators, contexts, visitors)
