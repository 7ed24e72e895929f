"""Stages of functions that are values: closures, tables of functions, decorators, callbacks, recursion."""

from __future__ import annotations

from studies.impact.generated.python.drawing.stages.scene import Scene


def closure(s: Scene) -> str:
    """A function that remembers."""
    name, make = s.name("with_memory", "keep_count"), s.name("make_counter", "make_mixer")
    s.draft.add(
        s.module,
        f"""
def {make}(start, extra):
    state = start

    def advance(i):
        nonlocal state
        for j in range(extra):
            state = {s.step()}(state, i + j)
        return state

    return advance


def {name}({s.parameters}):
    advance = {make}(seed, {s.amount(1, 4)})
    total = 0
{s.bound(part=1 / 3)}
    for i in range(n):
        total += advance(i) & 255
    if {s.when()}:
        total ^= advance(total)
    return total & 65535
""",
    )
    return name


def dispatch(s: Scene) -> str:
    """A dictionary of functions."""
    name, table = s.name("choose", "perform"), s.name("ACTIONS", "HANDLERS")
    light, heavy = s.name("light", "quick"), s.name("heavy", "thorough")
    first, second = s.rng.sample(("a", "b", "plain", "full"), 2)
    s.draft.add(
        s.module,
        f"""
def {light}(value, i):
    return {s.step()}(value, i)


def {heavy}(value, i):
    for j in range({s.digit(2, 4)}):
        value = {s.step()}(value, i + j)
    return value


{table} = {{"{first}": {light}, "{second}": {heavy}}}


def {name}({s.parameters}):
    action = {table}["{second}" if {s.when()} else "{first}"]
    total = seed
{s.bound(part=0.5)}
    for i in range(n):
        total = action(total, i)
    return total
""",
    )
    return name


def decorated(s: Scene) -> str:
    """A decorator of the program's own, with an argument."""
    name, repeated, once = s.name("decorated", "again"), s.name("repeated", "times"), s.name("once", "one")
    s.draft.library(s.module, "import functools")
    s.draft.add(
        s.module,
        f"""
def {repeated}(count):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(*given):
            result = 0
            for j in range(count):
                result ^= function(*given)
            return result

        return wrapper

    return decorate


@{repeated}({s.digit(2, 4)})
def {once}(value, i):
    return {s.step()}(value, i)


def {name}({s.parameters}):
    total = seed
{s.bound(part=1 / 3)}
    for i in range(n):
        total = (total + {once}(total, i)) & 65535
        if {s.when("i")}:
            total = {s.step()}(total, i)
    return total
""",
    )
    return name


def callbacks(s: Scene) -> str:
    """Functions that are handed to `sorted`, `map`, `filter` and to one of the program's own."""
    name, apply = s.name("hand_over", "by_callback"), s.name("apply", "each_of")
    s.draft.add(
        s.module,
        f"""
def {apply}(function, values, start={s.digit(1, 50)}):
    total = start
    for value in values:
        total = function(total, value)
    return total


def {name}({s.parameters}):
{s.bound(part=1 / 3)}
    values = [(i * {s.digit(31, 99)} + seed) % {s.digit(500, 999)} for i in range(n)]
    if {s.when()}:
        values.sort(key=lambda value: {s.step()}(value, {s.digit(1, 9)}))
    found = list(map(lambda value: {s.step()}(value, seed), values))
    few = filter(lambda value: {s.on("value")}, found)
    function = {s.step()} if {s.when()} else {s.step()}
    return ({apply}(function, found) + sum(few)) & 65535
""",
    )
    return name


def recursion(s: Scene) -> str:
    """A function that calls itself."""
    name, down = s.name("descend", "divide"), s.name("down", "split_up")
    leaf = s.digit(1, 3)
    s.draft.add(
        s.module,
        f"""
def {down}(size, value):
    if size <= {leaf}:
        return {s.step()}(value, size)
    half = size // 2
    left = {down}(half, value + 1)
    right = {down}(size - half, left)
    return (left ^ right) & 65535


def {name}({s.parameters}):
{s.bound(part=0.7)}
    total = {down}(n, seed)
    if {s.when()}:
        total += {down}(n // {s.digit(2, 5)}, total)
    return total & 65535
""",
    )
    return name


def cached(s: Scene) -> str:
    """A function whose results are kept."""
    name, costly = s.name("remember", "look_up"), s.name("costly", "slow_value")
    size = s.rng.choice(("None", "16", "32", "64"))
    s.draft.library(s.module, "from functools import lru_cache")
    s.draft.add(
        s.module,
        f"""
@lru_cache(maxsize={size})
def {costly}(value, extra):
    total = value
    for j in range({s.digit(8, 30)} + extra):
        total = {s.step()}(total, j)
    return total


def {name}({s.parameters}):
    total = seed
    extra = {s.amount(1, 12)}
{s.bound(part=0.5)}
    for i in range(n):
        total += {costly}(i % {s.digit(20, 90)}, extra) & 255
    return total & 65535
""",
    )
    return name


def variadic(s: Scene) -> str:
    """`*args`, `**kwargs` and default arguments."""
    name, combine = s.name("many_given", "combined"), s.name("combine", "join_all")
    s.draft.add(
        s.module,
        f"""
def {combine}(*parts, scale={s.digit(2, 9)}, **more):
    total = scale
    for part in parts:
        total = {s.step()}(total, part)
    if more.get("extra"):
        total = {s.step()}(total, scale)
    return total


def {name}({s.parameters}):
    total = seed
    given = {{"extra": {s.when()}}}
{s.bound(part=1 / 3)}
    for i in range(n):
        total = {combine}(total, i, {s.digit(1, 99)}, **given)
        if {s.on("i")}:
            total = {combine}(total, *(i, total), scale={s.digit(2, 9)})
    return total
""",
    )
    return name


def registered(s: Scene) -> str:
    """Functions that a decorator puts on a list; a feature says how many of them run."""
    name, rules, rule = (
        s.name("apply_rules", "all_rules"),
        s.name("RULES", "PASSES"),
        s.name("rule", "register"),
    )
    one, two, three = s.name("trim_zeros"), s.name("lift"), s.name("sink")
    s.draft.add(
        s.module,
        f"""
{rules} = []


def {rule}(function):
    {rules}.append(function)
    return function


@{rule}
def {one}(value):
    return value >> 1 if value % 2 == 0 else {s.step()}(value, 1)


@{rule}
def {two}(value):
    return {s.step()}(value, {s.digit(1, 99)})


@{rule}
def {three}(value):
    return {s.step()}({s.step()}(value, 3), {s.digit(1, 9)})


def {name}({s.parameters}):
    total = seed
    chosen = {rules} if {s.when()} else {rules}[:{s.digit(1, 2)}]
{s.bound(part=1 / 3)}
    for i in range(n):
        for function in chosen:
            total = function(total + i)
    return total & 65535
""",
    )
    return name


STAGES = (closure, dispatch, decorated, callbacks, recursion, cached, variadic, registered)
