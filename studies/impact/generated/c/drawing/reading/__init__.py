"""Code that reads the command line and the environment, in each idiom that programs use."""

from studies.impact.generated.c.drawing.reading.idioms import Reading, draw_reading

__all__ = ["Reading", "draw_reading"]
