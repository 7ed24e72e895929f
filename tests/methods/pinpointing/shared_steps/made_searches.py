"""Whole searches in simulated subjects, and what they should find."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite

from sonde.campaign.budget import Unlimited
from sonde.campaign.loop import Campaign
from sonde.campaign.memory_store import MemoryStore
from sonde.campaign.simulate import CORE, SimulatedChange, SimulatedSubject, SimulateExecutor
from sonde.core.events import Event
from sonde.core.findings.pinpoints import TermChange
from sonde.core.options import Literal, Option, Term, Value
from sonde.core.protocols import Executor
from sonde.core.results import Cost, Metric
from sonde.methods.pinpointing.planner import BenchmarkSteps, PinpointPlanner
from sonde.methods.pinpointing.search import Life, SearchProblem
from sonde.methods.pinpointing.shared_steps.search import SharedSteps
from sonde.space.space import Space
from tests.values import BENCHMARK


class Silent:
    def notice(self, event: Event) -> None:
        pass


@dataclass(frozen=True)
class Searched:
    """A search that ended."""

    planner: PinpointPlanner
    reason: str
    spent: Cost

    @property
    def findings(self) -> tuple[TermChange, ...]:
        return self.planner.findings()

    @property
    def told(self) -> list[tuple[int, str]]:
        """Position and term of each finding."""
        return [(one.position, " ".join(sorted(map(str, one.term)))) for one in self.findings]


def switches(count: int) -> tuple[Option, ...]:
    return tuple(Option(f"o{number}", (False, True), False) for number in range(count))


def term(**values: Value) -> Term:
    """`term(a=True, level=3)`."""
    return frozenset(Literal(name, value) for name, value in values.items())


def subject_of(
    space: Space,
    *changes: tuple[int, Term, float],
    revisions: int = 200,
    noise: float = 0.0,
    failing: Iterable[int] = (),
    core: float = 1.0,
) -> SimulatedSubject:
    """Every switch that is on costs something, and so does every term that changes."""
    influences = {CORE: core}
    for number, option in enumerate(space.options):
        if option.is_switch:
            influences[term(**{option.name: True})] = 0.1 + 0.02 * number
    for _, changed, _ in changes:
        influences.setdefault(changed, 0.3)
    planted = tuple(SimulatedChange(*change) for change in changes)
    return SimulatedSubject(space, revisions, influences, planted, frozenset(failing), noise)


def planner_for(
    subject: SimulatedSubject,
    life: Life | None = None,
    seed: int = 0,
    noise_floor: float = 0.0,
    is_counted: bool = False,
) -> PinpointPlanner:
    steps = subject.revisions
    line = BenchmarkSteps(BENCHMARK, Metric.CPU, subject.revision_ids, tuple(range(steps)))
    world = SearchProblem(
        steps,
        subject.space,
        life or (lambda _: (0, steps)),
        noise_floor=noise_floor,
        seed=seed,
        is_counted=is_counted,
    )
    return PinpointPlanner(line, world, SharedSteps())


def search_in(
    subject: SimulatedSubject,
    *,
    life: Life | None = None,
    seed: int = 0,
    executor: Executor | None = None,
    noise_floor: float = 0.0,
    is_counted: bool = False,
) -> Searched:
    """Search to the end."""
    planner = planner_for(subject, life, seed, noise_floor, is_counted)
    executor = executor or SimulateExecutor(subject, Metric.CPU, seed)
    campaign = Campaign(executor, MemoryStore(), Unlimited(), subject.revisions, lambda: 0.0, Silent())
    ending = campaign.run(planner)
    return Searched(planner, ending.reason, ending.spent)


def assert_sound(searched: Searched, subject: SimulatedSubject) -> None:
    """Every finding is of this subject, and its figures are figures."""
    for one in searched.findings:
        assert 0 <= one.earliest <= one.position <= one.latest < subject.revisions
        assert 0 < one.probability <= 1
        assert all(isfinite(each) for each in (one.effect, one.effect_low, one.effect_high))
        assert one.effect_low <= one.effect <= one.effect_high
        assert subject.space.is_valid(one.shown_in)
        assert all(one.shown_in[literal.option] == literal.value for literal in one.term)
        assert one.configurations >= 1


SIX = Space(switches(6))
NO_MORE = "no further change exceeds the noise"
