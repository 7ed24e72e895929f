"""Edits: from a program at the base to the same program at the head. They change trees, never text.

An edit may make a program fail or run for ever: then the subject is not valid, and another one is drawn.
"""

from studies.impact.generated.python.edits.drawing import EDITS, Edited, draw_edit

__all__ = ["EDITS", "Edited", "draw_edit"]
