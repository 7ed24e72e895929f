"""Stages that are loops: plain ones, with tables, with a list of work, with failures."""

from __future__ import annotations

from studies.impact.generated.python.drawing.stages.scene import Scene


def loop(s: Scene) -> str:
    """One loop, with a decision inside of it or before it."""
    name = s.name("scan", "sweep", "trace", "fold_all")
    inside = s.when("i") if s.rng.random() < 0.6 else s.on("i")
    s.draft.add(
        s.module,
        f"""
def {name}({s.parameters}):
    total = seed
{s.bound()}
    for i in range(n):
        total = {s.step()}(total, i)
        if {inside}:
            total += {s.step()}(i, {s.digit(1, 40)})
        else:
            total ^= i
    return total & 65535
""",
    )
    return name


def nested(s: Scene) -> str:
    """A loop in a loop, whose inner bound a feature gives."""
    name = s.name("grid", "rows", "spread", "fill")
    turns = s.digit(4, 9)
    s.draft.add(
        s.module,
        f"""
def {name}({s.parameters}):
    total = seed
    width = {s.amount(3, turns)}
{s.bound(part=1 / turns)}
    for i in range(n):
        row = i * {s.digit(3, 40)}
        for j in range(width):
            row = {s.step()}(row, j)
        if {s.when("i")}:
            continue
        total = (total + row) & 65535
    return total
""",
    )
    return name


def table(s: Scene) -> str:
    """A table of the module, by which a loop goes."""
    name, weights = s.name("weigh", "rank", "score"), s.name("WEIGHTS", "SIZES", "COSTS")
    values = ", ".join(str(s.digit(2, 12)) for _ in range(s.rng.choice((3, 4, 5))))
    s.draft.add(
        s.module,
        f"""
{weights} = [{values}]

def {name}({s.parameters}):
    total = seed
{s.bound(part=1 / 8)}
    for i in range(n):
        for j in range({weights}[i % len({weights})]):
            total = {s.step()}(total, j)
    if {s.when()}:
        total = {s.step()}(total, {s.digit(1, 99)})
    return total
""",
    )
    return name


def sizes(s: Scene) -> str:
    """A dictionary of the module says how much is done for a key that a feature chooses."""
    name, known = s.name("plan", "prepare", "spend"), s.name("PLANS", "LIMITS", "AMOUNTS")
    s.draft.add(
        s.module,
        f"""
{known} = {{"small": {s.turns // 2}, "large": {s.turns}, "odd": {s.turns * 2 // 3}}}

def {name}({s.parameters}):
    key = "large" if {s.when()} else "small"
    total = seed
    for i in range({known}[key]):
        total = {s.step()}(total, i)
    if {s.on("total")}:
        total += {known}.get("odd", {s.digit(1, 50)})
    return total & 65535
""",
    )
    return name


def worklist(s: Scene) -> str:
    """A list of work that is not done yet."""
    name = s.name("drain", "visit", "settle")
    s.draft.add(
        s.module,
        f"""
def {name}({s.parameters}):
{s.bound()}
    waiting = [seed & 255]
    seen = {{}}
    done = 0
    while waiting and done < n:
        item = waiting.pop()
        done += 1
        seen[item] = seen.get(item, 0) + 1
        following = {s.step()}(item, done)
        waiting.append(following & 1023)
        if {s.when("item")} and len(waiting) < {s.digit(20, 60)}:
            waiting.append({s.step()}(following, item) & 255)
    return (sum(seen.values()) + len(seen)) & 65535
""",
    )
    return name


def failing(s: Scene) -> str:
    """What fails now and then, and is caught."""
    name, refuse, error = s.name("attempt", "probe"), s.name("refuse", "require"), s.name("Refused", "Bad")
    s.draft.add(
        s.module,
        f"""
class {error}(ValueError):
    pass

def {refuse}(value, strict):
    if value % {s.digit(3, 6)} == 0 and strict:
        raise {error}(value)
    return {s.step()}(value, {s.digit(1, 20)})

def {name}({s.parameters}):
    total, failed = seed, 0
{s.bound()}
    for i in range(n):
        try:
            total = (total + {refuse}(i, {s.when("i")})) & 65535
        except {error}:
            failed += 1
            total = {s.step()}(total, failed)
        finally:
            total += 1
    return total + failed
""",
    )
    return name


STAGES = (loop, nested, table, sizes, worklist, failing)
