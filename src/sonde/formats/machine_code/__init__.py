"""Machine code: its instructions, and what their addresses mean."""
