"""The story of the demo subject: its revisions by theme. `plan.py` puts them in order."""
