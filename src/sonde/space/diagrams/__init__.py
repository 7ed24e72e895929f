"""A space as a decision diagram: exact counts and uniform samples."""
