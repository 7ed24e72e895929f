"""What changed between two programs, blind to lines, names and numbers of values."""
