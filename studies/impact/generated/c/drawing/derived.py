"""Settings that the program computes from its options: sizes, modes, callbacks."""

from __future__ import annotations

from studies.impact.generated.c.drawing.draft import HANDLE, Draft, Style
from studies.impact.generated.c.drawing.homes import Home
from studies.impact.generated.c.drawing.scopes import Callable, Sized
from studies.impact.generated.c.drawing.steps import alternatives
from studies.impact.generated.c.drawing.values import about, of_size
from studies.impact.generated.c.making import UNSIGNED, VOID, assign, binary, element, fixed, free, plain
from studies.impact.generated.c.nodes import (
    Array,
    Braces,
    Conditional,
    Expression,
    Function,
    If,
    Item,
    Member,
    Name,
    Plain,
    Pointer,
    Signature,
    Statement,
    Variable,
)

STEP = Pointer(Signature(UNSIGNED, (UNSIGNED, UNSIGNED)))


def add_derived(draft: Draft, homes: tuple[Home, ...]) -> str:
    """A function that computes some settings from others; its name, or nothing if there is none."""
    rng = draft.rng
    sources = [home.sized() for home in homes if not home.is_private]
    number = rng.choice((0, 1, 2, 2, 3))
    if not sources or not number:
        return ""
    file = rng.choice(list(draft.files))
    statements: list[Statement] = []
    for _ in range(number):
        if rng.random() < 0.3:
            statements += _callback(draft, draft.files[file], sources)
        else:
            statements += _size(draft, draft.files[file], sources)
    name = draft.names.fresh("configure")
    is_static = file == "main.c"
    draft.files[file].append(Function(VOID, name, draft.config_parameters, tuple(statements), is_static))
    return name


def _place(draft: Draft, name: str, type: Plain | Pointer, default: Expression) -> Expression:
    if draft.style is Style.GLOBALS:
        draft.source().append(Variable(type, name, default, is_static=False))
        return Name(name)
    return draft.keep(name, type, default)


def _size(draft: Draft, items: list[Item], sources: list[Sized]) -> list[Statement]:
    rng = draft.rng
    source = rng.choice(sources)
    most = rng.choice((1, 6, 12, 40, 90))
    place = _place(
        draft,
        draft.names.fresh(rng.choice(("limit", "turns", "reach", "effort"))),
        UNSIGNED,
        free(0, 0, most),
    )
    found: list[Statement] = []
    if most == 1:
        highest = 1
        found.append(assign(place, Conditional(about(rng, source), fixed(1), fixed(0))))
    elif source.highest > 1 and rng.random() < 0.35:
        found.append(assign(place, _from_table(draft, items, source, most)))
        highest = most
    else:
        expression, highest = of_size(rng, source, most)
        found.append(assign(place, expression))
    if most > 1 and len(sources) > 1 and rng.random() < 0.4:
        other = free(rng.randint(0, most), 0, 2 * most)
        found.append(If(about(rng, rng.choice(sources)), (assign(place, other),)))
    highest = max(highest, most)
    draft.add_setting(Sized(place, highest), isinstance(place, Member) and _is_behind(place))
    return found


def _is_behind(place: Member) -> bool:
    return place.by_pointer and place.base == Name(HANDLE)


def _from_table(draft: Draft, items: list[Item], source: Sized, most: int) -> Expression:
    """A constant table that the option is an index of."""
    rng, name = draft.rng, draft.names.data()
    size = 4 if source.highest < 4 else 16 if source.highest < 16 else 64
    rows = tuple(free(rng.randint(0, most), 0, 2 * most) for _ in range(size))
    items.append(Variable(Array(UNSIGNED, plain(size)), name, Braces(rows), is_static=True, is_constant=True))
    return element(name, binary(source.read, "&", fixed(size - 1)))


def _callback(draft: Draft, items: list[Item], sources: list[Sized]) -> list[Statement]:
    """A pointer to a function that an option chooses."""
    rng = draft.rng
    first, second = alternatives(draft, items, 2)
    place = _place(draft, draft.names.fresh("step"), STEP, Name("NULL"))
    callback = Callable(place, 2, max(first.cost, second.cost) + 5)
    is_behind = isinstance(place, Member) and _is_behind(place)
    (draft.callbacks_behind if is_behind else draft.callbacks).append(callback)
    test = about(rng, rng.choice(sources))
    if rng.random() < 0.5:
        return [assign(place, Conditional(test, first.function, second.function))]
    return [assign(place, first.function), If(test, (assign(place, second.function),))]
