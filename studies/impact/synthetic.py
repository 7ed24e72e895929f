"""Tables 2 and 3: the paper's synthetic scenarios, and our further ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sonde.methods.impact.question import AnalysisSettings
from sonde.space.expressions import holds
from sonde.space.parser import parse
from studies.impact.answering import Told, ours, papers
from studies.impact.rates import Judged, table_of_rates
from studies.impact.tables import table
from tests.programs.asking import question_about
from tests.programs.scenarios import NEVER, Scenario, read_scenarios

# Name of the paper, our folders, Table 2 (P, PP, TP; recall of RQ2), Table 3 (related options and
# configurations of each scenario).
PAPER: tuple[tuple[str, tuple[str, ...], str, tuple[tuple[int, int], ...]], ...] = (
    ("INTER_STRUC", ("inter_struc",), "1, 1, 1; 1.00", ((1, 2),)),
    ("INTER_DF", ("inter_df",), "1, 1, 1; 1.00", ((1, 2),)),
    ("INTER_IMPL", ("inter_impl",), "1, 1, 1; 0.00", ((0, 1),)),
    ("FUNC_SINGLE", ("func_single",), "1, 1, 1; 1.00", ((1, 2),)),
    (
        "FUNC_ACCUM",
        ("func_accum_1", "func_accum_2", "func_accum_3"),
        "1, 3, 1; 1.00",
        ((1, 2), (2, 4), (3, 8)),
    ),
    (
        "FUNC_MULTI",
        ("func_multi_1", "func_multi_2", "func_multi_3"),
        "1, 3, 1; 1.00",
        ((2, 4), (0, 1), (2, 4)),
    ),
    ("DEG_LOW", ("deg_low",), "1, 1, 1; 1.00", ((1, 2),)),
    ("DEG_HIGH", ("deg_high",), "1, 1, 1; 1.00", ((10, 1024),)),
    ("DEG_COMPLEX", ("deg_complex",), "1, 1, 1; 1.00", ((6, 20),)),
)


def judge(scenario: Scenario, told: Told) -> Judged:
    """What is said about a scenario, beside what is true."""
    chosen = told.configurations(scenario.space)
    slower = parse(scenario.slower, scenario.space.options) if scenario.slower not in ("", NEVER) else None
    is_regression = scenario.slower != NEVER
    is_seen = is_regression and any(slower is None or holds(slower, each.chosen) for each in chosen)
    return Judged(
        scenario.name,
        is_regression,
        told.is_relevant,
        is_seen,
        told.related,
        len(scenario.space.options),
        len(chosen),
        scenario.total,
    )


def sections(folder: Path) -> Iterator[tuple[str, str]]:
    """Titles and texts of the page."""
    scenarios = {each.name: each for each in read_scenarios()}
    mine: dict[str, Judged] = {}
    theirs: dict[str, Judged] = {}
    for name, each in scenarios.items():
        question = question_about(each, folder / name, AnalysisSettings(implicit_depth=each.depth))
        mine[name], theirs[name] = judge(each, ours(question)), judge(each, papers(question))
    first = [_TABLE_2.strip()]
    for title, answers in (("**Sonde:**", mine), ("**The paper's way, on the same graph:**", theirs)):
        groups = [(name, [answers[each] for each in names], said) for name, names, said, _ in PAPER]
        first += [title, table_of_rates(groups)]
    yield "Synthetic scenarios: is the change found? (Table 2)", "\n\n".join(first)
    second = f"{_TABLE_3.strip()}\n\n{_table_3(mine, theirs)}"
    yield "Synthetic scenarios: what is left to measure (Table 3)", second
    others = [each for each in scenarios if not any(each in names for _, names, _, _ in PAPER)]
    yield "Further scenarios", f"{_FURTHER.strip()}\n\n{_further(others, scenarios, mine, theirs)}"


def _table_3(answers: dict[str, Judged], theirs: dict[str, Judged]) -> str:
    rows = []
    for _, names, _, printed in PAPER:
        for name, figures in zip(names, printed, strict=True):
            mine, other = answers[name], theirs[name]
            told = (mine.options, mine.configurations, len(mine.related), mine.chosen)
            rows.append((name, *told, len(other.related), other.chosen, *figures))
    heads = "scenario, F, C, F^ ours, C^ ours, F^ the paper's way, C^ the paper's way, F^ printed, C^ printed"
    return table(heads.split(", "), rows)


def _further(
    names: list[str], scenarios: dict[str, Scenario], answers: dict[str, Judged], theirs: dict[str, Judged]
) -> str:
    rows = []
    for name in names:
        scenario, mine, other = scenarios[name], answers[name], theirs[name]
        relevant = (_yes(each.is_relevant) for each in (scenario, mine, other))
        related = (_listed(each.related) for each in (scenario, mine, other))
        rows.append((name, scenario.about, ", ".join(relevant), *related))
    heads = (
        "scenario",
        "what it tries",
        "relevant: truth, ours, the paper's way",
        "related: truth",
        "ours",
        "the paper's way",
    )
    right = [_is_right(scenarios[name], answers[name]) for name in names]
    beside = [_is_right(scenarios[name], theirs[name]) for name in names]
    return (
        f"{table(heads, rows)}\n\nRight: Sonde {sum(right)} of {len(right)}, the paper's way {sum(beside)}."
    )


def _is_right(scenario: Scenario, judged: Judged) -> bool:
    related = set(judged.related)
    return judged.is_relevant == scenario.is_relevant and set(scenario.related) <= related <= {
        *scenario.related,
        *scenario.allowed,
    }


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(sorted(names)) or "none"


_TABLE_2 = """
Programs of our own, written after section 4.2 and Figure 4 (`tests/programs`). *P*: scenarios in which a
configuration takes at least a tenth more or fewer instructions; *PP*: those that are called relevant; *TP*:
both. RQ2: whether a configuration that regresses is among those to measure. What is true was tried by running
every program before and after (`python -m studies.impact.truth`).
"""
_TABLE_3 = """
*F*: options, *F^*: related ones; *C*: configurations, *C^*: those to measure. Times are left out: a
configuration of these programs takes milliseconds. INTER_IMPL needs both configurations.
"""
_FURTHER = """
What the paper does not try, or where it says that its way fails.
"""
