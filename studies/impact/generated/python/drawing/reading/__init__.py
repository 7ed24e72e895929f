"""Ways in which programs read options: a parser, a loop over words, tables of words, the environment."""

from studies.impact.generated.python.drawing.reading.draw import Reading, draw_reading

__all__ = ["Reading", "draw_reading"]
