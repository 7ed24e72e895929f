"""Stages of generators, comprehensions, text and the collections of the library."""

from __future__ import annotations

from studies.impact.generated.python.drawing.stages.scene import Scene


def generators(s: Scene) -> str:
    """Generators in a row."""
    name, produce, choose = s.name("pipeline", "stream"), s.name("produce", "numbers"), s.name("only", "thin")
    s.draft.add(
        s.module,
        f"""
def {produce}(n, start):
    value = start
    for i in range(n):
        value = {s.step()}(value, i)
        yield value


def {choose}(source, strict):
    for value in source:
        if strict and {s.on("value")}:
            continue
        yield {s.step()}(value, {s.digit(1, 60)})


def {name}({s.parameters}):
{s.bound(part=0.5)}
    source = {produce}(n, seed)
    if {s.when()}:
        source = {choose}(source, {s.when()})
    total = 0
    for value in source:
        total = (total * {s.digit(3, 9)} + value) & 65535
    return total
""",
    )
    return name


def comprehensions(s: Scene) -> str:
    """Lists, sets and dictionaries that are made in one expression."""
    name = s.name("compress_all", "lists")
    s.draft.add(
        s.module,
        f"""
def {name}({s.parameters}):
{s.bound(part=1 / 2)}
    first = [{s.step()}(i, seed) for i in range(n)]
    places = {{value & {s.rng.choice((31, 63, 127))}: i for i, value in enumerate(first)}}
    total = sum({s.step()}(value, {s.digit(1, 40)}) for value in first if {s.on("value")})
    if {s.when()}:
        kinds = {{{s.step()}(value, 1) & 255 for value in first}}
        total += len(kinds)
    return (total + len(places) + max(first, default={s.digit(1, 9)})) & 65535
""",
    )
    return name


def texts(s: Scene) -> str:
    """Words that are put together, taken apart and counted."""
    name, line = s.name("write_lines", "format_all"), s.name("line_of", "word_for")
    s.draft.add(
        s.module,
        f"""
def {line}(value, width={s.digit(4, 9)}, mark="{s.rng.choice("-.*")}"):
    text = f"{{value:x}}:{{value % {s.digit(7, 40)}}}"
    return text.rjust(width, mark) if len(text) < width else text[:width]


def {name}({s.parameters}):
{s.bound(part=0.5)}
    lines = []
    for i in range(n):
        line = {line}(i * {s.digit(13, 60)} + seed)
        if {s.when("i")}:
            line = line.replace("1", "one").upper()
        lines.append(line)
    text = ",".join(lines)
    total = 0
    for part in text.split("{s.rng.choice(":,")}"):
        total = {s.step()}(total, len(part))
    return total
""",
    )
    return name


def counted(s: Scene) -> str:
    """A dictionary that counts, read in the order of its counts."""
    name = s.name("count_kinds", "histogram")
    s.draft.library(s.module, "from collections import defaultdict")
    s.draft.add(
        s.module,
        f"""
def {name}({s.parameters}):
    kinds = {s.amount(8, 60)}
    counts = defaultdict(int)
{s.bound(part=0.7)}
    for i in range(n):
        counts[{s.step()}(i, seed) % kinds] += 1
    total = 0
    for key, count in sorted(counts.items(), key=lambda pair: (pair[1], pair[0])):
        for j in range(count % {s.digit(3, 9)}):
            total = {s.step()}(total, key)
    return total
""",
    )
    return name


def queued(s: Scene) -> str:
    """A queue of the library, which is as long as a feature says."""
    name = s.name("window_of", "recent")
    s.draft.library(s.module, "from collections import deque")
    s.draft.add(
        s.module,
        f"""
def {name}({s.parameters}):
    window = deque(maxlen={s.amount(3, 24)})
    total = seed
{s.bound(part=0.6)}
    for i in range(n):
        window.append({s.step()}(total, i))
        if i % {s.digit(2, 5)} == 0:
            total = sum(window) & 65535
        elif {s.when("i")}:
            total = {s.step()}(total, window[0])
    return total
""",
    )
    return name


def heaped(s: Scene) -> str:
    """A heap of the library."""
    name = s.name("by_weight", "smallest_first")
    s.draft.library(s.module, "import heapq")
    s.draft.add(
        s.module,
        f"""
def {name}({s.parameters}):
    heap = []
    total = seed
{s.bound(part=0.6)}
    for i in range(n):
        heapq.heappush(heap, ({s.step()}(i, total) & 1023, i))
        if len(heap) > {s.amount(4, 40)}:
            weight, place = heapq.heappop(heap)
            total = (total + weight) & 65535
    if {s.when()}:
        while heap:
            total = {s.step()}(total, heapq.heappop(heap)[0])
    return total
""",
    )
    return name


STAGES = (generators, comprehensions, texts, counted, queued, heaped)
