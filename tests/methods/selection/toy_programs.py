"""Toy programs that can be run and read: they tell what a proof must never get wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from hypothesis import strategies as st

from sonde.core.digests import digest
from sonde.core.evidence import (
    Activity,
    CostUnit,
    DataObject,
    Function,
    Key,
    Language,
    Profile,
    ProfiledFunction,
    Snapshot,
)

OUTPUT = "bin/toy"
FUNCTIONS = ("f0", "f1", "f2", "f3", "f4", "f5")  # each calls later ones only, so that all ends
OBJECTS = ("a", "b", "c", "d")
HOOK = "f9"  # what a program may look up by its name


@dataclass(frozen=True)
class Item:
    """A data object: a number, and pointers to a function and to another object."""

    value: int
    function: str = ""
    item: str = ""


@dataclass(frozen=True)
class Program:
    """Functions are lists of steps, each a word and what it is about."""

    functions: dict[str, tuple[tuple[str, ...], ...]]
    items: dict[str, Item]
    startup: tuple[str, ...] = ()
    raw: int = 0  # where the linker put it all


@dataclass
class Run:
    """What a program does: its cost a function."""

    program: Program
    own: Counter[str] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)
    depth: int = 0

    def call(self, name: str, line: int = 0) -> None:
        if name not in self.program.functions or self.depth > 12 or sum(self.own.values()) > 10**4:
            return
        self.depth += 1
        self.calls[name] += 1
        self.own[name] += 1 + line
        for step in self.program.functions[name]:
            self._do(name, step)
        self.depth -= 1

    def _do(self, name: str, step: tuple[str, ...]) -> None:
        word, about = step[0], step[1]
        item = self.program.items.get(about, Item(0))
        if word in ("work", "text"):
            self.own[name] += int(about) if word == "work" else len(about)
        elif word == "call":
            self.call(about)
        elif word == "read":
            self.own[name] += item.value
        elif word == "through":  # a pointer
            self.call(item.function)
        elif word == "follow":
            self.own[name] += self.program.items.get(item.item, Item(0)).value
        elif word == "assert" and item.value > 2:
            self.call("f5", line=int(step[2]))
        elif word == "lookup":
            self.call(HOOK)
        elif word == "walk":  # a section of objects to which nothing refers
            self.own[name] += sum(each.value for key, each in self.program.items.items() if key[0] == "s")


def cost(program: Program) -> Counter[str]:
    """What each function costs."""
    return _run(program).own


def _run(program: Program) -> Run:
    run = Run(program)
    for name in program.startup:
        run.call(name)
    run.call("f0")
    return run


def profile_of(program: Program) -> Profile:
    """A complete profile of a run."""
    run = _run(program)
    activities = {
        ProfiledFunction(OUTPUT, "", name): Activity(run.calls[name], run.own[name], 0) for name in run.own
    }
    return Profile(CostUnit.INSTRUCTIONS, activities, 0, {"libc": 10}, {}, opened=frozenset())


def snapshot_of(program: Program) -> Snapshot:
    """What one can read of it without running it."""
    return Snapshot(
        languages={OUTPUT: Language.MACHINE},
        functions={_key(name): _function(name, program) for name in program.functions},
        objects={_key(name): _object(name, program) for name in program.items},
        startup={OUTPUT: digest(program.startup)},
        files={},
    )


def _key(name: str) -> Key:
    return Key(OUTPUT, "", name)


def _function(name: str, program: Program) -> Function:
    steps = program.functions[name]
    untold = [step[:1] if step[0] == "text" else step for step in steps]
    masked = [step[:2] if step[0] == "assert" else step for step in untold]
    calls = {step[1] for step in steps if step[0] == "call"}
    calls |= {"f5" for step in steps if step[0] == "assert"}
    calls |= {"plt:dlsym" for step in steps if step[0] == "lookup"}
    reads = {step[1] for step in steps if step[0] in ("read", "through", "follow", "assert")}
    return Function(
        code=digest(untold),
        masked=digest(masked),
        masked_for=frozenset({"f5"} if any(step[0] == "assert" for step in steps) else ()),
        raw=digest(steps, program.raw),
        texts=digest([step for step in steps if step[0] == "text"]),
        length=len(steps),
        calls=frozenset(calls),
        refers_to=frozenset(_key(each) for each in reads if each in program.items),
    )


def _object(name: str, program: Program) -> DataObject:
    item = program.items[name]
    pointed = frozenset({_key(item.item)} if item.item in program.items else ())
    called = frozenset({item.function} if item.function else ())
    return DataObject(digest(item), 8, True, pointed, called, is_gathered=name.startswith("s"))


@st.composite
def steps(draw: st.DrawFn, of: str) -> tuple[str, ...]:
    """One step of the function `of`."""
    later = [name for name in FUNCTIONS if name > of] or ["f5"]
    word = draw(
        st.sampled_from(
            ["work", "text", "call", "call", "call", "read", "through", "follow", "assert", "lookup", "walk"]
        )
    )
    match word:
        case "work":
            return word, str(draw(st.integers(0, 9)))
        case "text":
            return word, draw(st.text("xyz", max_size=3))
        case "call":
            return word, draw(st.sampled_from(later))
        case "assert":
            return word, draw(st.sampled_from(OBJECTS)), str(draw(st.integers(1, 30)))
        case "lookup" | "walk":
            return word, ""
        case _:
            return word, draw(st.sampled_from(OBJECTS))


items = st.builds(
    Item, st.integers(0, 4), st.sampled_from(["", *FUNCTIONS[1:]]), st.sampled_from(["", *OBJECTS])
)


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Any program."""
    functions = {name: tuple(draw(st.lists(steps(name), max_size=4))) for name in FUNCTIONS}
    named = {name: draw(items) for name in OBJECTS}
    if draw(st.booleans()):
        named["s1"] = draw(items)
    return Program(functions, named, tuple(draw(st.lists(st.sampled_from(FUNCTIONS), max_size=1))))


@st.composite
def edited(draw: st.DrawFn, program: Program) -> Program:
    """The program after one to three edits."""
    for _ in range(draw(st.integers(1, 3))):
        program = draw(_edits(program))
    return program


@st.composite
def _edits(draw: st.DrawFn, program: Program) -> Program:
    name, thing = draw(st.sampled_from(FUNCTIONS)), draw(st.sampled_from(OBJECTS))
    body = list(program.functions.get(name, ()))
    match draw(
        st.sampled_from(["step", "line", "words", "drop", "delete", "item", "startup", "hook", "set", "move"])
    ):
        case "step":
            body.insert(draw(st.integers(0, len(body))), draw(steps(name)))
        case "line":
            body = [(*step[:2], str(int(step[2]) + 1)) if step[0] == "assert" else step for step in body]
        case "words":
            body = [(step[0], step[1] + "x") if step[0] == "text" else step for step in body]
        case "drop":
            body = body[:-1]
        case "delete":
            left = {key: each for key, each in program.functions.items() if key != name or key == "f0"}
            return replace(program, functions=left)
        case "item":
            return replace(program, items={**program.items, thing: draw(items)})
        case "startup":
            return replace(program, startup=tuple(draw(st.lists(st.sampled_from(FUNCTIONS), max_size=1))))
        case "hook":
            return replace(program, functions={**program.functions, HOOK: (("work", "5"),)})
        case "set":
            return replace(program, items={**program.items, draw(st.sampled_from(["s1", "s2"])): draw(items)})
        case _:
            return replace(program, raw=program.raw + 1)
    if name not in program.functions:
        return program
    return replace(program, functions={**program.functions, name: tuple(body)})
