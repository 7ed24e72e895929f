"""The work of a program: functions from a number to a number, each around another data structure."""

from studies.impact.generated.c.drawing.stages.making import Stage, add_stage

__all__ = ["Stage", "add_stage"]
