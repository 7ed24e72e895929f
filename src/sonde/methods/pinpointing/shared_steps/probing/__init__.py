"""What the search measures next, and why."""
