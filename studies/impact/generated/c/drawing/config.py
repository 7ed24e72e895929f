"""The structure of settings: where it lies, and how main comes to it."""

from __future__ import annotations

from studies.impact.generated.c.drawing.draft import CONFIG, HANDLE, Draft, Style
from studies.impact.generated.c.making import (
    UNSIGNED,
    address,
    arrow,
    assign,
    binary,
    call,
    declare,
    do,
    give,
    plain,
    pointer,
)
from studies.impact.generated.c.nodes import (
    Braces,
    Declare,
    Function,
    If,
    Name,
    SizeOf,
    Statement,
    Structure,
    Unary,
    Variable,
)


def place_config(draft: Draft) -> None:
    """The type of the structure, and a global that has it where the style wants that."""
    if draft.fields or draft.style is Style.POINTER:
        draft.types.append(Structure("config", tuple(draft.fields)))
    if draft.style is Style.STRUCTURE and draft.fields:
        initial = Braces(tuple(draft.defaults))
        draft.source().insert(0, Variable(CONFIG, "settings", initial, is_static=False))


def make_config(draft: Draft) -> tuple[Statement, ...]:
    """Statements of main that make the structure, with the defaults of the options."""
    if draft.style is not Style.POINTER:
        return ()
    if not draft.fields:
        draft.keep("unused", UNSIGNED, plain(0))
    rng, type = draft.rng, pointer(CONFIG)
    initial = Braces(tuple(draft.defaults))
    way = rng.randrange(4)
    if way == 0:
        return (Declare(CONFIG, "storage", initial), declare(HANDLE, address(Name("storage")), type))
    name = draft.names.fresh("new_config" if way < 3 else "the_config")
    items = draft.source()
    if way == 3:
        kept = draft.names.fresh("kept")
        items.append(Variable(CONFIG, kept, initial))
        items.append(Function(type, name, (), (give(address(Name(kept))),), is_static=False))
        return (declare(HANDLE, call(name), type),)
    made = declare(HANDLE, call("calloc", plain(1), SizeOf(CONFIG)), type)
    missing = If(binary(Name(HANDLE), "==", Name("NULL")), (do("exit", plain(3)),))
    if way == 1:
        usual = draft.names.fresh("defaults")
        items.append(Variable(CONFIG, usual, initial, is_static=True, is_constant=True))
        filled: tuple[Statement, ...] = (assign(Unary("*", Name(HANDLE)), Name(usual)),)
    else:
        filled = tuple(assign(arrow(HANDLE, each.field), each.value) for each in draft.defaults)
    items.append(Function(type, name, (), (made, missing, *filled, give(Name(HANDLE))), is_static=False))
    return (declare(HANDLE, call(name), type),)
