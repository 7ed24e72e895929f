"""What need not be measured, in worlds where it is known what a change does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sonde.core.code import SourceLine
from sonde.core.errors import MissingTool, NothingMeasured, UsageError
from sonde.core.events import Event
from sonde.core.findings.comparisons import Case, NarrowingStep
from sonde.core.findings.impacts import ChangedRegion, Impact, OptionImpact, Role, Witnesses
from sonde.core.findings.selections import Basis, Proof, Selected, Selection, Touched
from sonde.core.options import Configuration, Literal, Option, Phase, Term
from sonde.core.results import Metric
from sonde.core.revisions import Revision
from sonde.methods.impact.coverage import Seen
from sonde.methods.impact.differences.lines import ChangedFileLines
from sonde.space.absent import at_default
from sonde.space.space import Space
from sonde.workflows.check.narrowing import Narrowed, Narrowing
from tests.values import revision_id

COUNTED, TIMED = Metric.INSTRUCTIONS, Metric.CPU
HEAD, BASE, ANCESTOR = (
    Revision(revision_id(at), (), at, "Ada", f"revision {at}") for at in reversed(range(3))
)
SWITCHES = [Option(name, (False, True), False) for name in ("a", "b", "c", "d")]
SPACE = Space.of([*SWITCHES, Option("level", (1, 5, 9), 5)])
ALL = list(SPACE.configurations())


def term(*literals: tuple[str, bool | int]) -> Term:
    return frozenset(Literal(*each) for each in literals)


class Silence:
    """Notices nothing."""

    def notice(self, event: Event) -> None:
        pass


@dataclass
class World:
    """Where each changed function is run; a case changes if one of them is."""

    changed: Mapping[str, Term]
    related: Sequence[str] | None = None  # what impact says; None: it cannot be asked
    spaces: Mapping[Revision, Space] = field(default_factory=dict)
    builds: Revision = BASE  # the nearest one that does
    broken: frozenset[Configuration] = frozenset()  # at the head
    asked: list[tuple[Configuration, Revision | None]] = field(default_factory=list)

    def functions(self, configuration: Configuration) -> list[str]:
        return [name for name, where in self.changed.items() if where <= frozenset(configuration)]

    def space(self, base: Revision | None) -> Space:
        return self.spaces.get(base or BASE, SPACE)

    def select(self, configurations: Sequence[Configuration], base: Revision | None) -> Selection:
        self.asked += [(each, base) for each in configurations]
        if base is None and all(each in self.broken for each in configurations):
            raise NothingMeasured("it does not build")
        selected = [self.selected(each, name) for each in configurations for name in METRICS]
        return Selection(HEAD, base or self.builds, SPACE.default, tuple(selected), "", None)

    def selected(self, configuration: Configuration, benchmark: str) -> Selected:
        touched = tuple(Touched(name, 0.1, "changed") for name in self.functions(configuration))
        if touched:
            return Selected(benchmark, configuration, True, Basis.CHANGED, ("something",), touched=touched)
        proof = Proof.NOT_REACHED if self.changed else Proof.SAME_INPUTS
        return Selected(benchmark, configuration, False, Basis.PROVEN, (proof.value,), proof=proof)

    def changed_lines(self, base: Revision) -> Sequence[ChangedFileLines]:
        return [ChangedFileLines(file, ((1, 1),)) for file in FILES]

    def seen(self, revision: Revision, cases: Sequence[Case]) -> Mapping[Case, Seen]:
        compiled = frozenset(SourceLine(file, 1) for file in FILES)
        return {
            case: Seen(
                frozenset(SourceLine(name, 1) for name in self.functions(case.configuration)), compiled
            )
            for case in cases
        }

    def regions(self) -> tuple[ChangedRegion, ...]:
        places = [SourceLine(name, 1) for name in self.changed]
        return tuple(
            ChangedRegion(place.file, place, True, Witnesses(frozenset({place}), (frozenset({place}),)))
            for place in places
        )

    def impact(self, base: Revision) -> Impact:
        if self.related is None:
            raise MissingTool("clang is not installed.\nInstall it.")
        roles = tuple(
            OptionImpact(each.name, Role.RELATED if each.name in self.related else Role.UNRELATED, "")
            for each in SPACE.options
        )
        default = SPACE.default
        chosen = [
            each
            for each in ALL
            if all(each[name] == default[name] for name in default.chosen if name not in self.related)
        ]
        is_relevant = bool(self.related)
        return Impact(
            HEAD,
            base,
            default,
            is_relevant,
            "It cannot.",
            (),
            (),
            (),
            roles,
            tuple(chosen),
            len(ALL),
            regions=self.regions(),
        )

    def narrowing(self, named: tuple[Configuration, ...] = (), strength: int = 2) -> Narrowing:
        return Narrowing(self, METRICS, named, strength, Silence())


FILES = ("compress", "hash", "usage", "cold")
METRICS = {"pack": COUNTED, "unpack": TIMED}


@st.composite
def worlds(draw):
    """Some changed functions, and an analysis that finds every option that they depend on, or cannot say."""
    literals = st.sampled_from([Literal(o.name, value) for o in SPACE.options for value in o.values])
    terms = st.frozensets(literals, max_size=2).filter(
        lambda one: len({each.option for each in one}) == len(one)
    )
    changed = draw(st.dictionaries(st.sampled_from(["compress", "hash", "usage"]), terms, max_size=3))
    involved = {each.option for one in changed.values() for each in one}
    more = draw(st.sets(st.sampled_from(list(SPACE.option))))
    related = draw(st.sampled_from([None, sorted(involved | more)]))
    return World(changed, related)


def cases_of(narrowed: Narrowed) -> int:
    return len(narrowed.left) + sum(each.cases for each in narrowed.dropped)


@settings(max_examples=30)  # each solves constraints many times
@given(world=worlds(), strength=st.integers(1, 3))
def test_every_case_is_left_or_dropped_and_none_is_asked_about_twice(world, strength):
    found = world.narrowing(strength=strength).run()

    assert cases_of(found) == found.cases == len(ALL) * len(METRICS)
    assert len(set(found.left)) == len(found.left)
    configurations = [each for each, _ in world.asked]
    assert len(set(configurations)) == len(configurations)


@settings(max_examples=30)  # each solves constraints many times
@given(world=worlds())
def test_what_is_told_as_proven_does_not_run_what_changed(world):
    found = world.narrowing().run()

    unchanged = [each for each in ALL if not world.functions(each)]
    assert all(not world.functions(case.configuration) for case in found.unchanged)
    assert all(world.functions(case.configuration) for case in found.left)
    assert sum(each.cases for each in found.dropped if each.is_proven) <= len(unchanged) * len(METRICS)


@settings(max_examples=30)  # each solves constraints many times
@given(world=worlds())
def test_a_change_that_shows_where_two_values_meet_is_measured_in_every_benchmark(world):
    found = world.narrowing().run()

    if world.related == []:
        return  # the analysis says that it reaches no hot code; only what profiles have seen is measured
    for name, where in world.changed.items():
        for benchmark in METRICS:
            measured = [case for case in found.left if case.benchmark == benchmark]
            assert any(where <= frozenset(case.configuration) for case in measured), name


@st.composite
def misled_worlds(draw):
    """Worlds in which impact may be wrong about the options, and functions that nothing executes."""
    world = draw(worlds())
    options = st.sets(st.sampled_from(list(SPACE.option)))
    cold = {"cold": term(("a", True), ("a", False))} if draw(st.booleans()) else {}
    return World({**world.changed, **cold}, draw(st.none() | options.map(sorted)))


def looked_at(world, benchmark):
    """What profiles show: the cases of a benchmark in which changed code is executed, with that code."""
    return {
        Case(benchmark, each): frozenset(world.functions(each))
        for each, _ in world.asked
        if world.functions(each)
    }


@settings(max_examples=60)  # each solves constraints many times
@given(world=misled_worlds())
def test_changed_code_that_a_profile_shows_is_measured_whatever_impact_says(world):
    found = world.narrowing().run()

    for benchmark in METRICS:
        executed = looked_at(world, benchmark)
        measured = frozenset().union(*(executed[case] for case in found.left if case in executed))
        assert measured == frozenset().union(*executed.values())


@settings(max_examples=60)  # each solves constraints many times
@given(world=misled_worlds())
def test_each_value_under_which_a_profile_shows_changed_code_is_measured(world):
    found = world.narrowing().run()

    for benchmark in METRICS:
        executed = looked_at(world, benchmark)
        wanted = {literal for case in executed for literal in case.configuration}
        measured = {literal for case in found.left if case in executed for literal in case.configuration}
        assert measured == wanted


@settings(max_examples=60)  # each solves constraints many times
@given(world=misled_worlds())
def test_what_no_profile_executes_is_named_unless_everything_is_proven(world):
    found = world.narrowing().run()

    seen = {name for each, _ in world.asked for name in world.functions(each)}
    named = {each.file for each in found.coverage.not_executed()}
    assert named <= set(FILES) - seen
    if found.left:
        assert named >= set(world.changed) - seen


@settings(max_examples=30)  # each solves constraints many times
@given(world=worlds())
def test_a_changed_function_that_a_profile_has_seen_is_measured_whatever_impact_says(world):
    blind = World(world.changed, related=[])
    found = blind.narrowing().run()

    near = [each for each, _ in blind.asked]
    seen = {name for each in near for name in blind.functions(each)}
    measured = {name for case in found.left for name in blind.functions(case.configuration)}
    assert seen == measured


def test_equal_inputs_prove_all_after_one_question():
    world = World({})

    found = world.narrowing().run()

    assert found.left == ()
    assert [(each.step, each.is_proven, each.cases) for each in found.dropped] == [
        (NarrowingStep.BUILDS, True, found.cases)
    ]
    assert len(world.asked) == 1 + 4 + 2  # the default and its neighbours


def test_few_configurations_are_left_where_impact_names_the_options():
    world = World({"compress": term(("a", True))}, related=["a", "level"])

    found = world.narrowing().run()

    assert found.related_options == ("a", "level")
    assert len(found.left) == len(METRICS) * 3  # a with each level; without it, nothing that changed is run
    assert {each.step for each in found.dropped if not each.is_proven} >= {NarrowingStep.IMPACT}


def test_without_impact_any_two_values_meet_and_a_warning_says_so():
    world = World({"main": frozenset()})

    found = world.narrowing().run()

    measured = [case.configuration for case in found.left if case.benchmark == "pack"]
    for one, other in combinations(SPACE.options, 2):
        for values in product(one.values, other.values):
            assert any((each[one.name], each[other.name]) == values for each in measured)
    assert found.warnings == (
        "`sonde impact` could not determine the options involved: clang is not installed.",
    )
    assert found.related_options is None


def test_impact_is_not_asked_where_it_would_speak_of_another_base():
    world = World({"main": frozenset()}, related=["a"])
    other = World(world.changed, world.related)
    other.impact = lambda base: world.impact(ANCESTOR)  # type: ignore[method-assign]

    assert "does not build with clang" in " ".join(other.narrowing().run().warnings)


LACKING_A = at_default(SPACE, [SPACE.option["a"]])


def test_a_base_that_gives_way_to_an_ancestor_takes_its_options_along():
    world = World({"main": frozenset()}, related=["b", "c"], spaces={ANCESTOR: LACKING_A}, builds=ANCESTOR)

    found = world.narrowing().run()

    assert found.base == ANCESTOR
    assert found.cases == len(METRICS) * len(ALL) // 2
    assert cases_of(found) == found.cases
    assert not any(case.configuration["a"] for case in (*found.left, *found.unchanged))
    assert [base for _, base in world.asked[:7]] == [None] * 7
    assert {base for _, base in world.asked[7:]} == {ANCESTOR}


def test_an_ancestor_that_has_more_options_is_asked_about_these_as_well():
    world = World({"hash": term(("a", True))}, related=[], spaces={BASE: LACKING_A}, builds=ANCESTOR)

    found = world.narrowing().run()

    assert found.cases == len(METRICS) * len(ALL)
    assert {case.configuration["a"] for case in found.left} == {True}


def test_all_is_what_the_base_that_builds_has():
    world = World({"main": frozenset()}, spaces={ANCESTOR: LACKING_A}, builds=ANCESTOR)

    found = world.narrowing().nothing()

    assert len(found.left) == found.cases == len(METRICS) * len(ALL) // 2
    assert not any(case.configuration["a"] for case in found.left)


@pytest.mark.parametrize("builds", [BASE, ANCESTOR])
def test_a_named_configuration_that_one_side_lacks_is_refused(builds):
    named = Configuration.of({**SPACE.default.chosen, "a": True})
    world = World({"main": frozenset()}, spaces={builds: LACKING_A}, builds=builds)

    with pytest.raises(UsageError, match="cannot be compared") as error:
        world.narrowing((named,)).run()

    assert (ANCESTOR.short in str(error.value)) is (builds is ANCESTOR)


def test_named_configurations_are_the_only_cases():
    named = tuple(ALL[:3])
    world = World({"compress": frozenset(named[1])})

    found = world.narrowing(named).run()

    assert found.cases == len(METRICS) * 3
    assert found.left == tuple(Case(name, named[1]) for name in METRICS)
    assert [each for each, _ in world.asked] == list(named)


def test_all_is_asked_about_once_if_it_builds_and_about_another_build_if_it_does_not():
    static = Option("static", (False, True), False, phase=Phase.BUILD)
    space = Space.of([*SWITCHES, static])
    off = frozenset(each for each in space.configurations() if not each["static"])
    for broken, asked in (frozenset[Configuration](), 1), (off, 2):
        world = World({"main": frozenset()}, spaces={BASE: space}, broken=broken)

        found = world.narrowing().nothing()

        assert len(found.left) == len(METRICS) * 2**5
        assert len(world.asked) == len({each["static"] for each, _ in world.asked}) == asked


def test_all_of_what_builds_nowhere_is_refused():
    world = World({"main": frozenset()}, broken=frozenset(ALL))

    with pytest.raises(NothingMeasured):
        world.narrowing().nothing()


def test_all_of_a_huge_space_is_refused():
    many = Space.of([Option(f"o{at}", (False, True), False) for at in range(20)])
    world = World({"main": frozenset()}, spaces={BASE: many})

    with pytest.raises(UsageError, match="--all cannot measure"):
        world.narrowing().nothing()


def test_a_warning_tells_that_there_are_more_values_than_profiles():
    many = Space.of([Option("size", tuple(range(100)), 0, variables=("size",))])
    world = World({"main": frozenset()}, related=[], spaces={BASE: many})
    narrowing = world.narrowing()

    assert len(narrowing.first_asked()) == 48 // len(METRICS)
    assert "only the first 24 configurations" in "".join(narrowing.warnings)
