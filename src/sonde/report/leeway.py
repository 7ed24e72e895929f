"""What the constraints of a space leave to choose, as text and as JSON."""

from __future__ import annotations

from sonde.report.tables import shortened
from sonde.space.leeway import Leeway

CONSTRAINT_WIDTH = 160


def leeway_text(leeway: Leeway) -> str:
    """What cannot be chosen, a line each; empty if everything can."""
    if leeway.conflict:
        how_many = "This constraint" if len(leeway.conflict) == 1 else "These constraints"
        together = "" if len(leeway.conflict) == 1 else " together"
        listed = [f"  {shortened(str(constraint), CONSTRAINT_WIDTH)}" for constraint in leeway.conflict]
        return "\n".join(
            [f"No configuration is valid. {how_many} cannot hold{together}; change or remove one:", *listed]
        )
    lines = [
        ("Always on", leeway.always_on),
        ("Never on (dead)", leeway.dead),
        ("Always the same", tuple(map(str, leeway.settled))),
        ("Never valid", tuple(map(str, leeway.never))),
    ]
    return "\n".join(f"{what}: {', '.join(names)}." for what, names in lines if names)


def leeway_json(leeway: Leeway) -> dict[str, object]:
    """What cannot be chosen."""
    return {
        "conflict": [str(constraint) for constraint in leeway.conflict],
        "always_on": list(leeway.always_on),
        "dead": list(leeway.dead),
        "always_the_same": {literal.option: literal.value for literal in leeway.settled},
        "never_valid": [{"option": literal.option, "value": literal.value} for literal in leeway.never],
    }
