"""Plans in words: what a command would take, how long that is, and whether the budget is enough."""

from __future__ import annotations

from sonde.core.findings.pinpoints import Ground
from sonde.core.findings.plans import CheckPlan, Effort, HistoryPlan, PinpointPlan, Sufficiency
from sonde.report.quantities import counted, duration


def effort_text(effort: Effort) -> str:
    """How long builds and runs take by the pace of earlier ones: a sentence."""
    seconds, pace = effort.seconds, effort.pace
    if seconds is None:
        first = "build" if effort.builds and pace.build_seconds is None else "run"
        return f"How long that takes is unknown until the first {first}."
    paces = (("build", pace.build_seconds, effort.builds), ("run", pace.run_seconds, effort.runs))
    words = " and ".join(f"{duration(each)} per {name}" for name, each, number in paces if number and each)
    return f"That takes about {duration(seconds)}: {words}, as so far." if words else "That takes no time."


def short_text(plan: HistoryPlan | PinpointPlan) -> str:
    """Why a budget is probably not enough, and which one is."""
    assert plan.sufficiency is not None
    needs = plan.sufficiency
    allowed = f"the budget of {plan.budget} allows for about {counted(needs.allowed, 'point')}"
    return (
        f"{allowed}; {_usual(plan, needs)}. It will probably end without an answer: "
        f"give --budget {needs.enough} or more."
    )


def _usual(plan: HistoryPlan | PinpointPlan, needs: Sufficiency) -> str:
    if isinstance(plan, HistoryPlan):
        return (
            f"{counted(plan.series, 'series')} needs at least {needs.needed:,}"
            if plan.series == 1
            else (f"{plan.series:,} series need at least {needs.needed:,}")
        )
    about = "about" if plan.is_whole else "more than"
    sizes = "; ".join(_size(ground) for ground in plan.grounds.values())
    return f"a search of this size usually needs {about} {needs.needed:,} ({sizes})"


def _size(ground: Ground) -> str:
    return f"{counted(ground.steps, 'distinct revision')}, {counted(ground.configurations, 'configuration')}"


def history_plan_text(plan: HistoryPlan) -> str:
    """What sampling would take, in sentences."""
    series = f"{plan.series:,} series over {counted(plan.revisions, 'revision')}"
    lines = [f"{series}: {counted(plan.points, 'point')}, {plan.known:,} of them known."]
    if not plan.asked:
        lines.append("Within the budget there is nothing to build or run.")
    else:
        lines.append(
            f"The budget, {plan.budget}, allows for {plan.asked:,} more: about "
            f"{counted(plan.effort.builds, 'build')} and at most {counted(plan.effort.runs, 'run')}. "
            f"{effort_text(plan.effort)}"
        )
    if plan.narrowing is not None:
        lines.append(f"Then --exact takes at most about {counted(plan.narrowing, 'point')} per change.")
    return "\n".join([*lines, *_warning(plan)])


def pinpoint_plan_text(plan: PinpointPlan) -> str:
    """What a search usually takes, in sentences."""
    lines = []
    for name, ground in plan.grounds.items():
        of = f"{ground.steps:,} of {counted(ground.revisions, 'revision')} can differ from the one before"
        number = "" if ground.is_counted else "at most "
        lines.append(
            f"{name}: {counted(ground.configurations, 'configuration')}, {of}; "
            f"{number}{counted(ground.points, 'point')}."
        )
    about = "about" if plan.is_whole else "more than"
    lines.append(
        f"A search of this size usually takes {about} {counted(plan.usual, 'point')}; the budget is "
        f"{plan.budget}."
    )
    if plan.effort.builds or plan.effort.runs:
        lines.append(f"These need {_work(plan.effort)} more. {effort_text(plan.effort)}")
    else:
        lines.append("There is nothing to build or run.")
    return "\n".join([*lines, *_warning(plan)])


def check_plan_text(plan: CheckPlan) -> str:
    """What a check would take at the most, in sentences."""
    near = counted(plan.near, "case")
    first = f"{near} near the default are profiled first, unless the builds prove them equal"
    work = f"At most {_work(plan.effort)}, fewer where cases are proven unchanged or clear early"
    lines = [
        f"{plan.base.short} is compared with {plan.head.short} in {counted(plan.cases, 'case')}.",
        f"{first}; at most {counted(plan.measured, 'case')} are measured.",
        f"{work}. {effort_text(plan.effort)}",
    ]
    if plan.pairs < plan.least_pairs:
        lines.append(f"Warning: {few_pairs_text(plan.pairs, plan.least_pairs)}")
    return "\n".join(lines)


def few_pairs_text(pairs: int, least: int) -> str:
    """Why a cap on pairs lets no change be found."""
    return (
        f"with {pairs} pairs no change of times can be significant, however large it is. "
        f"Use --pairs {least} or more."
    )


def _work(effort: Effort) -> str:
    return f"{counted(effort.builds, 'build')} and {counted(effort.runs, 'run')}"


def _warning(plan: HistoryPlan | PinpointPlan) -> list[str]:
    if plan.sufficiency is None or not plan.sufficiency.is_short:
        return []
    return [f"Warning: {short_text(plan)}"]


def history_plan_json(plan: HistoryPlan) -> dict[str, object]:
    """What sampling would take."""
    return {
        "series": plan.series,
        "revisions": plan.revisions,
        "points": plan.points,
        "known": plan.known,
        "asked": plan.asked,
        **effort_json(plan.effort),
        "budget": plan.budget,
        "narrowing": plan.narrowing,
        "sufficiency": _sufficiency_json(plan.sufficiency),
    }


def pinpoint_plan_json(plan: PinpointPlan) -> dict[str, object]:
    """What a search usually takes."""
    return {
        "benchmarks": [
            {
                "benchmark": name,
                "revisions": ground.revisions,
                "steps": ground.steps,
                "configurations": ground.configurations,
                "points": ground.points,
                "is_counted": ground.is_counted,
            }
            for name, ground in plan.grounds.items()
        ],
        "usual": plan.usual,
        "is_whole": plan.is_whole,
        **effort_json(plan.effort),
        "budget": plan.budget,
        "sufficiency": _sufficiency_json(plan.sufficiency),
    }


def check_plan_json(plan: CheckPlan) -> dict[str, object]:
    """What a check would take at the most."""
    return {
        "base": plan.base.id,
        "head": plan.head.id,
        "cases": plan.cases,
        "near": plan.near,
        "measured": plan.measured,
        **effort_json(plan.effort),
        "pairs": plan.pairs,
        "least_pairs": plan.least_pairs,
    }


def effort_json(effort: Effort) -> dict[str, object]:
    """Builds, runs and seconds; null where nobody knows how long they take."""
    return {"builds": effort.builds, "runs": effort.runs, "seconds": effort.seconds}


def _sufficiency_json(sufficiency: Sufficiency | None) -> dict[str, object] | None:
    if sufficiency is None:
        return None
    return {
        "needed": sufficiency.needed,
        "allowed": sufficiency.allowed,
        "enough": sufficiency.enough,
        "is_short": sufficiency.is_short,
    }
