"""Where a program keeps its options: variables, fields, bits of flags; and how they are stored there."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from studies.impact.generated.c.drawing.draft import Draft, Style
from studies.impact.generated.c.drawing.scopes import Sized
from studies.impact.generated.c.making import INT, UNSIGNED, VOID, assign, binary, call, fixed, free, plain
from studies.impact.generated.c.nodes import (
    Binary,
    Conditional,
    Constant,
    Declare,
    Enumeration,
    Evaluate,
    Expression,
    Function,
    Member,
    Name,
    Number,
    Parameter,
    Statement,
    Type,
    Variable,
)
from studies.impact.generated.knobs import Kind, Knob


@dataclass(frozen=True)
class Home:
    """Where an option is kept."""

    knob: Knob
    place: Expression  # what main assigns
    read: Expression  # what functions read; in main alone if it is private
    type: Type
    bit: str = ""  # the name of the bit that is set
    setter: str = ""  # the function that stores it
    is_private: bool = False  # main alone knows it
    is_local: bool = False

    @property
    def variable(self) -> str:
        """As a user writes it in the project file."""
        return variable_of(self.place)

    def store(self, value: Expression, arguments: Sequence[Expression] = ()) -> tuple[Statement, ...]:
        """The option gets a value."""
        if self.setter:
            return (Evaluate(call(self.setter, *arguments, value)),)
        if self.bit:
            return (assign(self.place, Name(self.bit), "|="),)
        return (assign(self.place, value),)

    def on(self, arguments: Sequence[Expression] = ()) -> tuple[Statement, ...]:
        """A switch is switched on."""
        return self.store(_number(self.type, 1), arguments)

    def sized(self) -> Sized:
        """What conditions and bounds can use."""
        return Sized(self.read, self.knob.highest)


def variable_of(place: Expression) -> str:
    """A place as project files name it."""
    if isinstance(place, Member):
        return f"{variable_of(place.base)}.{place.field}"
    assert isinstance(place, Name)
    return place.text


def _number(type: Type, value: int) -> Number:
    return free(value, value, value) if type == UNSIGNED else plain(value)


def keep_knobs(draft: Draft, knobs: Sequence[Knob]) -> tuple[Home, ...]:
    """A place for each option; makes the variables and fields."""
    rng = draft.rng
    switches = [each for each in knobs if each.kind is Kind.SWITCH]
    in_bits = switches if rng.random() < 0.3 else []
    if len(in_bits) > 1 and rng.random() < 0.5:
        in_bits = in_bits[:-1]
    homes = [_keep(draft, each) for each in knobs if each not in in_bits]
    homes += _keep_bits(draft, in_bits)
    order = {each.name: position for position, each in enumerate(knobs)}
    homes = [_with_setter(draft, each) for each in sorted(homes, key=lambda one: order[one.knob.name])]
    for home in homes:
        if not home.is_private:
            is_behind = draft.style is Style.POINTER and _is_field(home.place)
            draft.add_setting(home.sized(), is_behind)
    return tuple(homes)


def _is_field(place: Expression) -> bool:
    return isinstance(place, Member)


def _keep(draft: Draft, knob: Knob) -> Home:
    rng, name = draft.rng, draft.names.fresh(knob.name)
    type = INT if knob.kind is Kind.SWITCH and rng.random() < 0.6 else UNSIGNED
    default = (
        _number(type, knob.default)
        if knob.kind is not Kind.LEVEL
        else free(knob.default, 0, 2 * knob.highest)
    )
    if knob.kind is Kind.MODE:
        names = [f"{name}_{word}".upper() for word in knob.words]
        draft.types.append(Enumeration(f"{name}_kind", tuple(Constant(each) for each in names)))
    if draft.style is not Style.GLOBALS and rng.random() < 0.8:
        place = draft.keep(name, type, default)
        return Home(knob, place, place, type)
    kind = rng.choices(("shared", "private", "local"), (6, 2, 2))[0]
    place = Name(name)
    if kind == "local":
        return Home(knob, place, place, type, is_private=True, is_local=True)
    is_private = kind == "private"
    items = draft.files["main.c"] if is_private else draft.source()
    items.append(Variable(type, name, default, is_static=is_private))
    return Home(knob, place, place, type, is_private=is_private)


def local_declaration(home: Home) -> Declare:
    """The variable of main."""
    return Declare(home.type, home.knob.name, _number(home.type, home.knob.default))


def _keep_bits(draft: Draft, knobs: Sequence[Knob]) -> list[Home]:
    if not knobs:
        return []
    rng, name = draft.rng, draft.names.fresh("flags")
    if draft.style is Style.GLOBALS:
        draft.source().append(Variable(UNSIGNED, name, fixed(0), is_static=False))
        place: Expression = Name(name)
    else:
        place = draft.keep(name, UNSIGNED, fixed(0))
    bits = [f"FLAG_{each.name}".upper() for each in knobs]
    first = rng.randint(0, 3)
    values = [binary(plain(1), "<<", plain(first + at)) for at in range(len(bits))]
    constants = tuple(Constant(bit, value) for bit, value in zip(bits, values, strict=True))
    draft.types.append(Enumeration(f"{name}_bits", constants))
    return [
        Home(each, place, _read_bit(rng, place, bit), UNSIGNED, bit)
        for each, bit in zip(knobs, bits, strict=True)
    ]


def _read_bit(rng: random.Random, place: Expression, bit: str) -> Expression:
    masked: Binary = binary(place, "&", Name(bit))
    if rng.random() < 0.5:
        return binary(masked, "!=", fixed(0))
    return Conditional(masked, fixed(1), fixed(0))


def _with_setter(draft: Draft, home: Home) -> Home:
    if home.is_private or home.bit or draft.rng.random() > 0.15:
        return home
    name = draft.names.fresh(f"set_{home.knob.name}")
    parameter = draft.names.value()
    body = assign(home.place, Name(parameter))
    parameters = Parameter(home.type, parameter)
    draft.source().append(
        Function(
            result=VOID,
            name=name,
            parameters=(*draft.config_parameters, parameters),
            body=(body,),
            is_static=False,
        )
    )
    return replace(home, setter=name)
