"""What `measure` did, or would do."""

from __future__ import annotations

from sonde.core.findings.measurements import Plan, Surveyed
from sonde.report.cost import ending_text
from sonde.report.measure.survey import survey_json, survey_text
from sonde.report.plans import effort_json, effort_text
from sonde.report.quantities import counted


def measured_text(measured: Surveyed) -> str:
    """The survey, then what it cost."""
    return f"{survey_text(measured.survey)}\n{cost_text(measured)}"


def cost_text(measured: Surveyed) -> str:
    """Why it ended and what it cost, in words."""
    return ending_text(measured.ending, measured.spent)


def measured_json(measured: Surveyed) -> dict[str, object]:
    """The survey with its ending and cost."""
    spent = measured.spent
    cost = {"builds": spent.builds, "runs": spent.runs, "seconds": spent.seconds}
    return {**survey_json(measured.survey), "ending": measured.ending, "spent": cost}


def plan_text(plan: Plan) -> str:
    """What there is to do, in words."""
    points = f"{counted(plan.points, 'point')}, {plan.known:,} of them known"
    if plan.impossible:
        points += f", {plan.impossible:,} without an option that they select"
    if not plan.effort.builds and not plan.effort.runs:
        return f"{points}. There is nothing to build or run."
    return (
        f"{points}. At most {counted(plan.effort.builds, 'build')} and {counted(plan.effort.runs, 'run')}, "
        f"fewer if builds are equal; the budget is {plan.budget}. {effort_text(plan.effort)}"
    )


def plan_json(plan: Plan) -> dict[str, object]:
    """What there is to do."""
    return {
        "points": plan.points,
        "known": plan.known,
        "impossible": plan.impossible,
        **effort_json(plan.effort),
        "budget": plan.budget,
    }
