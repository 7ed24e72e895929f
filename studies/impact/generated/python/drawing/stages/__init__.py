"""Kinds of work; each adds its code to a module and gives the name of its function."""

from studies.impact.generated.python.drawing.stages import classes, functions, loops, sequences
from studies.impact.generated.python.drawing.stages.scene import Scene, Stage

STAGES: tuple[Stage, ...] = (*loops.STAGES, *classes.STAGES, *functions.STAGES, *sequences.STAGES)

__all__ = ["STAGES", "Scene", "Stage"]
