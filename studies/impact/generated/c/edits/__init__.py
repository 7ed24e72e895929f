"""Edits: from a program at the base to the same program at the head. They change trees, never text.

An edit keeps a program valid: it changes a number within its range, and leaves alone what makes loops end,
indices stay in their arrays, and pointers lead somewhere.
"""

from studies.impact.generated.c.edits.drawing import EDITS, Edited, draw_edit

__all__ = ["EDITS", "Edited", "draw_edit"]
