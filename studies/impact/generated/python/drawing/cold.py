"""Code that does not count: what nobody calls, and messages."""

from __future__ import annotations

from studies.impact.generated.python.drawing.draft import Draft
from studies.impact.generated.python.drawing.features import Feature, about

COLD = "unused"


def add_unused(draft: Draft, module: str) -> None:
    """A function that nobody calls, though it could do much."""
    rng = draft.rng
    name = draft.fresh(f"{COLD}_check", f"{COLD}_summary")
    draft.add(
        module,
        f"""
def {name}(values, limit={rng.randint(5, 90)}):
    total = 0
    for value in values:
        if value > limit:
            total += {draft.step(module)}(value, {rng.randint(1, 90)})
        else:
            total ^= value
    return total
""",
    )


def report(draft: Draft, feature: Feature) -> list[str]:
    """A message that is printed where an option says so."""
    return [f"if {about(draft.rng, feature)}:", "    print('total:', total)"]
