"""Snapshots and profiles: one small one of each, and Hypothesis strategies for any."""

from __future__ import annotations

from collections.abc import Collection
from operator import itemgetter

from hypothesis import strategies as st

from sonde.core.code_lines import CodeLines, FunctionLines
from sonde.core.evidence import (
    Activity,
    Aspect,
    CostUnit,
    DataObject,
    ExecutedInstructions,
    Function,
    Key,
    Language,
    Loading,
    Profile,
    ProfiledFunction,
    ProgramTraits,
    Snapshot,
)

TABLE = Key("bin/pack", "", "levels")

SNAPSHOT = Snapshot(
    languages={"bin/pack": Language.MACHINE},
    functions={
        Key("bin/pack", "pack.c", "main"): Function(
            code="c0",
            masked="m0",
            masked_for=frozenset({"__assert_fail"}),
            raw="r0",
            texts="t0",
            length=12,
            calls=frozenset({"fill", "malloc"}),
            refers_to=frozenset({TABLE}),
            layout=2**64 - 1,
        ),
        Key("bin/pack", "", "fill"): Function("c1", "c1", frozenset(), "r1", "t1", 3),
    },
    objects={TABLE: DataObject("o0", 64, is_constant=True, calls=frozenset({"fill"}))},
    startup={"bin/pack": "s0"},
    files={"share/table.txt": "x0"},
    libraries={"bin/pack": frozenset({"libc.so.6"})},
    loading={"bin/pack": Loading(frozenset({"malloc"}), 7)},
    aliases={Key("bin/pack", "", "fill_all"): Key("bin/pack", "", "fill")},
    programs={"bin/pack": ProgramTraits("b0", frozenset({"main", "fill"}), True, 2**63)},
    interpreter="cpython 3.11",
)

PROFILE = Profile(
    unit=CostUnit.INSTRUCTIONS,
    activities={
        ProfiledFunction("bin/pack", "pack.c", "main"): Activity(1, 500, 2**40, 2**38),
        ProfiledFunction("bin/pack", "", "fill"): Activity(7, 2**39, 2**39),
    },
    nameless=3,
    outside={"/lib/libc.so.6": 40},
    outside_files={"/lib/libc.so.6": "l0"},
    opened=frozenset({"share/table.txt"}),
    seconds=0.5,
    gap="a process was killed",
    interpreters=frozenset({"cpython 3.11"}),
    modules=frozenset({"json", "pack"}),
    aspects=frozenset({Aspect.DOCSTRINGS}),
    text_functions={"strlen": 12, "": 3},
    executed={
        ProfiledFunction("bin/pack", "", "fill"): ExecutedInstructions(
            (0, 4, 2**20), (7, 7, 2**38), (0, 2**39, 0)
        )
    },
)

LINES = CodeLines(
    ("pack.c", "/usr/include/string.h"),
    {
        ProfiledFunction("bin/pack", "", "fill"): FunctionLines(
            (0, 4, 4, 2**20), (0, 1, 0, -1), (12, 7, 2**20, 0)
        )
    },
    "the build has no debug information",
)

words = st.one_of(st.sampled_from(["", "main", "fill", "bin/pack"]), st.text(max_size=6))
counts = st.integers(0, 2**63)
keys = st.builds(Key, words, words, words)
few = st.frozensets(words, max_size=3)
some_functions = st.builds(
    Function, words, words, few, words, words, counts, few, st.frozensets(keys, max_size=3), counts
)
some_objects = st.builds(
    DataObject, words, counts, st.booleans(), st.frozensets(keys, max_size=3), few, st.booleans(), counts
)
named = st.dictionaries(words, words, max_size=3)

snapshots = st.builds(
    Snapshot,
    languages=st.dictionaries(words, st.sampled_from(Language), max_size=3),
    functions=st.dictionaries(keys, some_functions, max_size=6),
    objects=st.dictionaries(keys, some_objects, max_size=6),
    startup=named,
    files=named,
    libraries=st.dictionaries(words, few, max_size=3),
    loading=st.dictionaries(words, st.builds(Loading, few, counts), max_size=3),
    aliases=st.dictionaries(keys, keys, max_size=3),
    programs=st.dictionaries(words, st.builds(ProgramTraits, words, few, st.booleans(), counts), max_size=3),
    interpreter=words,
)

functions = st.builds(ProfiledFunction, words, words, words)
activities = st.dictionaries(functions, st.builds(Activity, counts, counts, counts), max_size=6)


@st.composite
def some_executed(
    draw: st.DrawFn, known: Collection[ProfiledFunction]
) -> dict[ProfiledFunction, ExecutedInstructions]:
    """The instructions of some of the functions that are known."""
    rows = st.lists(st.tuples(counts, counts, counts), min_size=1, max_size=4)
    chosen = {place: draw(rows) for place in known if draw(st.booleans())}
    return {
        place: ExecutedInstructions(*zip(*sorted(several), strict=True)) for place, several in chosen.items()
    }


@st.composite
def code_lines(draw: st.DrawFn) -> CodeLines:
    """Lines of some functions."""
    files = draw(st.lists(words, max_size=3, unique=True))
    row = st.tuples(counts, st.integers(-1, len(files) - 1), counts)
    rows = st.lists(row, min_size=1, max_size=4).map(lambda several: sorted(several, key=itemgetter(0)))
    known = draw(st.dictionaries(functions, rows, max_size=3))
    lines = {place: FunctionLines(*zip(*several, strict=True)) for place, several in known.items()}
    return CodeLines(tuple(files), lines, draw(words))


profiles = activities.flatmap(
    lambda known: st.builds(
        Profile,
        unit=st.sampled_from(CostUnit),
        activities=st.just(known),
        executed=some_executed(known),
        nameless=counts,
        outside=st.dictionaries(words, counts, max_size=3),
        outside_files=named,
        opened=st.none() | few,
        is_complete=st.booleans(),
        seconds=st.floats(0, 1e9),
        gap=words,
        interpreters=few,
        modules=st.none() | few,
        aspects=st.frozensets(st.sampled_from(Aspect)),
        text_functions=st.dictionaries(words, counts, max_size=3),
    )
)
